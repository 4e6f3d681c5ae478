//! A process that sleeps past its lease: another one takes over, and what the sleeper brings along is good for nothing.

use super::rounds;
use crate::daemon::wait_for;
use crate::handbook::{ON, handbook, is_second, run, session, start};
use crate::injected::strace_is_here;
use crate::support::{G, assert_healthy, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, create, documents, tree, write};
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;

fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

/// A model that writes a handbook in its own name, the second phase after a pause.
fn author(name: &'static str, pause: Duration) -> Model {
    Model::answering(Wire::OpenAi, move |request| match is_second(request) {
        true => {
            let book = json!({"memory_md": format!("# By {name}\n"), "memory_summary": name, "skills": []});
            Step::say(book.to_string()).after(pause)
        }
        false => Step::say(json!({"raw_memory": "- learnt", "rollout_summary": "s", "rollout_slug": null}).to_string()),
    })
}

#[test]
fn a_consolidation_that_slept_past_its_lease_changes_nothing() {
    let home = home();
    home.edit("config.toml", &format!("{ON}phase2_lease_seconds = 2\nphase2_heartbeat_seconds = 1\n"));
    session(&home, "s-1", &["We talked about the harbour crane."]);
    let (slow, quick) = (author("the sleeper", Duration::from_millis(300)), author("the other", Duration::ZERO));
    let mut sleeper = start(&home, &slow);
    wait_for("the second phase", || slow.requests().iter().any(is_second));
    signal("-STOP", sleeper.id());
    // A lease of two seconds runs out while its holder sleeps.
    std::thread::sleep(Duration::from_millis(2500));
    run(&home, &quick);
    let book = || std::fs::read_to_string(handbook(&home).join("MEMORY.md")).unwrap_or_default();
    assert!(book().contains("By the other"), "{}", book());
    signal("-CONT", sleeper.id());
    sleeper.wait().unwrap();
    assert!(book().contains("By the other"), "the sleeper's book was put in place: {}", book());
    assert_eq!(run(&home, &quick)["done"], 0, "nothing is left to do");
    assert_healthy(&home);
}

#[test]
fn a_daemon_that_slept_past_its_lease_ends_no_task_a_second_time() {
    let home = home();
    let hung = Model::answering(Wire::OpenAi, |_| Step::hang());
    let flags = ["--set", "lane.lease_seconds=2"];
    let sleeper = Daemon::start(&home, &flags, &hung.environment());
    let task = sleeper.post("remember", &json!({"content": "The harbour crane lifts seventy tons."}));
    wait_for("the question", || !hung.requests().is_empty());
    let asleep: Vec<u32> = sleeper.workers().into_iter().chain([sleeper.id()]).collect();
    asleep.iter().for_each(|process| signal("-STOP", *process));
    let other = Daemon::start(&home, &flags, &[]);
    let done = other.finished(&task);
    assert_eq!(done["status"], "completed", "{done}");
    let files = documents(&home.global()).len() + documents_of_the_project(&home);
    asleep.iter().for_each(|process| signal("-CONT", *process));
    // Its worker is told that nobody wants the answer any more, or its own end is refused.
    let (_, seen): (u16, Value) = sleeper.ask("GET", &format!("/workspace/memory/remember/{task}"), None);
    assert_eq!(seen, done);
    assert_eq!(sleeper.stop(), Some(0));
    assert_eq!(other.task(&task), done, "it ended once");
    assert_eq!(documents(&home.global()).len() + documents_of_the_project(&home), files);
    assert_eq!(files, 1);
    drop(other);
    assert_healthy(&home);
}

fn documents_of_the_project(home: &Home) -> usize {
    match home.home().join("projects").is_dir() {
        true => documents(&home.project_memory()).len(),
        false => 0,
    }
}

/// Has every lease and claim run out, as the time does while somebody sleeps.
fn run_out(home: &Home) {
    let ledger = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    ledger.busy_timeout(Duration::from_secs(10)).unwrap();
    ledger.execute("UPDATE leases SET until = 1", []).unwrap();
    ledger.execute("UPDATE jobs SET until = 1 WHERE status = 'running'", []).unwrap();
}

