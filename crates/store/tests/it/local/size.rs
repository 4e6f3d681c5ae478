//! Large folders, deep folders, large files: bounded, whatever the tree.

use super::{Disk, at};
use loci_store::local::Modes;
use loci_store::{Backend, Error, Show};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_huge_folder_is_listed_up_to_the_limit_and_in_order() {
    let disk = Disk::new(Modes::Private);
    std::fs::create_dir(disk.root().join("b")).unwrap();
    for number in 0..8_000 {
        std::fs::write(disk.root().join(format!("b/{number:05}.md")), "").unwrap();
    }
    std::fs::write(disk.root().join("a.md"), "").unwrap();
    std::fs::write(disk.root().join("c.md"), "").unwrap();
    let start = Instant::now();
    let listing = disk.backend.list(None, Show::Visible, 5).await.unwrap();
    let names: Vec<&str> = listing.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["a.md", "b/00000.md", "b/00001.md", "b/00002.md", "b/00003.md"]);
    assert!(!listing.complete);
    let all = disk.backend.list(None, Show::Visible, 10_000).await.unwrap();
    assert_eq!((all.files.len(), all.complete), (8_002, true));
    assert!(all.files.is_sorted_by(|a, b| a.0 < b.0));
    assert!(start.elapsed() < Duration::from_secs(3), "took {:?}", start.elapsed());
}

#[tokio::test]
async fn a_deep_folder_is_listed_or_told_and_never_breaks_the_walk() {
    let disk = Disk::new(Modes::Private);
    disk.put("z.md", "z").await.unwrap();
    let mut deep = disk.root();
    for _ in 0..600 {
        deep.push("d");
        std::fs::create_dir(&deep).unwrap();
    }
    std::fs::write(disk.root().join("d/d/d/x.md"), "x").unwrap();
    let listing = disk.backend.list(None, Show::Visible, 10).await.unwrap();
    let names: Vec<&str> = listing.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["d/d/d/x.md", "z.md"]);
    disk.backend.remove(&at("d")).await.unwrap();
    assert!(!disk.root().join("d").exists());
}

#[tokio::test]
async fn a_file_that_is_too_large_is_not_read() {
    let disk = Disk::new(Modes::Private);
    let file = std::fs::File::create(disk.root().join("big.md")).unwrap();
    file.set_len(10 << 30).unwrap();
    let start = Instant::now();
    let read = disk.backend.read(&at("big.md"), 1 << 20).await;
    assert!(matches!(read, Err(Error::TooLarge { .. })), "{read:?}");
    assert!(start.elapsed() < Duration::from_secs(1));
}
