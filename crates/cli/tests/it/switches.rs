//! Off means off: at once, fully, and status says why.

use crate::support::{doc, home};
use loci_testkit::home::{Home, write};
use serde_json::json;

fn transcript(home: &Home) -> String {
    let line = json!({"id": "m0", "role": "user", "content": "Remember that the ferry leaves at seven from pier two."});
    write(&home.dir().join("t.jsonl"), &format!("{line}\n")).display().to_string()
}

/// A machine with two copies of one memory, and a transcript.
fn ready() -> (Home, String) {
    let home = home();
    home.create("/memories/global/user/a.md", &doc("a", "Plays the cello."));
    home.create("/memories/global/user/b.md", &doc("b", "Plays the cello."));
    let file = transcript(&home);
    (home, file)
}

#[test]
fn memory_off_stops_verbs_and_leaves_a_person_their_files() {
    let (home, file) = ready();
    home.edit("config.toml", "[memory]\nenabled = false\n");
    for args in [
        &["extract", &file, "--session", "s"][..],
        &["dream"],
        &["dream", "--dry-run"],
        &["remember", "the ferry leaves at seven"],
    ] {
        let failed = home.fails(args, 6);
        assert!(failed["error"].as_str().unwrap().contains("config.toml of the home"), "{failed}");
    }
    assert_eq!(home.json(&["dream", "--auto", "--session", "s"])["skippedReason"], "disabled");
    assert_eq!(home.json(&["context"]), json!({"text": "", "tokens": 0, "parts": []}));
    assert_eq!(home.json(&["recall", "cello"])["strategy"], "none");
    assert_eq!(home.list().len(), 2);
    assert!(home.ok(&["show", "global/user/a.md"]).contains("cello"));
    let status = home.json(&["status"]);
    assert_eq!((&status["switches"]["memory"], &status["switches"]["dream"]), (&json!(false), &json!(false)));
    assert_eq!(status["switchedOff"]["dream"], "memory.enabled = false in config.toml of the home");
    home.edit("config.toml", "");
    assert_eq!(home.json(&["dream"])["status"], "updated");
}

#[test]
fn a_switch_stops_machines_and_a_persons_own_command_runs() {
    let (home, file) = ready();
    home.edit("config.toml", "[dream]\nenabled = false\n[extract]\nenabled = false\n");
    assert_eq!(home.json(&["dream", "--auto", "--session", "s"])["skippedReason"], "disabled");
    assert_eq!(home.json(&["extract", &file, "--session", "s"])["status"], "updated");
    assert_eq!(home.json(&["dream"])["status"], "updated");
    let text = home.ok(&["status"]);
    assert!(text.contains("dream is off: dream.enabled = false in config.toml of the home"), "{text}");
}

#[test]
fn projects_and_sessions_have_their_own_switches() {
    let (home, _) = ready();
    write(&home.project().join(".loci/config.toml"), "[dream]\nenabled = false\n");
    assert_eq!(home.json(&["dream", "--auto", "--session", "s"])["skippedReason"], "disabled");
    let why = home.json(&["status"])["switchedOff"]["dream"].clone();
    assert_eq!(why, "dream.enabled = false in .loci/config.toml of the project");
    // A checkout can switch off, never on.
    home.edit("config.toml", "[dream]\nenabled = false\n");
    write(&home.project().join(".loci/config.toml"), "[dream]\nenabled = true\n");
    assert_eq!(home.json(&["dream", "--auto", "--session", "s"])["skippedReason"], "disabled");
    home.edit("config.toml", "");
    let off = ["dream", "--auto", "--session", "s", "--set", "dream.enabled=false"];
    assert_eq!(home.json(&off)["skippedReason"], "disabled");
    assert_eq!(
        home.json(&["status", "--set", "dream.enabled=false"])["switchedOff"]["dream"],
        "--set dream.enabled=false"
    );
    assert_eq!(home.json(&["dream", "--auto", "--session", "s"])["skippedReason"], "min_sessions");
}

#[test]
fn status_tells_the_last_run_or_why_there_was_none() {
    let (home, file) = ready();
    let never = home.json(&["status"]);
    assert_eq!((&never["extract"], &never["dream"]), (&json!(null), &json!(null)));
    home.json(&["extract", &file, "--session", "s7"]);
    home.json(&["dream", "--auto", "--session", "s7"]);
    let status = home.json(&["status"]);
    assert_eq!((&status["extract"]["session"], &status["extract"]["status"]), (&json!("s7"), &json!("updated")));
    assert_eq!(status["extract"]["topics"], json!(["project"]));
    assert_eq!(status["dream"]["skippedReason"], "min_sessions");
    let text = home.ok(&["status"]);
    assert!(text.contains("updated, 1 fact stored in project") && text.contains("skipped (min_sessions)"), "{text}");
}

#[test]
fn wrong_transcripts_are_told_apart() {
    let (home, file) = ready();
    home.fails(&["extract", "nowhere.jsonl", "--session", "s"], 3);
    home.fails(&["extract", &file, "--session", "s", "--format", "martian"], 2);
    home.fails(&["dream", "--apply", "nothing"], 3);
    home.fails(&["dream", "--discard", "nothing"], 3);
    assert_eq!(home.json(&["dream", "--review"]), json!({"proposals": []}));
}
