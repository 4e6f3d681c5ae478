//! A daemon that is killed while many write, and one that is asked to stop: what was acknowledged is there, each task ends.

use super::rounds;
use crate::daemon::wait_for;
use crate::support::{Dice, G, assert_healthy, home, insert};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{create, documents, unfinished};
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// One call over HTTP; `None` when the daemon is gone before it answered.
fn try_call(address: &str, token: &str, call: &Value) -> Option<Value> {
    let mut call = call.clone();
    call["mode"] = json!("exec");
    let body = call.to_string();
    let mut stream = TcpStream::connect(address).ok()?;
    let head = format!(
        "POST /memory/tool HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}

#[test]
fn what_a_killed_daemon_acknowledged_is_there() {
    let home = home();
    let mut dice = Dice(0x5eed_0045_1234_abcd);
    let mut acked: BTreeMap<String, String> = BTreeMap::new();
    for round in 0..rounds(8, 200) {
        let start = Instant::now();
        let daemon = Daemon::start(&home, &["--set", "limits.files_per_scope=100000"], &[]);
        assert_eq!(daemon.ask("GET", "/memory/files", None).0, 200);
        assert!(start.elapsed() < Duration::from_secs(5), "round {round}: it takes {:?} to start", start.elapsed());
        assert_eq!(unfinished(home.home()), Vec::<std::path::PathBuf>::new(), "round {round}");
        let (address, token, id) = (daemon.address().to_owned(), daemon.token().to_owned(), daemon.id());
        let after = Duration::from_millis(30 + dice.roll(250));
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|writer| {
                    let (address, token) = (&address, &token);
                    scope.spawn(move || {
                        let mut done = Vec::new();
                        for number in 0.. {
                            let name = format!("r{round}/w{writer}-{number}.md");
                            let text = name.repeat(300);
                            match try_call(address, token, &create(&format!("{G}{name}"), &text)) {
                                Some(answer) if answer["success"] == true => done.push((name, text)),
                                Some(answer) => panic!("{answer}"),
                                None => break,
                            }
                        }
                        done
                    })
                })
                .collect();
            // The moment of the kill is the input of this test, not a way to wait for something.
            std::thread::sleep(after);
            Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
            writers.into_iter().for_each(|writer| acked.extend(writer.join().unwrap()));
        });
        drop(daemon);
        home.ok(&["list"]);
        let files = documents(&home.global());
        for (name, text) in &files {
            assert_eq!(text, &name.repeat(300), "{name} is torn");
        }
        for name in acked.keys() {
            assert!(files.contains_key(name), "{name} was acknowledged and is gone");
        }
    }
    println!("{} acknowledged", acked.len());
    assert!(acked.len() > 8, "the kills come too early to say anything");
    assert_healthy(&home);
}

#[test]
fn a_daemon_that_is_asked_to_stop_hands_its_task_back() {
    let home = home();
    let hung = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &hung.environment());
    let tasks: Vec<String> = ["I keep bees.", "The door is green."]
        .map(|content| daemon.post("remember", &json!({"content": content})))
        .to_vec();
    wait_for("the question", || !hung.requests().is_empty());
    let start = Instant::now();
    assert_eq!(daemon.stop(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    // Nothing holds the next one up, and it does what was accepted.
    let next = Daemon::start(&home, &[], &[]);
    for task in &tasks {
        assert_eq!(next.finished(task)["status"], "completed");
    }
    assert_eq!(next.stop(), Some(0));
    assert_eq!(home.list().len(), 2);
}

#[test]
fn a_daemon_and_eight_processes_insert_into_one_file() {
    let home = home();
    home.create(&format!("{G}log.md"), "start\n");
    let daemons = [Daemon::start(&home, &[], &[]), Daemon::start(&home, &[], &[])];
    let each = rounds(15, 500);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let home = &home;
            scope.spawn(move || {
                let mut tool = home.tool(&["--set", "limits.file_bytes=1000000"]);
                for number in 0..each {
                    let call = insert(&format!("{G}log.md"), 1, &format!("line {writer}-{number}"));
                    assert_eq!(tool.call(&call).unwrap()["success"], true);
                }
            });
        }
        for (writer, daemon) in daemons.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..each.min(100) {
                    let call = insert(&format!("{G}log.md"), 1, &format!("line d{writer}-{number}"));
                    let answer = try_call(daemon.address(), daemon.token(), &call).unwrap();
                    assert_eq!(answer["success"], true, "{answer}");
                }
            });
        }
    });
    let text = documents(&home.global()).remove("log.md").unwrap();
    let lines: std::collections::BTreeSet<&str> = text.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!((lines.len(), text.lines().count()), (8 * each + 2 * each.min(100), lines.len() + 1));
    for daemon in daemons {
        assert_eq!(daemon.stop(), Some(0));
    }
    assert_healthy(&home);
}
