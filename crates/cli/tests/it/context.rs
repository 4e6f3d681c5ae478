//! Context through the binary: whose it is, what it may cost, and what becomes of what cannot be read.

use crate::support::{G, P, doc, home};
use loci_testkit::home::write;

#[test]
fn a_session_of_another_project_is_another_session() {
    let home = home();
    home.create(&format!("{P}a.md"), &doc("Kestrel", "Kestrels of the first project."));
    let other = home.dir().join("other");
    std::fs::create_dir(&other).unwrap();
    let (there, session) = (other.to_str().unwrap(), ["--session", "s1"]);
    let asked = ["recall", "kestrels", "--no-model", "--session", "s1"];
    assert_eq!(home.json(&asked)["hits"].as_array().unwrap().len(), 1);
    assert!(home.ok(&[&["context"], &session[..]].concat()).contains("a.md"));
    assert!(!home.ok(&[&["context", "--project", there], &session[..]].concat()).contains("a.md"));
    let tool = format!("{{\"command\":\"create\",\"path\":\"{P}a.md\",\"file_text\":\"Kestrels of the second.\"}}");
    let created = home.loci(&["tool", "--project", there]);
    loci_testkit::home::Ran::of(created, tool.as_bytes()).ok();
    let hits = home.json(&[&asked[..], &["--project", there]].concat())["hits"].clone();
    assert_eq!(hits.as_array().unwrap().len(), 1, "shown in the other project only: {hits}");
}

#[test]
fn context_without_room_is_empty() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("A", "Something."));
    for budget in ["0", "1", "50"] {
        let given = home.json(&["context", "--budget", budget]);
        assert_eq!((&given["text"], &given["tokens"]), (&"".into(), &0.into()), "{budget}");
    }
    assert!(home.ok(&["context", "--budget", "600"]).contains("a.md"));
}

#[test]
fn a_scope_that_cannot_be_read_is_left_out_and_the_block_is_not_kept() {
    let home = home();
    home.create(&format!("{G}mine.md"), &doc("Mine", "Something."));
    home.create(&format!("{P}theirs.md"), &doc("Theirs", "Something else."));
    let project = std::fs::read_dir(home.home().join("projects")).unwrap().next().unwrap().unwrap().path();
    let (memory, aside) = (project.join("memory"), project.join("aside"));
    std::fs::rename(&memory, &aside).unwrap();
    write(&memory, "a file where a folder should be");
    let given = home.ok(&["context", "--session", "s"]);
    assert!(given.contains("mine.md") && !given.contains("theirs.md"), "{given}");
    std::fs::remove_file(&memory).unwrap();
    std::fs::rename(&aside, &memory).unwrap();
    assert!(home.ok(&["context", "--session", "s"]).contains("theirs.md"));
}

#[test]
fn a_stale_memory_in_the_hot_set_says_so() {
    let home = home();
    let file = write(&home.project().join("src/limits.rs"), "pub const RETRIES: u32 = 3;\n");
    home.create(&format!("{P}limits.md"), &doc("Limits", "They are in `src/limits.rs`."));
    assert!(!home.ok(&["context"]).contains("[stale"));
    std::fs::remove_file(file).unwrap();
    assert!(home.ok(&["context"]).contains("[stale: "));
}
