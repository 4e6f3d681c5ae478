//! What every store backend must do; each case repeats a sentence of `store::Backend`'s docs.

#![allow(missing_docs, reason = "the names of cases are sentences")]

use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::{Backend, Care, Error, Expect, Node, Show};

/// Makes one test of each case for a backend made by `$make` (which may return a guard beside it).
///
/// With `all in one_test: server = start(); make`, one test runs all cases on one server: for one that takes long to start.
#[macro_export]
macro_rules! backend_contract {
    (all in $name:ident: $server:ident = $start:expr; $make:expr) => {
        $crate::backend_contract!(@list together [$name, $server, $start] $make);
    };
    ($make:expr) => {
        $crate::backend_contract!(@list each [] $make);
    };
    (@list $how:ident $with:tt $make:expr) => {
        $crate::backend_contract!(@$how $with $make;
            a_missing_root_is_an_empty_folder,
            what_is_written_is_read_back,
            writes_are_conditional,
            a_conflict_changes_nothing,
            reading_is_bounded,
            a_folder_is_no_file,
            a_file_is_no_folder,
            removing_takes_files_and_folders,
            removing_the_missing_succeeds,
            renaming_moves_files_and_folders,
            renaming_never_overwrites,
            a_failed_rename_leaves_nothing,
            listing_is_in_byte_order_and_bounded,
            listing_knows_folders,
            hidden_files_show_only_on_request,
            a_stamp_follows_the_bytes,
            two_writers_of_one_new_file_have_one_winner,
        );
    };
    (@together [$name:ident, $server:ident, $start:expr] $make:expr; $($case:ident,)+) => {
        #[tokio::test]
        async fn $name() {
            let $server = $start;
            $({
                println!("case {}", stringify!($case));
                let (backend, _guard) = $make;
                $crate::contract::backend::$case(&backend).await;
            })+
        }
    };
    (@each [] $make:expr; $($case:ident,)+) => {
        $(
            #[tokio::test]
            async fn $case() {
                let (backend, _guard) = $make;
                $crate::contract::backend::$case(&backend).await;
            }
        )+
    };
}

