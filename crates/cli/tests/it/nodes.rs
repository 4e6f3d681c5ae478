//! Several daemons: on one PostgreSQL and one bucket they are like one, and daemons of one home hear each other.

use crate::support::{doc, home};
use loci_store::{Backend, Show};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, tree, write};
use loci_testkit::servers::postgres::Database;
use loci_testkit::servers::sshd::{Known, Sshd};
use loci_testkit::servers::weed::Weed;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Listens as a session; `last` is the event that it heard last.
fn listen(daemon: &Daemon, session: &str, last: Option<u64>) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(daemon.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
    let head = format!(
        "GET /session/{session}/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n{last}\r\n",
        daemon.address(),
        daemon.token()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert!(line.contains(" 200 "), "{line}");
    reader
}

/// The next event.
fn heard(stream: &mut BufReader<TcpStream>) -> Value {
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended");
        if let Some(data) = line.strip_prefix("data:") {
            return serde_json::from_str(data.trim()).unwrap();
        }
    }
}

fn session(daemon: &Daemon) -> String {
    daemon.ask("POST", "/session", Some(&json!({}))).1["sessionId"].as_str().unwrap().to_owned()
}

#[test]
fn daemons_of_one_home_hear_each_other() {
    let home = home();
    let (one, other) = (Daemon::start(&home, &[], &[]), Daemon::start(&home, &[], &[]));
    let session = session(&other);
    let mut stream = listen(&other, &session, None);
    let task = one.post("remember", &json!({"content": "I prefer window seats on trains."}));
    assert_eq!(one.finished(&task)["status"], "completed");
    let event = heard(&mut stream);
    assert_eq!((&event["type"], &event["data"]["taskId"]), (&json!("memory_changed"), &json!(task)), "{event}");
    let last = event["id"].as_u64().unwrap();
    drop(stream);
    other.kill();
    let task = one.post("remember", &json!({"content": "The harbour crane lifts seventy tons."}));
    one.finished(&task);
    one.kill();
    // A session outlives its daemon, and what was told while nobody listened is told again.
    let again = Daemon::start(&home, &[], &[]);
    let event = heard(&mut listen(&again, &session, Some(last)));
    assert_eq!(event["data"]["taskId"], json!(task), "{event}");
}

/// Two homes on one ledger and one bucket.
struct Nodes {
    homes: [Home; 2],
    flags: Vec<String>,
    environment: Vec<(String, String)>,
    weed: Weed,
    _database: Database,
}

impl Nodes {
    fn new() -> Nodes {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (database, weed) = (runtime.block_on(Database::shared()), Weed::start());
        let flags =
            ["--ledger".to_owned(), database.url(), "--files".to_owned(), format!("s3://{}/loci", weed.bucket())];
        Nodes {
            homes: [home(), home()],
            flags: flags.to_vec(),
            environment: weed.environment(),
            weed,
            _database: database,
        }
    }

    fn run(&self, node: usize, args: &[&str], input: &str) -> Ran {
        let project = self.homes[0].project().to_str().unwrap();
        let mut command = self.homes[node].loci(&[args, &["--project", project]].concat());
        command.args(&self.flags).envs(self.environment.iter().map(|(name, value)| (name, value)));
        Ran::of(command, input.as_bytes())
    }

    fn tool(&self, node: usize, call: &Value) -> Value {
        self.run(node, &["tool"], &format!("{call}\n")).answers().remove(0)
    }
}

#[test]
fn homes_on_one_ledger_and_bucket_share_their_memory() {
    let nodes = Nodes::new();
    let path = "/memories/project/notes/crane.md";
    let made =
        nodes.tool(0, &json!({"command": "create", "path": path, "file_text": doc("Crane", "Lifts seventy tons.")}));
    assert_eq!(made["success"], true, "{made}");
    let edit = json!({"command": "str_replace", "path": path, "old_str": "seventy", "new_str": "eighty"});
    assert_eq!(nodes.tool(1, &edit)["success"], true);
    let recalled: Value =
        serde_json::from_str(&nodes.run(0, &["recall", "how much does the crane lift", "--json"], "").ok()).unwrap();
    assert!(recalled["hits"][0]["excerpt"].as_str().unwrap().contains("eighty"), "{recalled}");
    let moved = json!({"command": "rename", "old_path": path, "new_path": "/memories/project/crane.md"});
    assert_eq!(nodes.tool(1, &moved)["success"], true);
    nodes.run(0, &["undo", "--quiet"], "").ok();
    assert!(nodes.run(1, &["show", "project/notes/crane.md"], "").ok().contains("eighty"));
    assert_eq!(nodes.tool(0, &json!({"command": "delete", "path": "/memories/project/notes"}))["success"], true);
    assert!(nodes.run(1, &["list", "--json"], "").ok().contains("\"files\":[]"));
    for home in &nodes.homes {
        let left: Vec<String> = tree(home.home()).into_keys().filter(|name| name.ends_with(".md")).collect();
        assert!(left.is_empty(), "memory lies in a home: {left:?}");
    }
    let config = nodes.run(0, &["config", "--json"], "").ok();
    assert!(config.contains("ledger.url") && !config.contains(loci_testkit::servers::postgres::PASSWORD), "{config}");
    drop(nodes.weed);
}

