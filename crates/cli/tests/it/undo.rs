//! Undo, redo, restore: everything can be taken back, and nothing that came later is overwritten.

use crate::support::{G, assert_healthy, delete, home, insert, rename, replace};
use loci_testkit::home::{Home, changes, documents};
use serde_json::Value;
use std::collections::BTreeMap;

fn files(home: &Home) -> BTreeMap<String, String> {
    documents(&home.global())
}

fn id(change: &Value) -> &str {
    change["id"].as_str().unwrap()
}

fn folder_of_three(home: &Home) -> BTreeMap<String, String> {
    for name in ["d/a.md", "d/sub/b.md", "d/sub/c.md", "other.md"] {
        home.create(&format!("{G}{name}"), &format!("text of {name}\n"));
    }
    files(home)
}

#[test]
fn undo_again_goes_to_the_next_older_group_until_nothing_is_left() {
    let home = home();
    let path = format!("{G}a.md");
    home.create(&path, "one\n");
    home.did(replace(&path, "one", "two"));
    home.did(insert(&path, 1, "three"));
    home.ok(&["undo"]);
    assert_eq!(files(&home)["a.md"], "two\n");
    home.ok(&["undo"]);
    assert_eq!(files(&home)["a.md"], "one\n");
    home.ok(&["undo"]);
    assert!(files(&home).is_empty());
    assert_eq!(home.fails(&["undo"], 3)["code"], "nothing_to_undo");
    assert!(files(&home).is_empty());
    assert!(home.log()[..3].iter().all(|change| change["actor"] == "user"), "an undo is a person's");
    assert_healthy(&home);
}

#[test]
fn an_undo_is_taken_back_by_its_id() {
    let home = home();
    let path = format!("{G}a.md");
    home.create(&path, "one\n");
    home.did(replace(&path, "one", "two"));
    home.ok(&["undo"]);
    let undo = home.log().remove(0);
    home.ok(&["undo", id(&undo)]);
    assert_eq!(files(&home)["a.md"], "two\n", "redone");
    let redo = home.log().remove(0);
    home.ok(&["undo", id(&redo)]);
    assert_eq!(files(&home)["a.md"], "one\n", "and undone once more");
    home.ok(&["undo"]);
    assert!(files(&home).is_empty(), "a plain undo goes on with what is not undone: the create");
}

#[test]
fn a_deleted_folder_comes_back_whole_with_one_undo() {
    let home = home();
    let before = folder_of_three(&home);
    home.ok(&["pin", "global/d/a.md"]);
    home.did(delete(&format!("{G}d")));
    assert_eq!(files(&home).len(), 1);
    let taken = changes(&home.json(&["undo"]));
    assert_eq!(taken.len(), 3, "{taken:#?}");
    assert_eq!(files(&home), before);
    assert_eq!(home.list().len(), 4);
    home.ok(&["undo", home.log()[0]["group"].as_str().unwrap()]);
    assert_eq!(files(&home).len(), 1, "the undo is taken back as a group");
    assert_healthy(&home);
}

#[test]
fn a_renamed_folder_goes_back_with_one_undo() {
    let home = home();
    let before = folder_of_three(&home);
    home.did(rename(&format!("{G}d"), &format!("{G}e/f")));
    assert_eq!(files(&home).keys().collect::<Vec<_>>(), ["e/f/a.md", "e/f/sub/b.md", "e/f/sub/c.md", "other.md"]);
    home.ok(&["undo"]);
    assert_eq!(files(&home), before);
    home.ok(&["undo", home.log()[0]["group"].as_str().unwrap()]);
    assert_eq!(files(&home).len(), 4);
    assert!(files(&home).contains_key("e/f/sub/c.md"));
    assert_healthy(&home);
}

#[test]
fn a_group_is_taken_back_as_a_whole_or_not_at_all() {
    let home = home();
    folder_of_three(&home);
    home.did(delete(&format!("{G}d")));
    home.edit("memory/d/sub/b.md", "a person wrote this\n");
    let before = files(&home);
    assert_eq!(home.fails(&["undo"], 4)["code"], "conflict");
    assert_eq!(files(&home), before, "nothing of the group came back");
}

