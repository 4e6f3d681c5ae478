//! Who may read what: private in a home whatever the umask, as the umask says in a checkout.
//!
//! The umask belongs to the process, so everything about it is one test.

use super::{Disk, text};
use loci_store::local::{Local, Modes};
use loci_store::{Backend, Care, Expect};
use rustix::fs::Mode;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

#[tokio::test]
async fn modes_follow_the_root_and_the_umask() {
    for umask in [0o000, 0o022, 0o077, 0o777] {
        rustix::process::umask(Mode::from_raw_mode(0o022));
        let dir = tempfile::tempdir().unwrap();
        let home = Local::new(dir.path().join("home"), &["memory"], Modes::Private);
        rustix::process::umask(Mode::from_raw_mode(umask));
        let written = home.write_if(&super::at("d/e/a.md"), &text("a"), Expect::Absent, Care::Durable).await;
        let moved = home.rename(&super::at("d/e/a.md"), &super::at("n/m/a.md")).await;
        rustix::process::umask(Mode::from_raw_mode(0o022));
        written.unwrap();
        moved.unwrap();
        for folder in ["home", "home/memory", "home/memory/d", "home/memory/d/e", "home/memory/n", "home/memory/n/m"] {
            assert_eq!(mode(&dir.path().join(folder)), 0o700, "{folder} under umask {umask:o}");
        }
        assert_eq!(mode(&dir.path().join("home/memory/n/m/a.md")), 0o600, "under umask {umask:o}");
    }
    let disk = Disk::new(Modes::Umask);
    rustix::process::umask(Mode::from_raw_mode(0o027));
    let written = disk.put("d/a.md", "a").await;
    rustix::process::umask(Mode::from_raw_mode(0o022));
    written.unwrap();
    assert_eq!(mode(&disk.root().join("d")), 0o750);
    assert_eq!(mode(&disk.root().join("d/a.md")), 0o640);
}

#[tokio::test]
async fn an_edit_keeps_the_mode_of_a_file_in_a_checkout() {
    let disk = Disk::new(Modes::Umask);
    disk.put("a.md", "a").await.unwrap();
    std::fs::set_permissions(disk.root().join("a.md"), PermissionsExt::from_mode(0o664)).unwrap();
    disk.replace("a.md", "a", "b").await.unwrap();
    assert_eq!(mode(&disk.root().join("a.md")), 0o664);
}

#[tokio::test]
async fn an_edit_makes_a_file_of_the_home_private_again() {
    let disk = Disk::new(Modes::Private);
    disk.put("a.md", "a").await.unwrap();
    std::fs::set_permissions(disk.root().join("a.md"), PermissionsExt::from_mode(0o666)).unwrap();
    disk.replace("a.md", "a", "b").await.unwrap();
    assert_eq!(mode(&disk.root().join("a.md")), 0o600);
}