#[test]
fn a_handbook_in_a_bucket_is_read_by_every_node() {
    let nodes = Nodes::new();
    let on = "[memories]\nenabled = true\nmin_rollout_idle_hours = 0\nmax_rollout_age_days = 36500\n";
    for home in &nodes.homes {
        home.edit("config.toml", on);
    }
    let said = "Remember that the harbour crane is inspected on Mondays.";
    let line = json!({"id": "m1", "role": "user", "content": said, "at": "2026-01-01T10:00:00Z"});
    let file = write(&nodes.homes[0].dir().join("incoming/one.jsonl"), &format!("{line}\n"));
    nodes.run(0, &["session", "import", file.to_str().unwrap()], "").ok();
    nodes.run(0, &["pipeline", "run", "--quiet"], "").ok();
    let book = nodes.run(1, &["read", "memory://root/MEMORY.md"], "").ok();
    assert!(book.contains("inspected on Mondays"), "{book}");
    nodes.run(1, &["memory", "clear", "--quiet"], "").ok();
    assert_eq!(nodes.run(0, &["read", "memory://root/MEMORY.md"], "").exit, Some(3));
}

#[test]
fn a_checkout_on_another_machine_is_a_project() {
    let (home, server) = (home(), Sshd::start());
    let settings = |known| {
        let (identity, known) = (server.identity(), server.known_hosts(known));
        home.edit("config.toml", &format!("[ssh]\nidentity = {identity:?}\nknown_hosts = {known:?}\n"));
    };
    settings(Known::Right);
    let far = home.repository("far");
    let inner = far.join("src/deep");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::create_dir_all(far.join(".loci/memory")).unwrap();
    let ask = |folder: &std::path::Path, call: &Value| {
        let command = home.loci(&["tool", "--project", &server.url(folder)]);
        Ran::of(command, format!("{call}\n").as_bytes()).answers().remove(0)
    };
    let create = |path: &str| json!({"command": "create", "path": path, "file_text": doc("Far", "It is far away.")});
    // From a subfolder it is the same project.
    assert_eq!(ask(&inner, &create("/memories/project/far.md"))["success"], true);
    assert!(far.join(".loci/memory/far.md").is_file() && far.join(".loci/memory/MEMORY.md").is_file());
    let seen = ask(&far, &json!({"command": "view", "path": "/memories/project/far.md"}));
    assert!(seen["output"].as_str().unwrap().contains("far away"), "{seen}");
    assert!(!seen.to_string().contains(far.to_str().unwrap()), "{seen}");
    // A checkout may switch things off, also over there.
    write(&far.join(".loci/config.toml"), "[memory]\nenabled = false\n");
    let status = Ran::of(home.loci(&["status", "--json", "--project", &server.url(&far)]), b"").ok();
    assert_eq!(serde_json::from_str::<Value>(&status).unwrap()["switches"]["memory"], false, "{status}");
    // Who is not known is not asked; the other scopes are there.
    settings(Known::Wrong);
    let refused = ask(&far, &create("/memories/project/other.md"));
    assert!(refused["error"].as_str().unwrap().contains("host key"), "{refused}");
    assert_eq!(ask(&far, &create("/memories/global/near.md"))["success"], true);
}

#[test]
fn a_workspace_or_account_that_ends_leaves_nothing_in_the_bucket() {
    let nodes = Nodes::new();
    let json = |node: usize, args: &[&str]| -> Value {
        serde_json::from_str(&nodes.run(node, &[args, &["--json"]].concat(), "").ok()).unwrap()
    };
    let made = json(0, &["workspace", "add", "--name", "kept"]);
    let recorded = made["id"].as_str().unwrap().to_owned();
    let beta = json(0, &["account", "add", "beta"])["id"].as_str().unwrap().to_owned();
    for (scope, flags) in [
        ("workspace", ["--workspace", "spike"]),
        ("workspace", ["--workspace", &recorded]),
        ("global", ["--account", &beta]),
    ] {
        let path = format!("/memories/{scope}/crane.md");
        let call = json!({"command": "create", "path": path, "file_text": doc("Crane", "Lifts seventy tons.")});
        let made = nodes.run(0, &["tool", flags[0], flags[1]], &format!("{call}\n")).answers().remove(0);
        assert_eq!(made["success"], true, "{made}");
    }
    let listed = json(1, &["workspace", "list"]);
    let listed: Vec<(&str, u64)> = listed["workspaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["documents"].as_u64().unwrap()))
        .collect();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert!(listed.contains(&("spike", 1)) && listed.contains(&(recorded.as_str(), 1)), "{listed:?}");
    assert_eq!(nodes.run(1, &["workspace", "add", "spike"], "").exit, Some(4));
    for gone in ["spike", &recorded] {
        nodes.run(1, &["workspace", "rm", gone, "--yes"], "").ok();
        assert_eq!(nodes.run(0, &["workspace", "rm", gone, "--yes"], "").exit, Some(3));
    }
    nodes.run(1, &["account", "rm", "beta", "--yes"], "").ok();
    assert_eq!(json(0, &["workspace", "list"]), json!({"workspaces": []}));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let settings = loci_remote::s3::Settings::parse(&nodes.flags[3]).unwrap();
    let bucket = loci_remote::s3::S3::open(&settings, &nodes.environment).unwrap();
    let left = runtime.block_on(bucket.list(None, Show::All, 100)).unwrap();
    assert!(left.files.is_empty(), "{:?}", left.files);
}
