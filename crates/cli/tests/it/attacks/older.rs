//! Data of an earlier release is opened and kept; data of a later one is refused by every way in, and no byte of it changes.
//!
//! `older/schema-12.sql` is such an earlier ledger; it is never rewritten, and a later schema gets a file of its own beside it.

use super::rounds;
use crate::injected::strace_is_here;
use crate::mcp::{greet, post};
use crate::support::{G, P, assert_healthy, doc, home, rename};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, create, documents, lines, tree, write};
use serde_json::json;
use std::collections::BTreeMap;

const OLDER: &str = include_str!("older/schema-12.sql");
/// The one that the older ledger knows as `phone`.
const PHONE: &str = "07585b1836613093431f2243b0c264b022e684344d7564ffbb6df8aaa80e861a";
const HERON: &str =
    "---\nname: Heron\ndescription: where it nests\ntype: user\n---\nThe heron nests at Quillfeather Pond.\n";
const CRANE: &str =
    "---\nname: Crane\ndescription: what it lifts\ntype: project\n---\nThe harbour crane lifts eighty tons.\n";
/// Every step of the schema that has been; `docs/` and the ledger's own tests hold them to what they were.
const STEPS: [&str; 12] = [
    include_str!("../../../../ledger/src/sqlite/migrations/0001_ledger.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0002_sessions.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0003_evidence.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0004_facts.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0005_upkeep.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0006_spend.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0007_lean.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0008_daemon.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0009_jobs.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0010_extractions.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0011_conversations.sql"),
    include_str!("../../../../ledger/src/sqlite/migrations/0012_tellings.sql"),
];

/// The folder of a project's memory is named by its checkout; another home is asked for it.
fn project_folder(home: &Home) -> String {
    let elsewhere = home.dir().join("elsewhere");
    let mut command = home.loci(&["tool"]);
    command.env("LOCI_HOME", &elsewhere);
    Ran::of(command, lines(&[create(&format!("{P}x.md"), "x\n")]).as_bytes()).ok();
    let folder = std::fs::read_dir(elsewhere.join("projects")).unwrap().next().unwrap().unwrap();
    folder.file_name().into_string().unwrap()
}

/// A home as the earlier release left it.
fn older() -> Home {
    let home = home();
    let folder = project_folder(&home);
    home.edit("memory/user/heron.md", HERON);
    home.edit(&format!("projects/{folder}/memory/crane.md"), CRANE);
    let checkout = home.project().display().to_string();
    let sql = OLDER.replace("{CHECKOUT}", &checkout).replace("{PROJECT}", &folder);
    let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    ledger.execute_batch(&sql).unwrap();
    home
}

