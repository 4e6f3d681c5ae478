//! Looking again and again: nothing that happens between two looks is missed.

use loci_domain::scope::Scope;
use loci_store::Store;
use std::collections::BTreeMap;
use std::path::Path;

/// What the catalogue says of every file.
async fn catalogue(store: &Store) -> BTreeMap<String, String> {
    let root = store.root(Some(Scope::Global)).unwrap();
    store.glance(root).await.unwrap();
    let known = store.record().unwrap().known(&root.key.place).await.unwrap();
    known.into_iter().map(|known| (known.path.to_string(), known.digest.to_string())).collect()
}

/// What lies on the disk.
fn disk(files: &Path) -> BTreeMap<String, String> {
    let documents = loci_testkit::home::documents(files).into_iter();
    documents.map(|(name, text)| (name, loci_domain::digest::Digest::of(text.as_bytes()).to_string())).collect()
}

#[tokio::test]
async fn outside_edit_is_seen_by_the_next_look() {
    let (store, files, _dir) = loci_testkit::disk::disk_store(100);
    let write = |inner: &str, text: &str| drop(loci_testkit::home::write(&files.join(inner), text));
    let away = files.with_file_name("away");
    assert!(catalogue(&store).await.is_empty(), "no root yet");
    type Edit<'a> = Box<dyn Fn(&str) + 'a>;
    let edits: Vec<(&str, Edit<'_>)> = vec![
        ("new files and folders", Box::new(|round| write(&format!("a/b{round}/c.md"), round))),
        ("more words in place", Box::new(|round| write("a/same.md", &format!("words {round}")))),
        ("as many words in place", Box::new(|round| write("a/same.md", &format!("sword {round}")))),
        ("a file beside it", Box::new(|round| write(&format!("{round}.md"), "beside"))),
        (
            "a file moved",
            Box::new(|round| {
                std::fs::rename(files.join(format!("{round}.md")), files.join(format!("a/{round}.md"))).unwrap()
            }),
        ),
        ("a file gone", Box::new(|round| std::fs::remove_file(files.join(format!("a/{round}.md"))).unwrap())),
        (
            "a folder moved",
            Box::new(|round| {
                std::fs::rename(files.join(format!("a/b{round}")), files.join(format!("moved{round}"))).unwrap()
            }),
        ),
        ("a file in the moved folder", Box::new(|round| write(&format!("moved{round}/d.md"), "there"))),
        (
            "a folder gone and made again",
            Box::new(|round| {
                std::fs::remove_dir_all(files.join(format!("moved{round}"))).unwrap();
                write(&format!("moved{round}/e.md"), "again");
            }),
        ),
        ("a file in the folder made again", Box::new(|round| write(&format!("moved{round}/f.md"), "anew"))),
        (
            "another root in its place",
            Box::new(|round| {
                std::fs::rename(&files, &away).unwrap();
                write("other.md", round);
            }),
        ),
        (
            "the first root back",
            Box::new(|_| {
                std::fs::remove_dir_all(&files).unwrap();
                std::fs::rename(&away, &files).unwrap();
            }),
        ),
    ];
    // Looks between edits: none is needed to notice, and a few make the watch trust itself.
    for looks in [0, 1, 2, 5] {
        for (what, edit) in &edits {
            for _ in 0..looks {
                assert_eq!(catalogue(&store).await, disk(&files), "before: {what}, after {looks} looks");
            }
            edit(&format!("r{looks}"));
            assert_eq!(catalogue(&store).await, disk(&files), "{what}, after {looks} looks");
        }
    }
}