fn at(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn text(text: &str) -> Clean {
    Clean::kept(text.as_bytes().to_vec())
}

async fn put(backend: &impl Backend, path: &str, content: &str) {
    backend.write_if(&at(path), &text(content), Expect::Absent, Care::Durable).await.unwrap();
}

async fn content(backend: &impl Backend, path: &str) -> Option<String> {
    let blob = backend.read(&at(path), 1 << 20).await.unwrap();
    blob.map(|blob| String::from_utf8(blob.bytes).unwrap())
}

async fn names(backend: &impl Backend, under: Option<&str>, limit: usize) -> (Vec<String>, bool) {
    let under = under.map(at);
    let listing = backend.list(under.as_ref(), Show::Visible, limit).await.unwrap();
    (listing.files.iter().map(|(path, _)| path.to_string()).collect(), listing.complete)
}

pub async fn a_missing_root_is_an_empty_folder(backend: &impl Backend) {
    assert!(backend.stat(None).await.unwrap().is_none());
    assert!(backend.stat(Some(&at("a/b.md"))).await.unwrap().is_none());
    assert!(backend.read(&at("a.md"), 10).await.unwrap().is_none());
    assert_eq!(names(backend, None, 10).await, (vec![], true));
    assert!(backend.stat(None).await.unwrap().is_none(), "reading made the root");
}

pub async fn what_is_written_is_read_back(backend: &impl Backend) {
    for bytes in [&b""[..], b"one\r\n", &[0, 159, 146, 150], "日本語".as_bytes()] {
        let path = at(&format!("d/{}.md", bytes.len()));
        let meta = backend.write_if(&path, &Clean::kept(bytes.to_vec()), Expect::Absent, Care::Durable).await.unwrap();
        let blob = backend.read(&path, 100).await.unwrap().unwrap();
        assert_eq!(blob.bytes, bytes);
        assert_eq!((meta.node, meta.bytes), (Node::File, bytes.len() as u64));
        assert_eq!(blob.digest(), Digest::of(bytes));
    }
}

pub async fn writes_are_conditional(backend: &impl Backend) {
    put(backend, "a.md", "one").await;
    let again = backend.write_if(&at("a.md"), &text("two"), Expect::Absent, Care::Durable).await;
    assert!(matches!(again, Err(Error::Exists)), "{again:?}");
    let seen = Expect::Is(Digest::of(b"one"));
    backend.write_if(&at("a.md"), &text("two"), seen, Care::Derived).await.unwrap();
    assert_eq!(content(backend, "a.md").await.as_deref(), Some("two"));
    for path in ["a.md", "new.md"] {
        backend.write_if(&at(path), &text("three"), Expect::Anything, Care::Derived).await.unwrap();
        assert_eq!(content(backend, path).await.as_deref(), Some("three"));
    }
}

pub async fn a_conflict_changes_nothing(backend: &impl Backend) {
    put(backend, "a.md", "one").await;
    let stale = Expect::Is(Digest::of(b"zero"));
    let changed = backend.write_if(&at("a.md"), &text("two"), stale, Care::Durable).await;
    assert!(matches!(changed, Err(Error::Changed { now }) if now == Some(Digest::of(b"one"))), "{changed:?}");
    let gone = backend.write_if(&at("new/b.md"), &text("two"), stale, Care::Durable).await;
    assert!(matches!(gone, Err(Error::Changed { now: None })), "{gone:?}");
    assert_eq!(names(backend, None, 10).await.0, ["a.md"]);
    assert!(backend.stat(Some(&at("new"))).await.unwrap().is_none(), "a failed write left a folder");
}

pub async fn reading_is_bounded(backend: &impl Backend) {
    put(backend, "a.md", "12345").await;
    assert!(backend.read(&at("a.md"), 5).await.unwrap().is_some());
    let large = backend.read(&at("a.md"), 4).await;
    assert!(matches!(large, Err(Error::TooLarge { bytes: 5, limit: 4 })), "{large:?}");
}

pub async fn a_folder_is_no_file(backend: &impl Backend) {
    put(backend, "d/a.md", "x").await;
    assert_eq!(backend.stat(Some(&at("d"))).await.unwrap().unwrap().node, Node::Folder);
    assert!(matches!(backend.read(&at("d"), 10).await, Err(Error::Folder)));
    assert!(backend.write_if(&at("d"), &text("x"), Expect::Absent, Care::Durable).await.is_err());
    assert_eq!(content(backend, "d/a.md").await.as_deref(), Some("x"));
}

pub async fn a_file_is_no_folder(backend: &impl Backend) {
    put(backend, "a.md", "x").await;
    assert!(backend.stat(Some(&at("a.md/b.md"))).await.unwrap().is_none());
    assert!(backend.read(&at("a.md/b.md"), 10).await.unwrap().is_none());
    assert!(backend.write_if(&at("a.md/b.md"), &text("y"), Expect::Absent, Care::Durable).await.is_err());
    assert_eq!(content(backend, "a.md").await.as_deref(), Some("x"));
}

pub async fn removing_takes_files_and_folders(backend: &impl Backend) {
    for path in ["a.md", "d/b.md", "d/e/c.md", "d/.hidden", "dd.md"] {
        put(backend, path, "x").await;
    }
    backend.remove(&at("a.md")).await.unwrap();
    backend.remove(&at("d")).await.unwrap();
    assert_eq!(names(backend, None, 10).await.0, ["dd.md"]);
    assert!(backend.stat(Some(&at("d"))).await.unwrap().is_none());
}

pub async fn removing_the_missing_succeeds(backend: &impl Backend) {
    backend.remove(&at("a.md")).await.unwrap();
    backend.remove(&at("d/e/f.md")).await.unwrap();
}

pub async fn renaming_moves_files_and_folders(backend: &impl Backend) {
    put(backend, "a.md", "a").await;
    put(backend, "d/x.md", "x").await;
    backend.rename(&at("a.md"), &at("n/e/w.md")).await.unwrap();
    backend.rename(&at("d"), &at("n/d2")).await.unwrap();
    assert_eq!(names(backend, None, 10).await.0, ["n/d2/x.md", "n/e/w.md"]);
    assert_eq!(content(backend, "n/e/w.md").await.as_deref(), Some("a"));
}

pub async fn renaming_never_overwrites(backend: &impl Backend) {
    for path in ["a.md", "b.md", "d/x.md"] {
        put(backend, path, path).await;
    }
    assert!(matches!(backend.rename(&at("a.md"), &at("b.md")).await, Err(Error::Exists)));
    assert!(matches!(backend.rename(&at("a.md"), &at("d")).await, Err(Error::Exists)));
    assert!(matches!(backend.rename(&at("a.md"), &at("a.md")).await, Err(Error::Exists)));
    assert_eq!(content(backend, "b.md").await.as_deref(), Some("b.md"));
}

pub async fn a_failed_rename_leaves_nothing(backend: &impl Backend) {
    put(backend, "d/x.md", "x").await;
    assert!(matches!(backend.rename(&at("no.md"), &at("new/dir/x.md")).await, Err(Error::Missing)));
    assert!(matches!(backend.rename(&at("d"), &at("d/sub/d")).await, Err(Error::IntoItself)));
    assert!(backend.rename(&at("d/x.md"), &at("d/x.md/y.md")).await.is_err());
    assert!(backend.stat(Some(&at("new"))).await.unwrap().is_none());
    assert_eq!(names(backend, None, 10).await.0, ["d/x.md"]);
}

pub async fn listing_is_in_byte_order_and_bounded(backend: &impl Backend) {
    for path in ["a0.md", "a/b.md", "a.md", "B.md", "a/b/c.md"] {
        put(backend, path, "x").await;
    }
    let all = ["B.md", "a.md", "a/b.md", "a/b/c.md", "a0.md"];
    assert_eq!(names(backend, None, 10).await, (all.map(str::to_owned).to_vec(), true));
    assert!(names(backend, None, 5).await.1, "exactly as many as the limit is complete");
    assert_eq!(names(backend, None, 3).await, (all[..3].iter().map(|path| (*path).to_owned()).collect(), false));
    assert_eq!(names(backend, Some("a"), 10).await.0, ["a/b.md", "a/b/c.md"]);
    assert_eq!(names(backend, Some("none"), 10).await, (vec![], true));
}

pub async fn listing_knows_folders(backend: &impl Backend) {
    put(backend, "d/e/x.md", "x").await;
    let listing = backend.list(None, Show::Visible, 10).await.unwrap();
    assert_eq!(listing.folders, [at("d"), at("d/e")]);
}

pub async fn hidden_files_show_only_on_request(backend: &impl Backend) {
    for path in ["a.md", ".b.md", "d/.c/x.md"] {
        put(backend, path, "x").await;
    }
    assert_eq!(names(backend, None, 10).await.0, ["a.md"]);
    let all = backend.list(None, Show::All, 10).await.unwrap();
    assert_eq!(all.files.len(), 3);
}

pub async fn a_stamp_follows_the_bytes(backend: &impl Backend) {
    put(backend, "a.md", "one").await;
    let first = backend.stat(Some(&at("a.md"))).await.unwrap().unwrap();
    backend.write_if(&at("a.md"), &text("two"), Expect::Is(Digest::of(b"one")), Care::Durable).await.unwrap();
    let second = backend.stat(Some(&at("a.md"))).await.unwrap().unwrap();
    assert_ne!(first.stamp, second.stamp);
}

pub async fn two_writers_of_one_new_file_have_one_winner(backend: &impl Backend) {
    let (path, one, two) = (at("a.md"), text("one"), text("two"));
    let (first, second) = tokio::join!(
        backend.write_if(&path, &one, Expect::Absent, Care::Durable),
        backend.write_if(&path, &two, Expect::Absent, Care::Durable),
    );
    assert_eq!([first.is_ok(), second.is_ok()].iter().filter(|ok| **ok).count(), 1);
}
