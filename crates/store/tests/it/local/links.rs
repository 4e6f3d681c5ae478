//! A link anywhere on a path is refused, wherever it points, by every operation.

use super::{Disk, at, snapshot, text};
use loci_domain::digest::Digest;
use loci_store::local::{Local, Modes};
use loci_store::{Backend, Care, Error, Expect, Show};
use std::os::unix::fs::symlink;

/// A root with links of every kind; their names.
fn linked() -> (Disk, Vec<&'static str>) {
    let disk = Disk::new(Modes::Private);
    let (root, outside) = (disk.root(), disk.outside());
    std::fs::create_dir(root.join("real")).unwrap();
    std::fs::write(root.join("real/f.md"), "inner").unwrap();
    std::fs::write(outside.join("f.md"), "canary").unwrap();
    symlink("real", root.join("to-inner-dir")).unwrap();
    symlink("real/f.md", root.join("to-inner-file")).unwrap();
    symlink(&outside, root.join("to-outer-dir")).unwrap();
    symlink(outside.join("f.md"), root.join("to-outer-file")).unwrap();
    symlink(outside.join("new"), root.join("dangling")).unwrap();
    symlink("../../outside", root.join("relative")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    let names = vec!["to-inner-dir", "to-inner-file", "to-outer-dir", "to-outer-file", "dangling", "relative", "loop"];
    (disk, names)
}

/// Every operation at `path`, with the names of those that were not refused as a link.
async fn not_refused(disk: &Disk, path: &str) -> Vec<&'static str> {
    let (backend, here) = (&disk.backend, at(path));
    let seen = Expect::Is(Digest::of(b"canary"));
    let inner = Expect::Is(Digest::of(b"inner"));
    let outcomes = [
        ("stat", backend.stat(Some(&here)).await.map(drop)),
        ("read", backend.read(&here, 1000).await.map(drop)),
        ("create", disk.put(path, "evil").await),
        ("replace", backend.write_if(&here, &text("evil"), seen, Care::Durable).await.map(drop)),
        ("replace inner", backend.write_if(&here, &text("evil"), inner, Care::Derived).await.map(drop)),
        ("remove", backend.remove(&here).await),
        ("rename from", backend.rename(&here, &at("elsewhere")).await),
        ("list", backend.list(Some(&here), Show::All, 10).await.map(drop)),
    ];
    outcomes.into_iter().filter(|(_, outcome)| !matches!(outcome, Err(Error::Link))).map(|(name, _)| name).collect()
}

#[tokio::test]
async fn a_link_itself_is_refused_by_every_operation() {
    let (disk, links) = linked();
    let before = snapshot(disk.dir.path());
    for link in links {
        assert_eq!(not_refused(&disk, link).await, Vec::<&str>::new(), "{link}");
        let onto = disk.backend.rename(&at("real/f.md"), &at(link)).await;
        assert!(matches!(onto, Err(Error::Link | Error::Exists)), "rename onto {link}: {onto:?}");
        assert_eq!(snapshot(disk.dir.path()), before, "{link}");
    }
}

#[tokio::test]
async fn a_path_through_a_link_is_refused_by_every_operation() {
    let (disk, _) = linked();
    let before = snapshot(disk.dir.path());
    for link in ["to-inner-dir", "to-outer-dir", "dangling", "relative", "loop"] {
        for inner in ["f.md", "new.md", "deep/er/new.md"] {
            let path = format!("{link}/{inner}");
            assert_eq!(not_refused(&disk, &path).await, Vec::<&str>::new(), "{path}");
            let onto = disk.backend.rename(&at("real/f.md"), &at(&path)).await;
            assert!(matches!(onto, Err(Error::Link)), "rename to {path}: {onto:?}");
            let sweep = disk.backend.sweep(Some(&at(link))).await;
            assert!(matches!(sweep, Err(Error::Link)), "sweep {link}: {sweep:?}");
            assert_eq!(snapshot(disk.dir.path()), before, "{path}");
        }
    }
}

#[tokio::test]
async fn links_are_not_listed_but_told() {
    let (disk, mut links) = linked();
    assert_eq!(disk.names().await, ["real/f.md"]);
    links.sort_unstable();
    assert_eq!(disk.refused().await, links);
}

#[tokio::test]
async fn removing_a_folder_takes_its_links_and_leaves_their_targets() {
    let disk = Disk::new(Modes::Private);
    std::fs::write(disk.outside().join("f.md"), "canary").unwrap();
    disk.put("d/e/a.md", "a").await.unwrap();
    symlink(disk.outside(), disk.root().join("d/e/out")).unwrap();
    symlink(disk.outside().join("f.md"), disk.root().join("d/f.md")).unwrap();
    disk.backend.remove(&at("d")).await.unwrap();
    assert!(!disk.root().join("d").exists());
    assert_eq!(std::fs::read_to_string(disk.outside().join("f.md")).unwrap(), "canary");
    assert_eq!(loci_testkit::home::unfinished(&disk.root()), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_root_that_is_a_link_is_refused_and_an_anchor_that_is_one_is_resolved_once() {
    let dir = tempfile::tempdir().unwrap();
    let (home, outside) = (dir.path().join("home"), dir.path().join("outside"));
    std::fs::create_dir(&home).unwrap();
    std::fs::create_dir(&outside).unwrap();
    symlink(&outside, home.join("memory")).unwrap();
    let rooted = Local::new(home.clone(), &["memory"], Modes::Private);
    for outcome in [
        rooted.stat(None).await.map(drop),
        rooted.list(None, Show::Visible, 10).await.map(drop),
        rooted.write_if(&at("a.md"), &text("x"), Expect::Absent, Care::Durable).await.map(drop),
    ] {
        assert!(matches!(outcome, Err(Error::Link)), "{outcome:?}");
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);

    symlink(&home, dir.path().join("way")).unwrap();
    std::fs::remove_file(home.join("memory")).unwrap();
    let anchored = Local::new(dir.path().join("way"), &["memory"], Modes::Private);
    std::fs::remove_file(dir.path().join("way")).unwrap();
    symlink(&outside, dir.path().join("way")).unwrap();
    anchored.write_if(&at("a.md"), &text("x"), Expect::Absent, Care::Durable).await.unwrap();
    assert!(home.join("memory/a.md").is_file());
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0, "the link was followed after it had been resolved");
}

#[tokio::test]
async fn an_edit_of_a_hard_link_leaves_the_other_name_alone() {
    let disk = Disk::new(Modes::Private);
    let canary = disk.outside().join("canary.md");
    std::fs::write(&canary, "canary").unwrap();
    std::fs::hard_link(&canary, disk.root().join("h.md")).unwrap();
    disk.replace("h.md", "canary", "edited").await.unwrap();
    assert_eq!(std::fs::read_to_string(&canary).unwrap(), "canary");
    assert_eq!(std::fs::read_to_string(disk.root().join("h.md")).unwrap(), "edited");
}