/// Falls asleep behind the Nth folder that it makes or moves while it puts a handbook together.
fn asleep_at(n: usize) -> bool {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-1", &["We talked about the harbour crane."]);
    let (first, other) = (author("the sleeper", Duration::ZERO), author("the other", Duration::ZERO));
    let log = home.dir().join("strace.log");
    let mut strace = home.program("strace");
    strace.args(["-D", "-f", "-o"]).arg(&log).args(["-e", "trace=mkdirat,renameat2", "-e"]);
    strace.arg(format!("inject=mkdirat,renameat2:signal=STOP:when={n}")).arg(home.binary());
    strace.args(["pipeline", "run", "--quiet"]).envs(first.environment());
    strace.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut sleeper = strace.spawn().unwrap();
    let said = |words: &str| std::fs::read_to_string(&log).unwrap_or_default().contains(words);
    wait_for("sleep", || said("stopped by SIGSTOP") || said("exited with"));
    let asleep = said("stopped by SIGSTOP");
    run_out(&home);
    run(&home, &other);
    let book = tree(&handbook(&home));
    let by = String::from_utf8(book["MEMORY.md"].clone()).unwrap();
    assert!(!asleep || by.contains("By the other"), "{n}: {by}");
    signal("-CONT", sleeper.id());
    sleeper.wait().unwrap();
    assert_eq!(tree(&handbook(&home)), book, "{n}: the sleeper's book was put in place");
    assert_eq!(run(&home, &other)["done"], 0, "{n}: nothing is left to do");
    let jobs = home.json(&["pipeline", "status"])["jobs"].clone();
    assert!(jobs.as_array().unwrap().iter().all(|job| job["status"] == "done"), "{n}: {jobs}");
    assert_healthy(&home);
    asleep
}

#[test]
fn a_consolidation_that_slept_at_any_step_changes_nothing() {
    if !strace_is_here() {
        return;
    }
    let slept = (1..=rounds(8, 12)).filter(|n| asleep_at(*n)).count();
    assert!(slept > 4, "only {slept} fell asleep");
}

#[test]
fn a_dream_that_slept_past_its_lease_changes_nothing() {
    let home = home();
    let text =
        |n: usize| format!("---\nname: N{n}\ndescription: d\ntype: feedback\n---\n- Rule {n} holds everywhere.\n");
    let copies = (0..4).flat_map(|n| ["a", "b"].map(|copy| create(&format!("{G}feedback/{copy}{n}.md"), &text(n))));
    assert!(home.tools(&copies.collect::<Vec<_>>()).iter().all(|answer| answer["success"] == true));
    let evil = json!({"path": format!("{G}feedback/late.md"), "content": text(9)});
    let model = Model::answering(Wire::OpenAi, move |request| match request.seen().results.is_empty() {
        true => Step::call("write_file", evil.clone()).after(Duration::from_millis(300)),
        false => Step::say("done"),
    });
    let mut command = home.loci(&["dream", "--json"]);
    command.envs(model.environment()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let sleeper = command.spawn().unwrap();
    wait_for("the question", || !model.requests().is_empty());
    signal("-STOP", sleeper.id());
    run_out(&home);
    assert_eq!(home.json(&["dream"])["dedupedEntries"], 4);
    let (files, journal) = (documents(&home.global()), home.log().len());
    signal("-CONT", sleeper.id());
    let end = sleeper.wait_with_output().unwrap();
    assert!(!end.status.success(), "it says that it lost its lease: {end:?}");
    assert_eq!((documents(&home.global()), home.log().len()), (files, journal), "one dream, not two");
    assert_healthy(&home);
}

#[test]
fn a_reading_that_slept_past_its_lease_learns_nothing_twice() {
    let home = home();
    let line = json!({"id": "m1", "role": "user", "content": "Remember that the ferry leaves at seven."});
    let talk = write(&home.dir().join("talk.jsonl"), &format!("{line}\n"));
    let model = Model::answering(Wire::OpenAi, |_| Step::status(400).after(Duration::from_millis(300)));
    let mut command = home.loci(&["extract", "--session", "s", talk.to_str().unwrap()]);
    command.envs(model.environment()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut sleeper = command.spawn().unwrap();
    wait_for("the question", || !model.requests().is_empty());
    signal("-STOP", sleeper.id());
    run_out(&home);
    home.ok(&["extract", "--session", "s", talk.to_str().unwrap()]);
    let files = documents(&home.global()).len() + documents_of_the_project(&home);
    assert_eq!(files, 1);
    // The model fails it; what the sleeper would have read by rules alone is read already.
    signal("-CONT", sleeper.id());
    sleeper.wait().unwrap();
    assert_eq!(documents(&home.global()).len() + documents_of_the_project(&home), files, "it was learnt once");
    assert_healthy(&home);
}
