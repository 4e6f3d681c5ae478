//! Work that kills whoever does it, and a crowd of workers at one queue: bounded attempts, the rest goes on, each effect once.

use crate::handbook::{is_second, session, start};
use crate::support::{assert_healthy, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{documents, write};
use loci_testkit::model::{Model, Request, Step, Wire};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const POISON: &str = "poisoned-chalice";
const SETTINGS: &str = "[memories]\nenabled = true\nmin_rollout_idle_hours = 0\nmax_rollout_age_days = 36500\n\
                        max_rollouts_per_startup = 2000\nstage1_retry_delay_seconds = 0\nphase2_retry_delay_seconds = 0\n\
                        retries = 3\nstage1_concurrency = 1\n";

fn kill(process: u32) {
    Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
}

/// The processes that one started.
fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    children.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()).collect()
}

/// The first number behind a word of a request.
fn number(request: &Request, word: &str) -> String {
    let text = request.body.to_string();
    let rest = text.split(word).nth(1).unwrap_or_default();
    rest.chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn a_task_that_always_kills_its_worker_ends_and_the_others_are_done() {
    let home = home();
    let daemon_id = Arc::new(AtomicU32::new(0));
    let of = Arc::clone(&daemon_id);
    let model = Model::answering(Wire::OpenAi, move |request| {
        if request.body.to_string().contains(POISON) {
            children(of.load(Ordering::SeqCst)).into_iter().for_each(kill);
            return Step::hang();
        }
        let name = number(request, "harbour ");
        match request.seen().results.is_empty() {
            true => Step::call(
                "write_file",
                json!({"path": format!("/memories/global/user/crane-{name}.md"), "content": format!("---\nname: Crane {name}\ndescription: what crane {name} lifts\ntype: user\n---\nThe crane in harbour {name}.\n")}),
            ),
            false => Step::say("done"),
        }
    });
    let daemon = Daemon::start(&home, &[], &model.environment());
    daemon_id.store(daemon.id(), Ordering::SeqCst);
    let mut tasks = Vec::new();
    for at in 0..9 {
        let content = match at % 3 {
            1 => format!("I prefer the {POISON} number {at}."),
            _ => format!("I prefer the crane in harbour {at}."),
        };
        tasks.push(daemon.post("remember", &json!({"content": content})));
    }
    for (at, task) in tasks.iter().enumerate() {
        let task = daemon.finished(task);
        match at % 3 {
            1 => assert_eq!(
                (&task["status"], &task["error"]["code"]),
                (&json!("failed"), &json!("worker_crashed")),
                "{task}"
            ),
            _ => assert_eq!(task["status"], "completed", "{task}"),
        }
    }
    let asked = model.requests().iter().filter(|request| request.body.to_string().contains(POISON)).count();
    assert!((3..=9).contains(&asked), "three tasks that kill were tried {asked} times");
    assert_eq!(documents(&home.global()).len(), 6, "each of the others once");
    assert_eq!(daemon.stop(), Some(0));
    assert_healthy(&home);
}

#[test]
fn a_session_that_always_kills_its_reader_is_given_up_and_the_others_are_read() {
    let home = home();
    home.edit("config.toml", SETTINGS);
    session(&home, "s-poison", &[&format!("We talked about the {POISON}.")]);
    for at in 0..4 {
        session(&home, &format!("s-{at}"), &[&format!("We talked about mark-{at:04}.")]);
    }
    let reader = Arc::new(AtomicU32::new(0));
    let of = Arc::clone(&reader);
    let model = Model::answering(Wire::OpenAi, move |request| {
        if request.body.to_string().contains(POISON) {
            kill(of.load(Ordering::SeqCst));
            return Step::hang();
        }
        answer(request)
    });
    let mut deaths = 0;
    loop {
        let mut child = start(&home, &model);
        reader.store(child.id(), Ordering::SeqCst);
        match child.wait().unwrap().code() {
            None => deaths += 1,
            Some(_) => break,
        }
        assert!(deaths < 50, "it is tried without end");
    }
    let jobs = home.json(&["pipeline", "status"])["jobs"].clone();
    let of = |status: &str| jobs.as_array().unwrap().iter().filter(|job| job["status"] == status).count();
    assert_eq!(of("exhausted"), 1, "{jobs}");
    let given_up = jobs.as_array().unwrap().iter().find(|job| job["status"] == "exhausted").unwrap();
    assert_eq!(given_up["error"], "cut_off", "{given_up}");
    assert!((3..=12).contains(&deaths), "{deaths} readers died");
    let asked = asked(&model);
    assert_eq!(asked.values().copied().collect::<Vec<_>>(), [1; 4], "each of the others was read once: {asked:?}");
    assert_eq!(start(&home, &model).wait().unwrap().code(), Some(0), "what was given up stays so");
    assert_healthy(&home);
}

/// What a session or a book comes to.
fn answer(request: &Request) -> Step {
    let book = json!({"memory_md": "# Book\n", "memory_summary": "s", "skills": []});
    let session = json!({"raw_memory": "- learnt", "rollout_summary": "s", "rollout_slug": null});
    Step::say(if is_second(request) { book } else { session }.to_string())
}

/// How often each mark was asked about in the first phase.
fn asked(model: &Model) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for request in model.requests().iter().filter(|request| !is_second(request)) {
        let mark = number(request, "mark-");
        if !mark.is_empty() {
            *asked.entry(mark).or_default() += 1;
        }
    }
    asked
}

#[test]
fn eight_workers_at_one_queue_do_each_job_once() {
    let home = home();
    home.edit("config.toml", SETTINGS);
    let many = 1000;
    let files: Vec<String> = (0..many)
        .map(|at| {
            let said = json!({"id": "m0", "role": "user", "content": format!("We talked about mark-{at:04}."), "at": "2026-01-01T10:00:00Z"});
            write(&home.dir().join(format!("incoming/s-{at:04}.jsonl")), &format!("{said}\n")).display().to_string()
        })
        .collect();
    let words: Vec<&str> = ["session", "import"].into_iter().chain(files.iter().map(String::as_str)).collect();
    home.ok(&words);
    let model = Model::answering(Wire::OpenAi, answer);
    let mut workers: Vec<Child> = (0..8).map(|_| start(&home, &model)).collect();
    for worker in &mut workers {
        assert!(worker.wait().unwrap().success());
    }
    let asked = asked(&model);
    assert_eq!(asked.len(), many, "none was lost");
    let twice: Vec<_> = asked.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "read more than once: {twice:?}");
    let db = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap() as usize;
    assert_eq!(count("SELECT count(*) FROM extractions"), many, "each has one result");
    assert_eq!(count("SELECT count(*) FROM jobs WHERE status <> 'done'"), 0);
    drop(db);
    assert_healthy(&home);
}
