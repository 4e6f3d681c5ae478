//! A person with an editor: Loci notices, writes it down, and never fights.

use crate::support::{G, assert_healthy, doc, home, is_change, replace, view};
use loci_testkit::home::documents;

#[test]
fn what_an_editor_does_is_listed_and_journaled() {
    let home = home();
    let path = format!("{G}a.md");
    home.edit("memory/a.md", &doc("Alpha", "first"));
    let row = home.row(&path);
    assert_eq!((&row["name"], &row["origin"], &row["uses"]), (&"Alpha".into(), &"editor".into(), &0.into()));
    assert_eq!(row["trust"], "trusted", "a person's own home is trusted");

    home.edit("memory/a.md", &doc("Beta", "second"));
    assert_eq!(home.row(&path)["name"], "Beta");
    assert!(home.did(view("/memories/global/MEMORY.md")).contains("[Beta](a.md)"), "the index follows");

    std::fs::remove_file(home.global().join("a.md")).unwrap();
    assert!(!home.list().contains_key(&path));
    let log = home.log();
    assert_eq!(log.len(), 3, "{log:#?}");
    for (change, op) in log.iter().zip(["delete", "modify", "create"]) {
        assert!(is_change(change, "editor", op, &path), "{change} should be {op}");
    }
    assert_healthy(&home);
}

#[test]
fn an_edit_of_the_same_size_right_after_a_write_is_seen() {
    let home = home();
    let path = format!("{G}a.md");
    for round in 0..10 {
        let (made, edited) = (format!("made {round}\n"), format!("edit {round}\n"));
        home.create(&path, &made);
        home.edit("memory/a.md", &edited);
        assert_eq!(home.ok(&["show", "global/a.md"]), edited);
        assert!(is_change(&home.log()[0], "editor", "modify", &path), "round {round}: {}", home.log()[0]);
        home.ok(&["rm", "global/a.md"]);
    }
}

#[test]
fn an_edit_between_two_calls_of_one_process_is_journaled_before_it_is_built_upon() {
    let home = home();
    let path = format!("{G}a.md");
    let mut tool = home.tool(&[]);
    tool.call(&loci_testkit::home::create(&path, "made\n")).unwrap();
    home.edit("memory/a.md", "a person wrote this\n");
    let answer = tool.call(&replace(&path, "person", "human")).unwrap();
    assert_eq!(answer["success"], true, "{answer}");
    drop(tool);
    let log = home.log();
    let told: Vec<(&str, &str)> =
        log.iter().map(|change| (change["actor"].as_str().unwrap(), change["op"].as_str().unwrap())).collect();
    assert_eq!(told, [("agent", "modify"), ("editor", "modify"), ("agent", "create")]);
    home.ok(&["undo"]);
    assert_eq!(documents(&home.global())["a.md"], "a person wrote this\n");
}

#[test]
fn a_pin_and_usage_survive_a_rename_by_hand() {
    let home = home();
    home.create(&format!("{G}old.md"), &doc("Old", "pinned"));
    home.did(view(&format!("{G}old.md")));
    home.ok(&["pin", "global/old.md"]);
    std::fs::create_dir(home.global().join("d")).unwrap();
    std::fs::rename(home.global().join("old.md"), home.global().join("d/new.md")).unwrap();
    let row = home.row(&format!("{G}d/new.md"));
    assert_eq!((&row["pinned"], &row["uses"], &row["origin"]), (&true.into(), &2.into(), &"agent".into()));
    let last = &home.log()[0];
    assert!(is_change(last, "editor", "rename", &format!("{G}old.md")), "{last}");
    assert_eq!(last["newPath"], format!("{G}d/new.md"));
}

#[test]
fn a_folder_renamed_by_hand_keeps_what_is_known_of_its_files() {
    let home = home();
    for number in 0..5 {
        home.create(&format!("{G}d/{number}.md"), &format!("text {number}\n"));
    }
    home.ok(&["pin", "global/d/3.md"]);
    std::fs::rename(home.global().join("d"), home.global().join("e")).unwrap();
    let listed = home.list();
    assert_eq!(listed.len(), 5);
    assert_eq!(listed[&format!("{G}e/3.md")]["pinned"], true);
    assert_healthy(&home);
}

#[test]
fn twins_keep_their_own_pins() {
    let home = home();
    home.create(&format!("{G}a.md"), "same\n");
    home.create(&format!("{G}b.md"), "same\n");
    home.ok(&["pin", "global/b.md"]);
    std::fs::remove_file(home.global().join("a.md")).unwrap();
    home.edit("memory/c.md", "same\n");
    let listed = home.list();
    assert_eq!(listed[&format!("{G}b.md")]["pinned"], true);
    assert_eq!(listed[&format!("{G}c.md")]["pinned"], false);
}

#[test]
fn a_memory_that_cannot_be_read_is_not_an_empty_one() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    home.ok(&["pin", "global/a.md"]);
    let away = home.dir().join("away");
    std::fs::rename(home.global(), &away).unwrap();
    std::fs::write(home.global(), "not a folder").unwrap();
    let ran = home.run(&["list", "--json"]);
    std::fs::remove_file(home.global()).unwrap();
    std::fs::rename(&away, home.global()).unwrap();
    assert_ne!(ran.exit, Some(0), "a file in place of the folder was taken for an empty memory: {}", ran.stdout);
    assert_eq!(home.row(&format!("{G}a.md"))["pinned"], true, "the pin was dropped");
}

#[test]
fn a_folder_wiped_while_nobody_looked_can_be_brought_back_from_the_journal() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    home.ok(&["list"]);
    std::fs::remove_dir_all(home.global()).unwrap();
    assert_eq!(home.list().len(), 0);
    let log = home.log();
    assert!(is_change(&log[0], "editor", "delete", &format!("{G}a.md")), "{}", log[0]);
    home.ok(&["undo", log[0]["id"].as_str().unwrap()]);
    assert_eq!(documents(&home.global())["a.md"], "a\n");
}

#[test]
fn a_memory_index_written_by_hand_is_replaced_and_its_words_are_kept() {
    let home = home();
    home.edit("memory/MEMORY.md", "# My own notes\n\nremember the milk\n");
    home.create(&format!("{G}a.md"), &doc("Alpha", "a"));
    let index = std::fs::read_to_string(home.global().join("MEMORY.md")).unwrap();
    assert_eq!(index, "- [Alpha](a.md) — about Alpha\n");
    let log = home.log();
    let kept = log.iter().find(|change| change["path"] == format!("{G}MEMORY.md"));
    assert!(kept.is_some_and(|change| change["actor"] == "editor"), "{log:#?}");
}

#[test]
fn the_first_documents_of_a_home_are_filed_once() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("Alpha", "first"));
    home.create(&format!("{G}b.md"), &doc("Beta", "second"));
    let numbers = || -> Vec<i64> {
        let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
        let mut rows = ledger.prepare("SELECT id FROM documents ORDER BY path").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let before = numbers();
    home.ok(&["list"]);
    assert_eq!(numbers(), before, "a scan makes no row again that today's rules made");
}
