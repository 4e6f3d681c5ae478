//! Names on disk that memory does not allow: told, never listed, never in the way.

use super::{Disk, at};
use loci_store::local::Modes;
use loci_store::{Backend, Show};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

#[tokio::test]
async fn names_that_the_grammar_refuses_are_told_and_not_listed() {
    let disk = Disk::new(Modes::Private);
    disk.put("ok.md", "x").await.unwrap();
    let bad = [
        "e\u{301}.md",
        "a<b.md",
        "a\"b.md",
        "a\\b.md",
        "til~de.md",
        "line\nbreak.md",
        "\u{202e}rtl.md",
        "zero\u{200b}.md",
        "tag\u{e0041}.md",
        "a%2fb.md",
        "d..d.md",
    ];
    for name in bad {
        std::fs::write(disk.root().join(name), "x").unwrap();
    }
    std::fs::create_dir(disk.root().join("bad<dir")).unwrap();
    std::fs::write(disk.root().join("bad<dir/x.md"), "x").unwrap();
    std::fs::write(disk.root().join(OsStr::from_bytes(b"latin-\xe9.md")), "x").unwrap();
    assert_eq!(disk.names().await, ["ok.md"]);
    let refused = disk.refused().await;
    for name in bad {
        assert!(refused.iter().any(|told| told == name), "{name:?} is not told: {refused:?}");
    }
    assert!(refused.iter().any(|told| told.starts_with("bad<dir")), "{refused:?}");
    assert!(refused.iter().any(|told| told.starts_with("latin-")), "{refused:?}");
}

#[tokio::test]
async fn names_that_differ_only_in_case_are_two_files() {
    let disk = Disk::new(Modes::Private);
    disk.put("README.md", "upper").await.unwrap();
    match disk.put("readme.md", "lower").await {
        Ok(()) => assert_eq!(disk.names().await, ["README.md", "readme.md"]),
        Err(_) => assert_eq!(disk.names().await, ["README.md"]),
    }
    assert_eq!(std::fs::read_to_string(disk.root().join("README.md")).unwrap(), "upper");
}

#[tokio::test]
async fn a_folder_with_strange_names_in_it_can_be_removed() {
    let disk = Disk::new(Modes::Private);
    disk.put("d/a.md", "a").await.unwrap();
    std::fs::write(disk.root().join("d").join(OsStr::from_bytes(b"latin-\xe9.md")), "x").unwrap();
    std::fs::write(disk.root().join("d/bad<name.md"), "x").unwrap();
    std::fs::create_dir_all(disk.root().join("d").join(OsStr::from_bytes(b"dir-\xff/deep"))).unwrap();
    disk.backend.remove(&at("d")).await.unwrap();
    assert_eq!(std::fs::read_dir(disk.root()).unwrap().count(), 0, "something is left");
}

#[tokio::test]
async fn leftovers_with_strange_names_are_swept() {
    let disk = Disk::new(Modes::Private);
    std::fs::write(disk.root().join(OsStr::from_bytes(b".loci-\xe9.tmp")), "x").unwrap();
    std::fs::create_dir_all(disk.root().join(".loci-1.gone").join(OsStr::from_bytes(b"\xe9"))).unwrap();
    disk.backend.sweep(None).await.unwrap();
    assert_eq!(std::fs::read_dir(disk.root()).unwrap().count(), 0, "something is left");
    assert!(disk.backend.list(None, Show::Visible, 10).await.unwrap().leftovers.is_empty());
}