fn schema(home: &Home) -> u32 {
    let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    ledger.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// All that the older data says is known.
fn assert_kept(home: &Home) {
    let listed = home.list();
    assert_eq!(listed.keys().collect::<Vec<_>>(), [&format!("{G}user/heron.md"), &format!("{P}crane.md")]);
    assert_eq!(listed[&format!("{G}user/heron.md")]["pinned"], true);
    let own = |change: &&serde_json::Value| change["actor"] == "agent";
    assert_eq!(home.log().iter().filter(own).count(), 5, "{:?}", home.log());
    assert_eq!(home.json(&["session", "show", "talk"])["messages"][0]["content"], "The ferry leaves at seven.");
    assert_eq!(documents(&home.global()).remove("user/heron.md").as_deref(), Some(HERON));
}

#[test]
fn data_of_the_release_before_is_opened_with_all_that_it_knows() {
    let home = older();
    assert_eq!(schema(&home), 12);
    assert_kept(&home);
    assert!(schema(&home) > 12);
    let found = home.json(&["recall", "where does the heron nest?"]);
    assert!(found.to_string().contains("heron.md"), "{found}");
    // A deletion of that time can still be taken back, and a change from before too.
    home.ok(&["undo"]);
    assert_eq!(documents(&home.global())["gone.md"], "This was deleted.\n");
    home.did(rename(&format!("{P}crane.md"), &format!("{P}moved/crane.md")));
    assert_eq!(documents(&home.project_memory())["moved/crane.md"], CRANE);
    assert_healthy(&home);
}

#[test]
fn a_daemon_opens_data_of_the_release_before_and_knows_its_tokens() {
    let home = older();
    let daemon = Daemon::start(&home, &[], &[]);
    let (status, listed) = daemon.ask_as(PHONE, "GET", "/memory/files", None);
    assert_eq!((status, listed["files"].as_array().unwrap().len()), (200, 2), "{listed}");
    let session = greet(&daemon, PHONE);
    let view = json!({"name": "memory", "arguments": {"command": "view", "path": format!("{G}user/heron.md")}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": view});
    assert!(post(&daemon, PHONE, Some(&session), &call).2.to_string().contains("Quillfeather"));
    let task = daemon.finished(&daemon.post("remember", &json!({"content": "I keep bees behind the house."})));
    assert_eq!(task["status"], "completed", "{task}");
    assert_eq!(daemon.stop(), Some(0));
    assert_healthy(&home);
}

#[test]
fn every_schema_that_has_been_is_brought_up_to_date() {
    for upto in 1..=STEPS.len() {
        let home = home();
        home.edit("memory/user/heron.md", &doc("Heron", "The heron nests at Quillfeather Pond."));
        let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
        STEPS[..upto].iter().for_each(|step| ledger.execute_batch(step).unwrap());
        ledger.execute("INSERT INTO roots (place, identity) VALUES ('home:memory', 'global')", []).unwrap();
        ledger.execute("INSERT INTO pins VALUES ('global', 'user/heron.md', 1)", []).unwrap();
        ledger.execute_batch(&format!("PRAGMA user_version = {upto}")).unwrap();
        drop(ledger);
        assert_eq!(home.row(&format!("{G}user/heron.md"))["pinned"], true, "schema {upto}");
        home.create(&format!("{G}new.md"), "new\n");
        assert_eq!(documents(&home.global()).len(), 2);
        assert_healthy(&home);
    }
}

#[test]
fn an_upgrade_that_is_cut_off_is_done_by_the_next_start() {
    if !strace_is_here() {
        return;
    }
    let mut killed = 0;
    for n in (1..=40).step_by(rounds(8, 1)) {
        let home = older();
        let mut strace = home.program("strace");
        let calls = "pwrite64,fsync,fdatasync,ftruncate";
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
        strace.args(["-e", &format!("inject={calls}:signal=KILL:when={n}")]).arg(home.binary()).arg("list");
        killed += usize::from(Ran::of(strace, b"").exit.is_none());
        assert_kept(&home);
        assert_healthy(&home);
    }
    assert!(killed > 1, "only {killed} kills");
}

/// A home whose ledger says that it is newer; all of its files.
fn newer() -> (Home, BTreeMap<String, Vec<u8>>) {
    let home = older();
    home.ok(&["list"]);
    home.ok(&["config", "recall.limit", "3"]);
    let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    ledger.execute_batch("CREATE TABLE of_the_future (x); PRAGMA user_version = 9999").unwrap();
    ledger.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(ledger);
    let files = tree(home.home());
    (home, files)
}

#[test]
fn newer_data_is_refused_by_every_way_in_and_no_byte_changes() {
    let (home, before) = newer();
    let talk =
        write(&home.dir().join("talk.jsonl"), "{\"id\":\"m1\",\"role\":\"user\",\"content\":\"Remember tea.\"}\n");
    let talk = talk.to_str().unwrap();
    for args in [
        &["list"][..],
        &["recall", "heron"],
        &["context"],
        &["remember", "I keep bees."],
        &["forget", "heron", "--all"],
        &["dream"],
        &["extract", "--session", "s", talk],
        &["session", "import", talk],
        &["pipeline", "run"],
        &["pin", "global/user/heron.md"],
        &["rm", "global/user/heron.md"],
        &["undo"],
        &["doctor", "--fix"],
        &["token", "add", "phone2"],
        &["export", "out"],
        &["serve", "--port", "0"],
    ] {
        let ran = home.run(&[args, &["--json"]].concat());
        assert_ne!(ran.exit, Some(0), "{args:?}: {}", ran.stdout);
        assert!((ran.stdout + &ran.stderr).contains("9999"), "{args:?} does not say why: {}", ran.stderr);
        assert_eq!(changed(&before, &tree(home.home())), [""; 0], "{args:?}");
    }
    let calls = lines(&[create(&format!("{G}new.md"), "new\n")]);
    assert_ne!(Ran::of(home.loci(&["tool"]), calls.as_bytes()).exit, Some(0));
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory", "arguments": create(&format!("{G}new.md"), "new\n")}});
    let mcp = Ran::of(home.loci(&["mcp"]), format!("{hello}\n").as_bytes());
    assert!(!mcp.stdout.contains("successfully"), "{}", mcp.stdout);
    // A hook never fails its agent; it does nothing.
    let event = json!({"session_id": "s", "cwd": home.project(), "prompt": "heron?", "transcript_path": talk});
    for name in ["SessionStart", "UserPromptSubmit", "Stop"] {
        Ran::of(home.loci(&["hook", name, "--agent", "claude-code"]), event.to_string().as_bytes());
    }
    assert_eq!(changed(&before, &tree(home.home())), [""; 0]);
}

/// Files that came, went or changed.
fn changed(before: &BTreeMap<String, Vec<u8>>, now: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = before.keys().chain(now.keys()).filter(|name| before.get(*name) != now.get(*name));
    names.cloned().collect()
}
