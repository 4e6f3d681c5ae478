//! What is forgotten for good leaves no copy, also while a daemon and an MCP server have memory open; and what is written
//! is its person's own, whatever the umask.

use crate::daemon::wait_for;
use crate::support::{G, assert_healthy, doc, holding, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{create, walk};
use serde_json::json;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

const SENTINEL: &str = "Quillfeather";

#[test]
fn a_purge_beside_a_daemon_leaves_no_copy() {
    let home = home();
    let log = home.dir().join("log");
    let mut command = home.loci(&["serve", "--port", "0", "--json"]);
    command.env("LOCI_LOG", "trace").stderr(File::create(&log).unwrap());
    let daemon = Daemon::of(command);
    let mut mcp = home.mcp(&[], &[]);
    let fact = format!("The heron nests at {SENTINEL} Pond.");
    assert_eq!(daemon.finished(&daemon.post("remember", &json!({"content": fact})))["status"], "completed");
    mcp.call("memory", create(&format!("{G}user/birds.md"), &doc("Birds", &format!("- {fact}\n- The owl is away."))));
    for _ in 0..3 {
        daemon.ask("POST", "/memory/recall", Some(&json!({"query": "where does the heron nest", "session": "s"})));
        mcp.call("recall", json!({"query": "where does the heron nest?"}));
    }
    daemon.ask("GET", "/memory/context?session=s", None);
    assert!(holding(home.home(), SENTINEL).len() > 2, "the test must be able to fail");

    // Forgotten by a task: out of sight, for undo in the journal, and in the index before it until the next change.
    let forgotten = daemon.finished(&daemon.post("forget", &json!({"query": format!("heron nests {SENTINEL} Pond")})));
    assert_eq!(forgotten["status"], "completed", "{forgotten}");
    let (_, found) = daemon.ask("POST", "/memory/recall", Some(&json!({"query": format!("{SENTINEL} heron")})));
    assert!(!found.to_string().contains(SENTINEL), "{found}");
    let left = holding(home.home(), SENTINEL);
    let told = |name: &String| name.starts_with("loci.db") || name.starts_with("spare/");
    assert!(left.iter().all(told), "the documents say nothing of these: {left:?}");

    home.ok(&["forget", SENTINEL, "--all", "--purge"]);
    wait_for("the last copy to go", || holding(home.home(), SENTINEL).is_empty());
    assert!(home.list().contains_key(&format!("{G}user/birds.md")));
    assert_eq!(mcp.finish().0, Some(0));
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(holding(home.home(), SENTINEL), Vec::<String>::new());
    assert!(!std::fs::read_to_string(log).unwrap().contains(SENTINEL), "a log holds memory");
    assert_healthy(&home);
}

#[test]
fn what_a_daemon_makes_is_private_whatever_the_umask() {
    let home = home();
    let scratch = home.dir().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let mut shell = home.program("sh");
    shell.args(["-c", "umask 0; exec \"$0\" serve --port 0 --json"]).arg(home.binary());
    shell.env("TMPDIR", &scratch).stderr(Stdio::null());
    let daemon = Daemon::of(shell);
    daemon.finished(&daemon.post("remember", &json!({"content": "I keep bees."})));
    daemon.finished(&daemon.post("dream", &json!({})));
    daemon.ask("PATCH", "/settings", Some(&json!({"values": {"recall.limit": 7}})));
    let workspace = json!({"name": "w", "config": {"storage": {"provider": "local"}}});
    assert_eq!(daemon.ask("POST", "/accounts/me/workspaces", Some(&workspace)).0, 201);
    let mut wrong = Vec::new();
    for folder in [home.home(), &scratch] {
        walk(folder, &mut |path, kind| {
            let mode = std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
            if mode != if kind.is_dir() { 0o700 } else { 0o600 } {
                wrong.push(format!("{} {mode:o}", path.display()));
            }
        });
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(home.home().join("token").is_file());
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(loci_testkit::home::tree(&scratch).len(), 0, "something was left for others to find");
}
