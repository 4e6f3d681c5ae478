//! A daemon that is killed while many write, and one that is asked to stop: what was acknowledged is there, each task ends.

use super::rounds;
use crate::daemon::wait_for;
use crate::support::{Dice, G, assert_healthy, home, insert, rename, replace};
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
pub fn try_call(address: &str, token: &str, call: &Value) -> Option<Value> {
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

type Files = BTreeMap<String, String>;

/// A whole version of a file: torn, it would be neither this nor another.
fn version(name: &str, number: usize) -> String {
    format!("version {number}\n{}end of {number}\n", format!("{name}\n").repeat(300))
}

/// What one writer does in turn in a folder of its own: creates a file, replaces it as a whole, gives it another name.
fn next(folder: &str, number: usize, files: &Files) -> (Value, Files) {
    let (name, moved) = (format!("{folder}/{}.md", number / 3), format!("{folder}/moved/{}.md", number / 3));
    let mut after = files.clone();
    let call = match number % 3 {
        0 => create(&format!("{G}{name}"), &version(&name, 0)),
        1 => replace(&format!("{G}{name}"), &version(&name, 0), &version(&name, 1)),
        _ => rename(&format!("{G}{name}"), &format!("{G}{moved}")),
    };
    match number % 3 {
        2 => drop(after.remove(&name).map(|text| after.insert(moved, text))),
        done => drop(after.insert(name.clone(), version(&name, done))),
    }
    (call, after)
}

/// Writes until the daemon is gone: what was acknowledged last, and what the call that was cut off would have left.
fn write_on(address: &str, token: &str, folder: &str) -> (Files, Files) {
    let mut files = Files::new();
    for number in 0.. {
        let (call, after) = next(folder, number, &files);
        match try_call(address, token, &call) {
            Some(answer) if answer["success"] == true => files = after,
            Some(answer) => panic!("{call}: {answer}"),
            None => return (files, after),
        }
    }
    unreachable!("a daemon that is never killed")
}

#[test]
fn what_a_killed_daemon_acknowledged_is_there() {
    let home = home();
    // For every process, also for those that only look.
    home.edit("config.toml", "[limits]\nfiles_per_scope = 100000\n");
    let mut dice = Dice(0x5eed_0045_1234_abcd);
    let (mut kept, mut starts) = (Files::new(), Vec::new());
    for round in 0..rounds(8, 200) {
        let start = Instant::now();
        let daemon = Daemon::start(&home, &[], &[]);
        assert_eq!(daemon.ask("GET", "/memory/files", None).0, 200);
        starts.push(start.elapsed());
        assert_eq!(unfinished(home.home()), Vec::<std::path::PathBuf>::new(), "round {round}");
        let (address, token, id) = (daemon.address().to_owned(), daemon.token().to_owned(), daemon.id());
        let after = Duration::from_millis(30 + dice.roll(250));
        let left: Vec<(Files, Files)> = std::thread::scope(|scope| {
            let (address, token) = (&address, &token);
            let write = |writer: usize| scope.spawn(move || write_on(address, token, &format!("r{round}-w{writer}")));
            let writers: Vec<_> = (0..4).map(write).collect();
            // The moment of the kill is the input of this test, not a way to wait for something.
            std::thread::sleep(after);
            Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        drop(daemon);
        let listed = home.list();
        let files = documents(&home.global());
        for (writer, (acknowledged, cut_off)) in left.into_iter().enumerate() {
            let own = format!("r{round}-w{writer}/");
            let now: Files = files.clone().into_iter().filter(|(name, _)| name.starts_with(&own)).collect();
            assert!(now == acknowledged || now == cut_off, "{own}: {:?} is neither old nor new", now.keys());
            kept.extend(now);
        }
        assert_eq!(files, kept, "round {round}: what was there before is there");
        assert_eq!(listed.len(), kept.len());
        let index = std::fs::read_to_string(home.global().join("MEMORY.md")).unwrap();
        home.ok(&["index"]);
        assert_eq!(
            std::fs::read_to_string(home.global().join("MEMORY.md")).unwrap(),
            index,
            "the index was right already"
        );
    }
    starts.sort();
    // The usual one: a machine that does other things may hold up any single start.
    let usual = starts[starts.len() / 2];
    assert!(usual < Duration::from_secs(2), "it takes {usual:?} to start after a kill");
    println!("{} files are kept, a start took {usual:?}, the longest {:?}", kept.len(), starts.last());
    assert!(kept.len() > 8, "the kills come too early to say anything");
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
    let each = rounds(40, 500);
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
                for number in 0..each {
                    let call = insert(&format!("{G}log.md"), 1, &format!("line d{writer}-{number}"));
                    let answer = try_call(daemon.address(), daemon.token(), &call).unwrap();
                    assert_eq!(answer["success"], true, "{answer}");
                }
            });
        }
    });
    let text = documents(&home.global()).remove("log.md").unwrap();
    let lines: std::collections::BTreeSet<&str> = text.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!((lines.len(), text.lines().count()), (10 * each, lines.len() + 1));
    let journal = home.log();
    assert_eq!(journal.len(), 10 * each + 1, "each of them is in the journal");
    assert!(
        journal.iter().all(|change| change["actor"] == "agent"),
        "nobody's line was taken for an edit from outside"
    );
    for daemon in daemons {
        assert_eq!(daemon.stop(), Some(0));
    }
    assert_healthy(&home);
}
