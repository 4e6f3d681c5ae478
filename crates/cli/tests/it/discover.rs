//! Sessions that agents keep on this machine: found where each agent keeps them, imported only when a person says so.

use crate::support::home;
use loci_testkit::home::{Home, Ran, write};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each agent, its sample, and where below the home it keeps such a file.
const AGENTS: [(&str, &str, &str); 5] = [
    ("claude-code", "claude-code.jsonl", ".claude/projects/-work/sample-7d1c.jsonl"),
    ("codex", "codex.jsonl", ".codex/sessions/2026/03/05/rollout-2026-03-05T08-00-00-sample-01a2.jsonl"),
    ("qwen-code", "qwen-code.jsonl", ".qwen/projects/-work/chats/sample-9b3e.jsonl"),
    ("gemini-cli", "gemini-cli.json", ".gemini/tmp/calendar/chats/session-2026-03-05T08-00-sample.json"),
    ("oh-my-pi", "oh-my-pi.jsonl", ".omp/agent/sessions/--work--/2026-03-05T08-00-00-000Z_sample-5e22.jsonl"),
];

/// A sample as an agent wrote it in this directory.
fn sample(name: &str, directory: &Path) -> String {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../domain/src/transcript/samples");
    let text = std::fs::read_to_string(samples.join(name)).unwrap();
    text.replace("/srv/calendar", directory.to_str().unwrap())
}

/// OpenCode's storage, from its export.
fn storage(below: &Path, directory: &Path) {
    let text = sample("opencode.json", directory).replace("\"parts\":{}", "\"parts\":[]");
    let export: Value = serde_json::from_str(&text).unwrap();
    let put = |path: String, value: &Value| write(&below.join("opencode/storage").join(path), &value.to_string());
    put("session/p/sample-ses.json".to_owned(), &export["info"]);
    for message in export["messages"].as_array().unwrap() {
        let id = message["info"]["id"].as_str().unwrap();
        put(format!("message/sample-ses/{id}.json"), &message["info"]);
        for part in message["parts"].as_array().unwrap() {
            put(format!("part/{id}/{}.json", part["id"].as_str().unwrap()), part);
        }
    }
}

/// Every agent keeps one session of this directory.
fn machine(directory: impl Fn(&Home) -> PathBuf) -> (Home, PathBuf) {
    let home = home();
    let directory = directory(&home);
    for (_, name, place) in AGENTS {
        write(&home.dir().join(place), &sample(name, &directory));
    }
    write(&home.dir().join(".gemini/tmp/calendar/.project_root"), directory.to_str().unwrap());
    storage(&home.dir().join(".local/share"), &directory);
    (home, directory)
}

