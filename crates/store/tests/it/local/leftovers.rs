//! What a crash leaves behind, and what somebody may have laid out for us.

use super::{Disk, at};
use loci_store::local::Modes;
use loci_store::{Backend, Care, Expect, Show};
use loci_testkit::home::unfinished;
use std::os::unix::fs::symlink;

#[tokio::test]
async fn a_sweep_removes_leftovers_and_nothing_else() {
    let disk = Disk::new(Modes::Private);
    disk.put("d/a.md", "a").await.unwrap();
    disk.put("d/.keep", "hidden").await.unwrap();
    let root = disk.root();
    std::fs::write(root.join(".loci-1.tmp"), "half").unwrap();
    std::fs::write(root.join("d/.loci-2.tmp"), "half").unwrap();
    std::fs::create_dir_all(root.join("d/.loci-3.gone/deep/er")).unwrap();
    std::fs::write(root.join("d/.loci-3.gone/deep/er/x.md"), "x").unwrap();
    symlink(disk.outside(), root.join("d/.loci-3.gone/deep/link")).unwrap();
    std::fs::write(disk.outside().join("f.md"), "canary").unwrap();

    let listing = disk.backend.list(None, Show::Visible, 100).await.unwrap();
    assert_eq!(listing.leftovers, [None, Some(at("d"))]);
    assert_eq!(listing.files.len(), 1, "leftovers are no files: {:?}", listing.files);
    assert_eq!(disk.backend.list(None, Show::All, 100).await.unwrap().files.len(), 2, "nor hidden ones");
    for folder in &listing.leftovers {
        disk.backend.sweep(folder.as_ref()).await.unwrap();
    }
    assert!(unfinished(&root).is_empty());
    assert_eq!(std::fs::read_to_string(root.join("d/.keep")).unwrap(), "hidden");
    assert_eq!(std::fs::read_to_string(disk.outside().join("f.md")).unwrap(), "canary");
    assert!(disk.backend.list(None, Show::Visible, 100).await.unwrap().leftovers.is_empty());
}

#[tokio::test]
async fn a_sweep_of_the_missing_makes_nothing() {
    let disk = Disk::new(Modes::Private);
    disk.backend.sweep(Some(&at("none"))).await.unwrap();
    disk.backend.sweep(None).await.unwrap();
    assert!(!disk.root().join("none").exists());
}

#[tokio::test]
async fn links_at_names_of_temporary_files_are_never_followed() {
    let disk = Disk::new(Modes::Private);
    let canary = disk.outside().join("f.md");
    std::fs::write(&canary, "canary").unwrap();
    for name in [".loci-derived.tmp", ".loci-.tmp", ".loci-a.md.tmp", "a.md.tmp", ".a.md.tmp", ".a.md.swp", ".tmp-a.md"]
    {
        symlink(&canary, disk.root().join(name)).unwrap();
    }
    disk.put("a.md", "one").await.unwrap();
    disk.replace("a.md", "one", "two").await.unwrap();
    disk.backend.write_if(&at("MEMORY.md"), &super::text("index"), Expect::Anything, Care::Derived).await.unwrap();
    disk.backend.remove(&at("MEMORY.md")).await.unwrap();
    disk.backend.sweep(None).await.unwrap();
    disk.backend.remove(&at("a.md")).await.unwrap();
    assert_eq!(std::fs::read_to_string(&canary).unwrap(), "canary");
    assert!(unfinished(&disk.root()).is_empty());
}

#[tokio::test]
async fn a_failed_write_leaves_neither_file_nor_folder() {
    let disk = Disk::new(Modes::Private);
    disk.put("a.md", "a").await.unwrap();
    let long = format!("new/deep/{}.md", "n".repeat(300));
    assert!(disk.put(&long, "x").await.is_err());
    assert!(disk.put("a.md/below.md", "x").await.is_err());
    assert!(disk.put(&format!("new/{}/x.md", "n".repeat(300)), "x").await.is_err());
    assert!(!disk.root().join("new").exists(), "a folder was left");
    assert!(unfinished(&disk.root()).is_empty());
}

#[tokio::test]
async fn a_failed_rename_leaves_no_folder() {
    let disk = Disk::new(Modes::Private);
    disk.put("a.md", "a").await.unwrap();
    let long = at(&format!("new/{}/x.md", "n".repeat(300)));
    assert!(disk.backend.rename(&at("a.md"), &long).await.is_err());
    assert!(!disk.root().join("new").exists(), "a folder was left");
}
