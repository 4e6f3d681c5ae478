//! Changes that stop half-way: dropped by who asked, refused by the disk, cut off by a crash.

use loci_domain::change::{Actor, Change, ChangeId, GroupId, Image, Op};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::{Clean, Policy};
use loci_store::ram::Ram;
use loci_store::store::fresh_id;
use loci_store::{Backend, By, Care, Count, Error, Expect, Lock, Root, Store};
use loci_testkit::hooked::{Doing, Hooked};
use loci_testkit::ram::scopes_over;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

fn path(text: &str) -> EntryPath {
    EntryPath::parse(text).unwrap()
}

fn by() -> By {
    By::new(Actor::User, Policy::Allow, Count::Nothing)
}

fn over(ram: &Ram, files: Hooked) -> Store {
    scopes_over([Some((Arc::new(files), ram.clone())), None, None], 100)
}

fn root(store: &Store) -> &Root {
    store.root(Some(Scope::Global)).unwrap()
}

async fn write(ram: &Ram, name: &str, text: &str) {
    let bytes = Clean::kept(text.as_bytes().to_vec());
    ram.write_if(&path(name), &bytes, Expect::Anything, Care::Derived).await.unwrap();
}

async fn text(ram: &Ram, name: &str) -> Option<String> {
    let blob = ram.read(&path(name), 1 << 20).await.unwrap();
    blob.map(|blob| String::from_utf8(blob.bytes).unwrap())
}

/// What is done to `a.md`, and what is there of `a.md` and `b.md` afterwards.
const DONE: [(Doing, Option<&str>, Option<&str>); 3] =
    [(Doing::Write, Some("two\n"), None), (Doing::Remove, None, None), (Doing::Rename, None, Some("one\n"))];

#[tokio::test]
async fn a_commit_that_nobody_waits_for_goes_on_under_its_lock() {
    for (doing, a, b) in DONE {
        let (ram, arrived, go) = (Ram::default(), Arc::new(Notify::new()), Arc::new(Notify::new()));
        write(&ram, "a.md", "one\n").await;
        let (reached, gate) = (Arc::clone(&arrived), Arc::clone(&go));
        let files = Hooked::new(&ram, move |_, file| {
            let (reached, gate) = (Arc::clone(&reached), Arc::clone(&gate));
            async move {
                if file == path("a.md") {
                    reached.notify_one();
                    gate.notified().await;
                }
                Ok(())
            }
        });
        let (store, by) = (over(&ram, files), by());
        let (asked, terms) = (store.clone(), by.clone());
        let client = tokio::spawn(async move {
            let mut change = asked.begin(root(&asked), terms).await.unwrap();
            match doing {
                Doing::Write => change.put(&path("a.md"), "two\n".to_owned()).await.unwrap(),
                Doing::Remove => change.remove(&path("a.md")).await.unwrap(),
                Doing::Rename => change.rename(&path("a.md"), &path("b.md")).await.unwrap(),
            }
            change.commit().await
        });
        arrived.notified().await;
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        assert!(ram.try_hold().await.unwrap().is_none(), "{doing:?}: the file is still being changed");
        go.notify_one();
        ram.hold().await.unwrap().release().await;
        let record = store.record().unwrap();
        assert!(record.pending(&root(&store).key.place).await.unwrap().is_empty(), "{doing:?}");
        assert_eq!(record.group(&by.group).await.unwrap().len(), 1, "{doing:?}");
        let now = (text(&ram, "a.md").await, text(&ram, "b.md").await);
        assert_eq!((now.0.as_deref(), now.1.as_deref()), (a, b), "{doing:?}");
    }
}

#[tokio::test]
async fn what_could_not_be_taken_back_stays_in_the_journal() {
    let ram = Ram::default();
    write(&ram, "a.md", "one\n").await;
    let writes = AtomicUsize::new(0);
    let files = Hooked::new(&ram, move |_, file| {
        // The second file cannot be written, and then the first one cannot be put back.
        let again = file == path("a.md") && writes.fetch_add(1, Ordering::Relaxed) > 0;
        let refused = again || file == path("b.md");
        async move { if refused { Err(Error::Io("the disk is gone".to_owned())) } else { Ok(()) } }
    });
    let (store, by) = (over(&ram, files), by());
    let mut change = store.begin(root(&store), by.clone()).await.unwrap();
    change.put(&path("a.md"), "two\n".to_owned()).await.unwrap();
    change.put(&path("b.md"), "b\n".to_owned()).await.unwrap();
    change.commit().await.unwrap_err();
    assert_eq!(text(&ram, "a.md").await.as_deref(), Some("two\n"));
    drop(store.begin(root(&store), by.clone()).await.unwrap());
    let record = store.record().unwrap();
    let stayed = record.group(&by.group).await.unwrap();
    assert_eq!(stayed.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["a.md"]);
    assert_eq!(record.image(&Digest::of(b"one\n")).await.unwrap().as_deref(), Some(&b"one\n"[..]));
    assert!(record.pending(&root(&store).key.place).await.unwrap().is_empty());
}

fn intent(root: &Root, op: Op, name: &str, new_name: Option<&str>) -> (Change, Vec<Image>) {
    let [before, after] = [Image::of(b"before\n".to_vec()), Image::of(b"after\n".to_vec())];
    let change = Change {
        id: ChangeId(fresh_id()),
        group: GroupId("cut off".to_owned()),
        at: "2026-01-01T00:00:00Z".parse().unwrap(),
        actor: Actor::Agent,
        op,
        place: root.key.place.clone(),
        path: path(name),
        new_path: new_name.map(path),
        before: Some(before.digest),
        after: if new_name.is_some() { Some(before.digest) } else { Some(after.digest) },
        undoes: None,
    };
    (change, vec![before, after])
}

#[tokio::test]
async fn something_else_where_a_change_was_cut_off_does_not_shut_the_root() {
    let (store, files, _dir) = loci_testkit::disk::disk_store(100);
    std::fs::create_dir_all(files.join("folder.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", files.join("link.md")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(files.join("odd.md")).unwrap();
    std::fs::File::create(files.join("large.md")).unwrap().set_len((64 << 20) + 1).unwrap();
    std::fs::write(files.join("file.md"), "a file\n").unwrap();
    let (root, record) = (root(&store), store.record().unwrap());
    for name in ["folder.md", "link.md", "odd.md", "large.md", "file.md/below.md", "link.md/below.md"] {
        for (op, new_name) in [(Op::Modify, None), (Op::Rename, Some("elsewhere.md"))] {
            let (change, images) = intent(root, op, name, new_name);
            record.intend(&[change], &images).await.unwrap();
            let mut other = store.begin(root, by()).await.expect(name);
            other.put(&path("other.md"), format!("{name}\n")).await.unwrap();
            other.commit().await.expect(name);
            assert!(record.pending(&root.key.place).await.unwrap().is_empty(), "{name}");
        }
    }
    store.sync(root).await.unwrap();
    // The bytes before are not lost, whatever became of the file.
    assert!(record.image(&Digest::of(b"before\n")).await.unwrap().is_some());
}
