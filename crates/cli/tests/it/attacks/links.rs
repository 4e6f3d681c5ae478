//! Links, pipes, sockets and devices that somebody put into memory: refused at every door, at once, and never followed.

use super::doors::{CANARY, Door, House, by_a_model};
use crate::bad_paths::commands;
use crate::support::{G, delete, replace, view};
use loci_testkit::home::{documents, write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

/// The longest that an odd file may hold anybody up.
const SOON: Duration = Duration::from_secs(1);

/// Puts one of each kind into the global scope; the paths that lead to or through them.
fn plant(house: &House) -> Vec<String> {
    let (root, outside) = (house.home.global(), house.home.dir().join("outside"));
    symlink(&outside, root.join("folder")).unwrap();
    symlink(outside.join("canary.md"), root.join("file.md")).unwrap();
    symlink(outside.join("new.md"), root.join("dangling.md")).unwrap();
    symlink("loop.md", root.join("loop.md")).unwrap();
    symlink("/proc/self/environ", root.join("environment.md")).unwrap();
    assert!(Command::new("mkfifo").arg(root.join("pipe.md")).status().unwrap().success());
    drop(UnixListener::bind(root.join("socket.md")).unwrap());
    let mut paths = vec!["folder", "folder/canary.md", "folder/made.md", "file.md", "dangling.md", "loop.md"];
    paths.extend(["environment.md", "pipe.md", "pipe.md/x.md", "socket.md"]);
    // Only root makes devices; `/dev/zero` never ends.
    if Command::new("mknod").arg(root.join("zero.md")).args(["c", "1", "5"]).status().unwrap().success() {
        paths.push("zero.md");
    }
    paths.iter().map(|name| format!("{G}{name}")).collect()
}

#[test]
fn links_and_odd_files_are_refused_at_every_door() {
    let mut house = House::new();
    let (paths, before) = (plant(&house), house.outside());
    for door in Door::ALL {
        for call in paths.iter().flat_map(|path| commands(path)) {
            let answer = house.call(door, &call);
            assert!(!answer.done, "{door:?} {call}: {}", answer.words);
            assert!(answer.took < SOON, "{door:?} {call} took {:?}", answer.took);
            house.assert_tells_nothing(door, &call, &answer);
        }
        assert_eq!(house.outside(), before, "{door:?}");
    }
    for (path, words) in by_a_model(&house.home, &paths) {
        let nothing = words.starts_with("Error: ") || words == "Nothing was found.";
        assert!(nothing && !words.contains(CANARY), "{path}: {words}");
    }
    assert_eq!(house.outside(), before);
}

#[test]
fn memory_with_odd_files_in_it_is_listed_and_searched_at_once() {
    let mut house = House::new();
    plant(&house);
    let daemon = house.daemon();
    let start = std::time::Instant::now();
    let (status, listed) = daemon.ask("GET", "/memory/files", None);
    assert_eq!((status, listed["files"].as_array().unwrap().len()), (200, 1), "{listed}");
    assert_eq!(daemon.ask("POST", "/memory/recall", Some(&serde_json::json!({"query": CANARY}))).0, 200);
    assert_eq!(daemon.ask("GET", "/memory/context", None).0, 200);
    assert!(start.elapsed() < 3 * SOON, "{:?}", start.elapsed());
    for door in [Door::CommandLine, Door::Http, Door::Pipes, Door::McpOverHttp] {
        let answer = house.call(door, &view("/memories/global"));
        assert!(answer.done && answer.words.contains("real.md"), "{door:?}: {}", answer.words);
        assert!(answer.took < SOON, "{door:?} took {:?}", answer.took);
        house.assert_tells_nothing(door, &view("/memories/global"), &answer);
    }
}

#[test]
fn an_edit_of_a_hard_link_leaves_the_canary_alone_at_every_door() {
    let mut house = House::new();
    let canary = house.home.dir().join("outside/canary.md");
    let before = house.outside();
    for (number, door) in Door::ALL.into_iter().enumerate() {
        let name = format!("hard-{number}.md");
        std::fs::hard_link(&canary, house.home.global().join(&name)).unwrap();
        let answer = house.call(door, &replace(&format!("{G}{name}"), CANARY, "edited"));
        assert!(answer.done, "{door:?}: {}", answer.words);
        assert_eq!(house.outside(), before, "{door:?}");
    }
}

#[test]
fn a_folder_goes_with_its_links_and_their_targets_stay_at_every_door() {
    let mut house = House::new();
    let (root, outside) = (house.home.global(), house.home.dir().join("outside"));
    write(&outside.join("deep/er/canary.md"), CANARY);
    let before = house.outside();
    for (number, door) in Door::ALL.into_iter().enumerate() {
        let (name, files) = (format!("d{number}"), documents(&root));
        let folder = root.join(&name);
        write(&folder.join("a.md"), "a\n");
        write(&folder.join("sub/b.md"), "b\n");
        symlink(&outside, folder.join("folder")).unwrap();
        symlink(outside.join("deep"), folder.join("sub/deep")).unwrap();
        symlink(outside.join("canary.md"), folder.join("file.md")).unwrap();
        symlink(outside.join("none"), folder.join("dangling")).unwrap();
        symlink("../..", folder.join("sub/up")).unwrap();
        symlink("/", folder.join("sub/all")).unwrap();
        let call = delete(&format!("{G}{name}"));
        let answer = house.call(door, &call);
        house.assert_tells_nothing(door, &call, &answer);
        // The page removes one file at a time; no other door leaves anything.
        assert_eq!(answer.done, door != Door::Page, "{door:?}: {}", answer.words);
        assert_eq!(folder.symlink_metadata().is_ok(), door == Door::Page, "{door:?}");
        if door != Door::Page {
            assert_eq!(documents(&root), files, "{door:?}");
        }
        assert_eq!(house.outside(), before, "{door:?}");
    }
    house.home.ok(&["undo"]);
    assert_eq!(house.outside(), before, "by undo");
    house.home.ok(&["list"]);
}
