//! An agent's hooks: context, recall, and what becomes of a turn after the hook has long returned.

use crate::support::{doc, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, tree, write};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Runs a hook; it must end well, whatever it was told.
fn raw(home: &Home, event: &str, input: &[u8], environment: &[(&str, &str)]) -> Output {
    let mut command = home.loci(&["hook", event, "--agent", "claude-code"]);
    command.envs(environment.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A hook may have heard enough before the end.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{event}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn hook(home: &Home, event: &str, more: &Value) -> Value {
    let mut input = json!({"session_id": "s1", "cwd": home.project(), "hook_event_name": event});
    more.as_object().unwrap().iter().for_each(|(name, value)| input[name] = value.clone());
    let output = raw(home, event, input.to_string().as_bytes(), &[]);
    let said = String::from_utf8(output.stdout).unwrap();
    if said.is_empty() { Value::Null } else { serde_json::from_str(&said).unwrap() }
}

/// A transcript of Claude Code in which a person said these things.
fn transcript(home: &Home, said: &[&str]) -> PathBuf {
    let line = |(number, text): (usize, &&str)| {
        let line = json!({"type": "user", "uuid": format!("u{number}"), "sessionId": "s1", "cwd": home.project(),
            "timestamp": "2026-03-01T10:00:00.000Z", "message": {"role": "user", "content": text}});
        format!("{line}\n")
    };
    write(&home.dir().join("s1.jsonl"), &said.iter().enumerate().map(line).collect::<String>())
}

const HERON: &str = "Remember that the staging database is called heron and lives in Oslo.";
const FERRY: &str = "Remember that the ferry to the island leaves at seven from pier two.";

fn stop(home: &Home, transcript: &Path) {
    assert_eq!(hook(home, "Stop", &json!({"transcript_path": transcript})), Value::Null);
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < until, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Every memory of the home, whatever its scope.
fn memories(home: &Home) -> BTreeMap<String, String> {
    let files = tree(home.home()).into_iter();
    let files = files.filter(|(name, _)| name.ends_with(".md") && !name.ends_with("MEMORY.md"));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

fn holding(home: &Home, words: &str) -> usize {
    memories(home).values().filter(|text| text.contains(words)).count()
}

fn jobs(home: &Home) -> Vec<Value> {
    home.json(&["pipeline", "status"])["jobs"].as_array().unwrap().clone()
}

/// Nothing waits and nobody is at it.
fn settled(home: &Home) -> bool {
    let status = home.json(&["pipeline", "status"]);
    let over = |job: &Value| !matches!(job["status"].as_str(), Some("pending" | "running"));
    status["worker"] == false && status["jobs"].as_array().unwrap().iter().all(over)
}

#[test]
fn a_session_is_given_what_context_gives_and_what_its_prompts_need_once() {
    let home = home();
    home.create("/memories/global/user/cello.md", &doc("cello", "Plays the cello in the evening."));
    let given = hook(&home, "SessionStart", &json!({"source": "startup"}));
    let text = home.json(&["context", "--session", "s1"])["text"].clone();
    assert_eq!(given, json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}));
    home.create("/memories/global/user/tea.md", &doc("tea", "Drinks green tea."));
    let again = hook(&home, "SessionStart", &json!({"source": "resume"}));
    assert_eq!(again, given, "the same bytes until a boundary");
    let anew = hook(&home, "SessionStart", &json!({"source": "compact"}));
    assert!(anew.to_string().contains("tea.md"), "{anew}");
    let hot = hook(&home, "UserPromptSubmit", &json!({"prompt": "who plays the cello?"}));
    assert_eq!(hot, Value::Null, "the hot block has it in full");
    home.edit("memory/user/oboe.md", &doc("oboe", "Plays the oboe at noon."));
    let prompt = json!({"prompt": "who plays the oboe?"});
    let recalled = hook(&home, "UserPromptSubmit", &prompt);
    assert!(recalled["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("at noon"), "{recalled}");
    assert_eq!(hook(&home, "UserPromptSubmit", &prompt), Value::Null, "shown once");
    let wrote = json!({"tool_name": "mcp__loci__memory", "tool_input": {"command": "create", "path": "/memories/global/user/tea.md"}});
    assert_eq!(hook(&home, "PostToolUse", &wrote), Value::Null);
    assert_eq!(
        hook(&home, "UserPromptSubmit", &json!({"prompt": "who drinks green tea?"})),
        Value::Null,
        "its own words"
    );
}

#[test]
fn a_turn_becomes_memory_once_without_a_daemon() {
    let home = home();
    let file = transcript(&home, &[HERON]);
    stop(&home, &file);
    wait_for("the extraction", || holding(&home, "heron") == 1 && settled(&home));
    let before = memories(&home);
    stop(&home, &file);
    hook(&home, "SessionEnd", &json!({"transcript_path": file}));
    wait_for("the second look", || settled(&home));
    assert_eq!(memories(&home), before, "the same transcript again");
    transcript(&home, &[HERON, FERRY]);
    stop(&home, &file);
    wait_for("the next turn", || holding(&home, "ferry") == 1 && settled(&home));
    assert_eq!(jobs(&home).len(), 1, "one job a session");
    assert_eq!(home.json(&["session", "list"])["sessions"][0]["messages"], 2, "the session is kept besides");
    let told = hook(&home, "UserPromptSubmit", &json!({"prompt": "hello there"}));
    assert_eq!(told["systemMessage"], "Loci: 2 memories saved");
    let told = hook(&home, "UserPromptSubmit", &json!({"prompt": "hello again"}));
    assert_eq!(told["systemMessage"], Value::Null, "told once");
    let status = home.json(&["status"]);
    assert_eq!((&status["extract"]["session"], &status["extract"]["trigger"]), (&json!("s1"), &json!("auto")));
    assert_eq!(status["pipeline"]["done"], 1);
}

#[test]
fn a_daemon_does_the_jobs_when_there_is_one() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    wait_for("the daemon's seat", || home.json(&["pipeline", "status"])["worker"] == true);
    stop(&home, &transcript(&home, &[HERON]));
    wait_for("the extraction", || holding(&home, "heron") == 1 && jobs(&home)[0]["status"] == "done");
    let (status, listed) = daemon.ask("GET", "/pipeline/jobs", None);
    assert_eq!((status, &listed["jobs"][0]["kind"]), (200, &json!("extract_turn")));
    let id = listed["jobs"][0]["id"].as_str().unwrap();
    let (status, refused) = daemon.ask("POST", &format!("/pipeline/jobs/{id}/retry"), None);
    assert_eq!((status, &refused["code"]), (409, &json!("job_not_failed")));
    assert_eq!(daemon.ask("POST", "/pipeline/jobs/999/retry", None).0, 404);
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn a_killed_worker_loses_nothing_and_does_nothing_twice() {
    let home = home();
    // A model that takes a call and never answers.
    let deaf = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", deaf.local_addr().unwrap());
    let model = [
        ("LOCI_MODEL_PROVIDER", "openai"),
        ("LOCI_MODEL", "deaf"),
        ("LOCI_MODEL_BASE_URL", address.as_str()),
        ("LOCI_MODEL_API_KEY", "k"),
    ];
    let input = json!({"session_id": "s1", "cwd": home.project(), "transcript_path": transcript(&home, &[HERON])});
    raw(&home, "Stop", input.to_string().as_bytes(), &model);
    let _call = deaf.accept().unwrap();
    let db = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    let owner: String = db.query_row("SELECT owner FROM jobs WHERE status = 'running'", [], |row| row.get(0)).unwrap();
    drop(db);
    let pid = owner.split(' ').next().unwrap().trim_start_matches("pid=");
    assert!(std::process::Command::new("kill").args(["-9", pid]).status().unwrap().success());
    wait_for("the end of the worker", || home.json(&["pipeline", "status"])["worker"] == false);
    assert_eq!((holding(&home, "heron"), jobs(&home)[0]["status"].as_str()), (0, Some("running")));
    let run = home.json(&["pipeline", "run"]);
    assert_eq!((&run["done"], &run["failed"]), (&json!(1), &json!(0)), "{run}");
    assert_eq!(holding(&home, "heron"), 1);
    assert_eq!((&jobs(&home)[0]["status"], &jobs(&home)[0]["attempts"]), (&json!("done"), &json!(2)));
}

#[test]
fn switches_hold_for_hooks() {
    let home = home();
    home.create("/memories/global/user/cello.md", &doc("cello", "Plays the cello."));
    let file = transcript(&home, &[HERON]);
    let prompt = json!({"prompt": "who plays the cello?"});
    home.edit("config.toml", "[memory]\nenabled = false\n");
    for (event, more) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", prompt.clone()),
        ("Stop", json!({"transcript_path": file})),
    ] {
        assert_eq!(hook(&home, event, &more), Value::Null, "{event}");
    }
    home.edit("config.toml", "[recall]\nenabled = false\n[extract]\nenabled = false\n");
    assert_eq!(hook(&home, "UserPromptSubmit", &prompt), Value::Null);
    stop(&home, &file);
    assert!(jobs(&home).is_empty());
    assert!(hook(&home, "SessionStart", &json!({})).to_string().contains("cello.md"));
}

#[test]
fn what_is_late_is_dropped() {
    let home = home();
    home.create("/memories/global/user/cello.md", &doc("cello", "Plays the cello."));
    home.ok(&["recall", "cello"]);
    // Somebody else keeps the ledger for longer than a person waits.
    let db = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let prompt = json!({"prompt": "who plays the cello?"});
    assert_eq!(hook(&home, "UserPromptSubmit", &prompt), Value::Null);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    db.execute_batch("ROLLBACK").unwrap();
    assert!(hook(&home, "UserPromptSubmit", &prompt).to_string().contains("cello.md"), "and nothing counts as shown");
}

#[test]
fn files_that_are_no_transcript_say_nothing() {
    let home = home();
    let fifo = home.dir().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let link = home.dir().join("link.jsonl");
    std::os::unix::fs::symlink(transcript(&home, &[HERON]), &link).unwrap();
    let odd = [Path::new("/etc/passwd"), Path::new("/dev/zero"), home.dir(), &fifo, &link];
    for (number, path) in odd.into_iter().enumerate() {
        hook(&home, "Stop", &json!({"session_id": format!("odd{number}"), "transcript_path": path}));
    }
    wait_for("the looks", || settled(&home));
    assert_eq!(jobs(&home).len(), 5);
    assert_eq!(memories(&home), BTreeMap::new());
    assert_eq!(home.json(&["session", "list"]), json!({"sessions": []}));
}

#[test]
fn a_hook_never_fails_its_agent() {
    let home = home();
    let bad: [&[u8]; 8] = [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        &b"{\"a\":".repeat(5_000),
        b"{\"session_id\":5,\"prompt\":[]}",
    ];
    for event in ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", "NoSuchEvent"] {
        for input in bad {
            let said = raw(&home, event, input, &[]).stdout;
            assert!(said.is_empty() || serde_json::from_slice::<Value>(&said).unwrap().is_object());
        }
    }
    let long = json!({"session_id": "s", "prompt": "x ".repeat(2_000_000)}).to_string();
    raw(&home, "UserPromptSubmit", long.as_bytes(), &[]);
    let start = br#"{"session_id":"s1","source":"startup"}"#;
    let file = write(&home.dir().join("afile"), "no directory");
    assert!(raw(&home, "SessionStart", start, &[("LOCI_HOME", file.to_str().unwrap())]).stdout.is_empty());
    for log in ["loci.db-wal", "loci.db-shm"] {
        let _ = std::fs::remove_file(home.home().join(log));
    }
    std::fs::write(home.home().join("loci.db"), b"no database at all, but long enough to be one").unwrap();
    assert!(raw(&home, "SessionStart", start, &[]).stdout.is_empty());
    assert!(raw(&home, "SessionStart", start, &[("LOCI_HOME", "/proc/nowhere")]).stdout.is_empty());
    for args in
        [&["hook"][..], &["hook", "Stop"], &["hook", "Stop", "--agent", "emacs"], &["hook", "Stop", "--new", "x"]]
    {
        let ran = home.run(args);
        assert_eq!((ran.exit, ran.stdout.as_str()), (Some(0), ""), "{args:?}");
    }
}
