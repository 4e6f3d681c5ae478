//! A ledger or a bucket that is away for a while: clear words meanwhile, and afterwards nothing lost and nothing twice.

use super::rounds;
use crate::daemon::wait_for;
use crate::support::{G, assert_healthy, doc, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{create, tree};
use loci_testkit::servers::cutter::{Cut, Cutter};
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
fn a_ledger_that_somebody_holds_for_ten_seconds_is_waited_for() {
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
        // How long it is held is the input of this test, not a way to wait for something.
        std::thread::sleep(Duration::from_secs(10));
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

/// A task that is over, whatever was said to who asked while the line was cut.
fn ended(daemon: &Daemon, id: &str) -> Value {
    let mut seen = Value::Null;
    wait_for("the end of a task", || {
        let (status, task) = daemon.ask("GET", &format!("/workspace/memory/remember/{id}"), None);
        assert!(status == 200 || task["code"] == "unavailable", "{status} {task}");
        seen = task;
        status == 200 && seen["status"] != "queued" && seen["status"] != "running"
    });
    seen
}

#[test]
fn a_line_that_is_cut_at_a_commit_costs_no_task_and_does_none_twice() {
    let home = home();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(Database::shared());
    let cutter = Cutter::before(&database.url());
    let flags = ["--ledger", &cutter.url(&database.url()), "--set", "lane.lease_seconds=2"];
    let daemon = Daemon::start(&home, &flags, &[]);
    let (mut number, mut kept) = (0, BTreeSet::new());
    for (nth, cut) in (1..=rounds(5, 30)).flat_map(|nth| [(nth, Cut::Before), (nth, Cut::After)]) {
        let before = cutter.cuts();
        cutter.arm(nth, cut);
        // Until the line was cut: a post and what comes of it have some dozen commits.
        while cutter.cuts() == before {
            number += 1;
            // Who is told that it may have happened asks again.
            let post = || daemon.ask("POST", "/workspace/memory/remember", Some(&fact(number)));
            let (status, made) = Some(post()).filter(|(status, _)| *status == 202).unwrap_or_else(post);
            assert_eq!(status, 202, "{nth} {cut:?}: {made}");
            let task = ended(&daemon, made["taskId"].as_str().unwrap());
            match task["status"].as_str() {
                Some("completed") => drop(kept.insert(number)),
                // It is told that it failed, and nothing of it is left: then a client asks once more.
                _ => assert_eq!(task["error"]["code"], "remember_failed", "{nth} {cut:?}: {task}"),
            }
        }
    }
    wait_for("the end of every task", || {
        database.sql("SELECT count(*) FROM tasks WHERE status IN ('queued', 'running')") == "0"
    });
    let documents =
        tree(home.home()).into_iter().filter(|(name, _)| name.ends_with(".md") && !name.ends_with("MEMORY.md"));
    let texts: Vec<String> = documents.map(|(_, text)| String::from_utf8(text).unwrap()).collect();
    let said = |number: usize| texts.iter().filter(|text| text.contains(&format!("harbour {number} lifts"))).count();
    let expected: Vec<usize> = (1..=number).map(|number| usize::from(kept.contains(&number))).collect();
    assert_eq!((1..=number).map(said).collect::<Vec<_>>(), expected, "what was done is there once, what failed is not");
    println!("{} cuts, {number} tasks, {} of them done", cutter.cuts(), kept.len());
    assert!(kept.len() * 2 > number, "a cut line costs some tasks, not most");
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