#[test]
fn one_change_of_a_group_is_taken_back_by_its_id() {
    let home = home();
    folder_of_three(&home);
    home.did(delete(&format!("{G}d")));
    let log = home.log();
    let b = log.iter().find(|change| change["op"] == "delete" && change["path"] == format!("{G}d/sub/b.md")).unwrap();
    home.ok(&["undo", id(b)]);
    assert_eq!(files(&home).keys().collect::<Vec<_>>(), ["d/sub/b.md", "other.md"]);
    home.ok(&["undo"]);
    assert_eq!(files(&home).len(), 4, "the rest of the group is what a plain undo takes back");
}

#[test]
fn an_editors_change_is_never_overwritten_by_undo() {
    let home = home();
    let path = format!("{G}a.md");
    home.create(&path, "one\n");
    home.did(replace(&path, "one", "two"));
    home.edit("memory/a.md", "a person's own\n");
    let modified =
        home.log().into_iter().find(|change| change["op"] == "modify" && change["actor"] == "agent").unwrap();
    for args in [&["undo"][..], &["undo", id(&modified)]] {
        let failure = home.fails(args, 4);
        assert!(failure["error"].as_str().unwrap().contains(&path), "{failure}");
        assert_eq!(files(&home)["a.md"], "a person's own\n");
    }
    std::fs::remove_file(home.global().join("a.md")).unwrap();
    home.fails(&["undo"], 4);
    assert!(files(&home).is_empty());
}

#[test]
fn a_rename_is_not_undone_onto_a_new_file() {
    let home = home();
    home.create(&format!("{G}a.md"), "old\n");
    home.did(rename(&format!("{G}a.md"), &format!("{G}b.md")));
    home.edit("memory/a.md", "new\n");
    home.fails(&["undo"], 4);
    assert_eq!(files(&home)["a.md"], "new\n");
    assert_eq!(files(&home)["b.md"], "old\n");
}

#[test]
fn an_unknown_id_is_not_found_and_changes_nothing() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    assert_eq!(home.fails(&["undo", "01zzzzzzzzzzzzzzzzzzzzzzzz"], 3)["code"], "no_such_change");
    assert_eq!(home.fails(&["restore", "global/a.md", "--at", "nonsense"], 3)["code"], "no_such_change");
    assert_eq!(files(&home)["a.md"], "one\n");
}

#[test]
fn restore_brings_the_state_after_a_change_and_undo_takes_that_back() {
    let home = home();
    let path = format!("{G}a.md");
    home.create(&path, "one\n");
    home.did(replace(&path, "one", "two"));
    home.did(replace(&path, "two", "three"));
    home.ok(&["rm", "global/a.md"]);
    let log = home.log();
    let [removed, three, two, one] = log.as_slice() else { panic!("{log:#?}") };
    for (change, expected) in [(two, "two\n"), (one, "one\n"), (three, "three\n")] {
        home.ok(&["restore", "global/a.md", "--at", id(change)]);
        assert_eq!(files(&home)["a.md"], expected);
    }
    home.ok(&["restore", "global/a.md", "--at", id(removed)]);
    assert!(files(&home).is_empty(), "the state after the removal is no file");
    home.ok(&["undo"]);
    assert_eq!(files(&home)["a.md"], "three\n");
    assert_healthy(&home);
}

#[test]
fn a_restore_keeps_what_an_editor_wrote_in_the_journal() {
    let home = home();
    let path = format!("{G}a.md");
    home.create(&path, "one\n");
    let made = home.log().remove(0);
    home.edit("memory/a.md", "a person's own\n");
    home.ok(&["restore", "global/a.md", "--at", id(&made)]);
    assert_eq!(files(&home)["a.md"], "one\n");
    home.ok(&["undo"]);
    assert_eq!(files(&home)["a.md"], "a person's own\n");
}

