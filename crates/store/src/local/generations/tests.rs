use super::*;
use loci_domain::secrets::{Policy, screen};
use std::os::unix::fs::PermissionsExt;

fn files(texts: &[(&str, &str)]) -> Vec<(EntryPath, Clean)> {
    let file = |(path, text): &(&str, &str)| {
        (EntryPath::parse(path).unwrap(), screen((*text).to_owned(), None, Policy::Redact).unwrap())
    };
    texts.iter().map(file).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|listing| listing.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

#[tokio::test]
async fn a_generation_replaces_the_one_before_as_a_whole() {
    let home = tempfile::tempdir().unwrap();
    let book = Generations::new(home.path(), &["projects", "p"], "handbook");
    let place = home.path().join("projects/p");
    let first = book.stage(files(&[("MEMORY.md", "one"), ("skills/old/SKILL.md", "s")])).await.unwrap();
    assert!(!place.join("handbook").exists());
    book.swap(first).await.unwrap();
    assert_eq!(names(&place), ["handbook"]);
    std::os::unix::fs::symlink("/", place.join("handbook/link")).unwrap();
    let second = book.stage(files(&[("MEMORY.md", "two"), ("skills/new/deep/x.sh", "s")])).await.unwrap();
    assert_eq!(std::fs::read_to_string(place.join("handbook/MEMORY.md")).unwrap(), "one");
    book.swap(second).await.unwrap();
    assert_eq!(std::fs::read_to_string(place.join("handbook/MEMORY.md")).unwrap(), "two");
    assert_eq!(names(&place), ["handbook"]);
    assert_eq!(names(&place.join("handbook/skills")), ["new"]);
    let mode = |path: &str| place.join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("handbook"), mode("handbook/MEMORY.md"), mode("handbook/skills/new")), (0o700, 0o600, 0o700));
    book.clear().await.unwrap();
    book.clear().await.unwrap();
    assert_eq!(names(&place), Vec::<String>::new());
    assert!(Path::new("/").exists());
}

/// Who was frozen between its last look and the step changes nothing.
#[tokio::test]
async fn a_swept_generation_is_never_put_in_place() {
    let home = tempfile::tempdir().unwrap();
    let book = Generations::new(home.path(), &["projects", "p"], "handbook");
    let sleeper = book.stage(files(&[("MEMORY.md", "sleeper")])).await.unwrap();
    book.sweep().await.unwrap();
    let next = book.stage(files(&[("MEMORY.md", "next")])).await.unwrap();
    book.swap(next).await.unwrap();
    assert!(matches!(book.swap(sleeper).await, Err(Error::Missing)));
    let place = home.path().join("projects/p");
    assert_eq!(std::fs::read_to_string(place.join("handbook/MEMORY.md")).unwrap(), "next");
    assert_eq!(names(&place), ["handbook"]);
    let unwanted = book.stage(files(&[("MEMORY.md", "unwanted")])).await.unwrap();
    book.discard(unwanted).await.unwrap();
    assert_eq!(names(&place), ["handbook"]);
}

/// A hundred generations under a reader that never stops: each look is of one generation.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_sees_no_gap() {
    let home = tempfile::tempdir().unwrap();
    let book = Generations::new(home.path(), &["projects", "p"], "handbook");
    let first = book.stage(files(&[("MEMORY.md", "0")])).await.unwrap();
    book.swap(first).await.unwrap();
    let file = home.path().join("projects/p/handbook/MEMORY.md");
    let over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stop = Arc::clone(&over);
    let reader = std::thread::spawn(move || {
        let mut looks = 0_u32;
        while !stop.load(std::sync::atomic::Ordering::SeqCst) {
            assert!(std::fs::read_to_string(&file).is_ok(), "a gap");
            looks += 1;
        }
        looks
    });
    for number in 1..=100 {
        let staged = book.stage(files(&[("MEMORY.md", &number.to_string())])).await.unwrap();
        book.swap(staged).await.unwrap();
    }
    over.store(true, std::sync::atomic::Ordering::SeqCst);
    assert!(reader.join().unwrap() > 0);
}
