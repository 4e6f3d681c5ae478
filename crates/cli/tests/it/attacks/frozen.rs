//! A process that sleeps past its lease: another one takes over, and what the sleeper brings along is good for nothing.

use crate::daemon::wait_for;
use crate::handbook::{ON, handbook, is_second, run, session, start};
use crate::support::{assert_healthy, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::documents;
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::process::Command;
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

fn documents_of_the_project(home: &loci_testkit::home::Home) -> usize {
    match home.home().join("projects").is_dir() {
        true => documents(&home.project_memory()).len(),
        false => 0,
    }
}