#[test]
fn a_restore_of_another_file_is_refused() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    home.create(&format!("{G}b.md"), "b\n");
    let made = home.log().remove(0);
    home.fails(&["restore", "global/a.md", "--at", id(&made)], 3);
    assert_eq!(files(&home)["a.md"], "a\n");
}

#[test]
fn a_folder_deleted_with_files_that_memory_does_not_name_loses_none_of_them() {
    let home = home();
    home.create(&format!("{G}d/a.md"), "a\n");
    home.edit("memory/d/bad<name.md", "a person's own\n");
    home.edit("memory/d/.hidden", "hidden\n");
    let answer = home.tools(&[delete(&format!("{G}d"))]).remove(0);
    if answer["success"] == true {
        home.ok(&["undo"]);
    }
    let kept = loci_testkit::home::tree(&home.global().join("d"));
    let kept: Vec<(&str, &[u8])> = kept.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    assert_eq!(kept, [(".hidden", &b"hidden\n"[..]), ("a.md", b"a\n"), ("bad<name.md", b"a person's own\n")]);
}

#[test]
fn undo_brings_a_large_file_of_an_editor_back() {
    let home = home();
    let large = "x".repeat(300_000);
    home.edit("memory/big.md", &large);
    home.ok(&["rm", "global/big.md"]);
    assert!(files(&home).is_empty());
    home.ok(&["undo"]);
    assert_eq!(files(&home)["big.md"], large);
}

#[test]
fn undo_keeps_bytes_that_are_no_text() {
    let home = home();
    let bytes = [0xff, 0xfe, 0, 1, 2, b'\r', b'\n'];
    home.edit("memory/d/ok.md", "ok\n");
    std::fs::write(home.global().join("d/bin.md"), bytes).unwrap();
    home.did(delete(&format!("{G}d")));
    home.ok(&["undo"]);
    assert_eq!(std::fs::read(home.global().join("d/bin.md")).unwrap(), bytes);
}

#[test]
fn the_log_of_a_folder_and_of_a_scope_has_what_lies_below() {
    let home = home();
    folder_of_three(&home);
    home.did(rename(&format!("{G}other.md"), &format!("{G}d/other.md")));
    let of = |path: &str| changes(&home.json(&["log", path])).len();
    assert_eq!(of("global/d"), 4);
    assert_eq!(of("global/d/sub/"), 2);
    assert_eq!(of("/memories/global"), 5);
    assert_eq!(of("/memories"), 5);
    assert_eq!(of("global/nothing"), 0);
}

#[test]
fn a_file_can_be_restored_to_what_a_group_left() {
    let home = home();
    let before = folder_of_three(&home);
    home.did(delete(&format!("{G}d")));
    home.ok(&["undo"]);
    let back = home.log()[0]["group"].as_str().unwrap().to_owned();
    home.did(replace(&format!("{G}d/a.md"), "text", "word"));
    home.ok(&["restore", "global/d/a.md", "--at", &back]);
    assert_eq!(files(&home), before);
    assert_eq!(home.fails(&["restore", "global/other.md", "--at", &back], 3)["code"], "not_found");
    assert_eq!(home.fails(&["restore", "global/d/a.md", "--at", "nothing"], 3)["code"], "no_such_change");
}

#[test]
fn roots_and_folders_are_named_as_what_they_are() {
    let home = home();
    folder_of_three(&home);
    for (args, says) in [
        (&["rm", "/memories/global"][..], "Cannot delete the /memories/global directory itself"),
        (&["rm", "/memories"], "Cannot delete the /memories directory itself"),
        (&["mv", "global", "global/x"], "Cannot rename the /memories/global directory itself"),
        (&["pin", "global/d"], "/memories/global/d is a folder"),
        (&["trust", "global/d"], "/memories/global/d is a folder"),
    ] {
        let ran = home.run(args);
        assert!(ran.exit != Some(0) && ran.stderr.contains(says), "{args:?}: {}", ran.stderr);
    }
}