fn agents(found: &Value) -> BTreeSet<String> {
    found["found"].as_array().unwrap().iter().map(|one| one["agent"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_agents_keep_is_shown_and_taken_in_only_on_request() {
    let (home, directory) = machine(|home| home.repository("other"));
    let found = home.json(&["session", "import", "--discover"]);
    let all = ["claude-code", "codex", "gemini-cli", "oh-my-pi", "opencode", "qwen-code"].map(str::to_owned);
    assert_eq!(agents(&found), BTreeSet::from(all));
    for one in found["found"].as_array().unwrap() {
        let title = if one["agent"] == "codex" { "We decided to ship on Thursdays." } else { "Release day" };
        // A title may stand behind what is looked at; then it is what was said first.
        assert!([title, "We decided to ship on Thursdays."].contains(&one["title"].as_str().unwrap()), "{one}");
        assert_eq!((&one["directory"], &one["imported"]), (&json!(directory), &json!(false)), "{one}");
    }
    assert_eq!((&found["imported"], &home.json(&["session", "list"])["sessions"]), (&json!(0), &json!([])));
    let taken = home.json(&["session", "import", "--discover", "--yes"]);
    assert_eq!((&taken["imported"], &taken["messages"]), (&json!(6), &json!(31)));
    for session in home.json(&["session", "list"])["sessions"].as_array().unwrap() {
        assert_eq!(session["project"], json!(format!("project:{}", directory.display())), "{session}");
        let title = if session["format"] == "codex" { "We decided to ship on Thursdays." } else { "Release day" };
        assert_eq!(session["title"], title, "{session}");
    }
    let again = home.json(&["session", "import", "--discover", "--yes"]);
    assert_eq!((&again["imported"], &again["messages"]), (&json!(0), &json!(0)));
    assert!(again["found"].as_array().unwrap().iter().all(|one| one["imported"] == true));
    // Another project does not see what was said there.
    assert_eq!(home.json(&["recall", "--sessions", "ship on Thursdays", "--no-model"])["hits"], json!([]));
    let there = home.run_in(&directory, &["recall", "--sessions", "ship on Thursdays", "--no-model", "--json"]).ok();
    assert!(there.contains("We decided to ship on Thursdays."), "{there}");
}

#[test]
fn a_session_of_a_place_that_is_gone_stays_out() {
    let (home, _) = machine(|home| home.dir().join("gone"));
    let taken = home.json(&["session", "import", "--discover", "--yes"]);
    assert_eq!((&taken["imported"], taken["leftOut"].as_array().unwrap().len()), (&json!(0), 6), "{taken}");
    // Who names the file has it here.
    let file = home.dir().join(AGENTS[0].2);
    assert_eq!(home.json(&["session", "import", file.to_str().unwrap()])["imported"], 1);
    assert_eq!(
        home.json(&["recall", "--sessions", "ship on Thursdays", "--no-model"])["hits"][0]["session"],
        "sample-7d1c"
    );
}

#[test]
fn a_project_that_is_named_narrows_it_down() {
    let (home, directory) = machine(|home| home.repository("other"));
    let other = home.repository("third");
    write(&home.dir().join(".claude/projects/-third/mine.jsonl"), &sample("claude-code.jsonl", &other));
    for (project, sessions) in [(&other, 1), (&directory, 6)] {
        let found = home.json(&["session", "import", "--discover", "--project", project.to_str().unwrap()]);
        assert_eq!(found["found"].as_array().unwrap().len(), sessions, "{}", project.display());
    }
}

#[test]
fn agents_are_found_where_their_settings_say() {
    let home = home();
    let moved = home.dir().join("moved");
    for (name, to) in [
        ("claude-code.jsonl", "cc/projects/-w/a.jsonl"),
        ("codex.jsonl", "cx/archived_sessions/rollout-1.jsonl"),
        ("qwen-code.jsonl", "qw/projects/-w/chats/b.jsonl"),
        ("gemini-cli.json", "gm/.gemini/tmp/x/chats/session-1.json"),
        ("oh-my-pi.jsonl", "om/sessions/-w/c.jsonl"),
    ] {
        write(&moved.join(to), &sample(name, home.project()));
    }
    storage(&moved.join("data"), home.project());
    let mut command = home.loci(&["session", "import", "--discover", "--json"]);
    for (variable, folder) in [
        ("CLAUDE_CONFIG_DIR", "cc"),
        ("CODEX_HOME", "cx"),
        ("QWEN_RUNTIME_DIR", "qw"),
        ("GEMINI_CLI_HOME", "gm"),
        ("PI_CODING_AGENT_DIR", "om"),
        ("XDG_DATA_HOME", "data"),
    ] {
        command.env(variable, moved.join(folder));
    }
    let found: Value = serde_json::from_str(&Ran::of(command, b"").ok()).unwrap();
    assert_eq!(agents(&found).len(), 6, "{found}");
}

#[test]
fn what_is_no_session_of_a_person_is_not_shown() {
    let home = home();
    let here = home.project();
    write(&home.dir().join(".claude/projects/-w/agent-1.jsonl"), &sample("claude-code.jsonl", here));
    write(&home.dir().join(".claude/projects/-w/empty.jsonl"), "");
    let chat = sample("gemini-cli.json", here).replace("\"projectHash\"", "\"kind\": \"subagent\",\n  \"projectHash\"");
    write(&home.dir().join(".gemini/tmp/x/chats/session-1.json"), &chat);
    std::os::unix::fs::symlink("/etc/hostname", home.dir().join(".claude/projects/-w/link.jsonl")).unwrap();
    write(&home.dir().join(".local/share/opencode/opencode.db"), "SQLite format 3");
    let found = home.json(&["session", "import", "--discover"]);
    assert_eq!(found["found"], json!([]));
    let left = found["leftOut"].as_array().unwrap();
    assert!(left.len() == 1 && left[0]["why"].as_str().unwrap().contains("opencode export"), "{found}");
    home.fails(&["session", "import", "--yes"], 2);
    home.fails(&["session", "import", "--discover", "x.jsonl"], 2);
}

/// The format and the name come from the transcript itself, and nothing of tools' or models' thoughts is found.
#[test]
fn a_format_is_known_by_its_looks() {
    let home = home();
    for (_, name, _) in AGENTS {
        let file = write(&home.dir().join("in").join(name), &sample(name, home.project()));
        let imported = home.json(&["session", "import", file.to_str().unwrap()]);
        assert_eq!((&imported["imported"], &imported["skippedLines"]), (&json!(1), &json!(1)), "{name}");
    }
    let file = write(&home.dir().join("in/export.json"), &sample("opencode.json", home.project()));
    home.ok(&["session", "import", file.to_str().unwrap()]);
    let rows = home.json(&["session", "list"]);
    let formats: BTreeSet<&str> =
        rows["sessions"].as_array().unwrap().iter().map(|row| row["format"].as_str().unwrap()).collect();
    assert_eq!(formats.len(), 6, "{rows}");
    assert!(!rows.to_string().contains("secret thought"));
    for session in ["sample-01a2", "sample-4f70", "sample-ses", "sample-5e22", "claude-code", "qwen-code"] {
        let shown = home.json(&["session", "show", session]);
        assert!(!shown.to_string().contains("secret thought"), "{session}");
        assert_eq!(shown["messages"][0]["content"], "We decided to ship on Thursdays.", "{session}");
    }
}
