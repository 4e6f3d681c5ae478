//! A ledger or a bucket that is away for a while: clear words meanwhile, and afterwards nothing lost and nothing twice.

use crate::daemon::wait_for;
use crate::support::{G, assert_healthy, doc, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::create;
use loci_testkit::servers::postgres::{Cluster, Database};
use loci_testkit::servers::weed::Weed;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn fact(number: usize) -> Value {
    json!({"content": format!("The crane in harbour {number} lifts {} tons.", number * 10 + 7)})
}

fn tool(daemon: &Daemon, mut call: Value) -> (u16, Value) {
    call["mode"] = json!("exec");
    daemon.ask("POST", "/memory/tool", Some(&call))
}

#[test]
fn a_ledger_that_somebody_holds_for_seconds_is_waited_for() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    assert_eq!(tool(&daemon, create(&format!("{G}a.md"), "a\n")).1["success"], true);
    let holder = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let daemon = &daemon;
        let asked = [
            scope.spawn(|| tool(daemon, create(&format!("{G}b.md"), "b\n"))),
            scope.spawn(|| daemon.ask("POST", "/workspace/memory/remember", Some(&fact(1)))),
            scope
                .spawn(|| daemon.ask("PUT", "/memory/pin", Some(&json!({"path": format!("{G}a.md"), "pinned": true})))),
            scope.spawn(|| daemon.ask("POST", "/session", Some(&json!({})))),
            scope.spawn(|| daemon.ask("GET", "/memory/files", None)),
        ];
        std::thread::sleep(Duration::from_secs(3));
        holder.execute_batch("ROLLBACK").unwrap();
        for one in asked {
            let (status, answer) = one.join().unwrap();
            assert!(status < 300 && answer["success"] != false, "{status} {answer}");
        }
    });
    assert_eq!(daemon.stop(), Some(0));
    assert_healthy(&home);
}

#[test]
fn a_database_that_is_away_costs_no_task_and_no_token() {
    let home = home();
    let mut cluster = Cluster::start();
    let database = cluster.database();
    let url = database.url();
    let daemon = Daemon::start(&home, &["--ledger", &url], &[]);
    let named = home.json(&["token", "add", "phone", "--ledger", &url])["token"].as_str().unwrap().to_owned();
    let mut tasks: Vec<String> = (0..4).map(|number| daemon.post("remember", &fact(number))).collect();
    cluster.stop();
    let (status, answer) = daemon.ask_as(&named, "GET", "/memory/files", None);
    assert!(
        status != 401 && status != 500 && status >= 400,
        "a token is not wrong because nobody can look: {status} {answer}"
    );
    let (status, answer) = daemon.ask("POST", "/workspace/memory/remember", Some(&fact(90)));
    assert!(status >= 400 && status != 500, "{status} {answer}");
    assert!(!answer.to_string().contains(loci_testkit::servers::postgres::PASSWORD), "{answer}");
    assert_eq!(daemon.ask("GET", "/health", None).0, 200);
    cluster.restart();
    wait_for("the ledger", || daemon.ask_as(&named, "GET", "/memory/files", None).0 == 200);
    tasks.push(daemon.post("remember", &fact(7)));
    for task in &tasks {
        assert_eq!(daemon.finished(task)["status"], "completed");
    }
    let (_, listed) = daemon.ask("GET", "/memory/files", None);
    let names: BTreeSet<String> =
        listed["files"].as_array().unwrap().iter().map(|file| file["path"].to_string()).collect();
    assert_eq!((names.len(), listed["files"].as_array().unwrap().len()), (5, 5), "each fact once: {names:?}");
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn a_bucket_that_is_away_is_no_empty_memory() {
    let home = home();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (database, mut weed) = (runtime.block_on(Database::shared()), Weed::start());
    let (url, files) = (database.url(), format!("s3://{}/loci", weed.bucket()));
    let environment = weed.environment();
    let environment: Vec<(&str, String)> =
        environment.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let daemon = Daemon::start(&home, &["--ledger", &url, "--files", &files], &environment);
    for name in ["a", "b"] {
        assert_eq!(tool(&daemon, create(&format!("{G}{name}.md"), &doc(name, name))).1["success"], true);
    }
    weed.kill();
    // A walk of a bucket is trusted for two seconds.
    std::thread::sleep(Duration::from_millis(2100));
    let start = Instant::now();
    let (status, answer) = daemon.ask("GET", "/memory/files", None);
    assert!(status >= 400 || answer["files"].as_array().unwrap().len() == 2, "{status} {answer}");
    let (_, made) = tool(&daemon, create(&format!("{G}c.md"), "c\n"));
    assert_ne!(made["success"], true, "{made}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(daemon.ask("GET", "/health", None).0, 200);
    weed.restart();
    wait_for("the bucket", || daemon.ask("GET", "/memory/files", None).0 == 200);
    let (_, listed) = daemon.ask("GET", "/memory/files", None);
    assert_eq!(listed["files"].as_array().unwrap().len(), 2, "{listed}");
    let (_, log) = daemon.ask("GET", "/memory/log", None);
    assert!(!log.to_string().contains("\"delete\""), "a deletion was made up: {log}");
    assert_eq!(tool(&daemon, create(&format!("{G}c.md"), "c\n")).1["success"], true);
    assert_eq!(daemon.stop(), Some(0));
}
