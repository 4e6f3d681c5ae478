//! The daemon as programs meet it: tasks that end whoever is killed, one at a time, and leave nothing when they fail.

use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, documents};
use loci_testkit::model::{Model, Step, Wire};
use loci_testkit::rounds;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn home() -> Home {
    Home::new(env!("CARGO_BIN_EXE_loci"))
}

pub fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < until, "{what} does not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn fact(n: usize) -> Value {
    json!({"content": format!("The crane in harbour {n} lifts {} tons.", n * 10 + 7)})
}

#[test]
fn lane_is_serial() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let ids: Vec<String> = (0..8).map(|n| daemon.post("remember", &fact(n))).collect();
    loop {
        // One list is one look: what it shows was true at the same moment.
        let (_, listed) = daemon.ask("GET", "/workspace/memory/tasks", None);
        let tasks = listed["tasks"].as_array().unwrap().clone();
        let running = tasks.iter().filter(|task| task["status"] == "running").count();
        assert!(running <= 1, "{running} run at once");
        if tasks.iter().all(|task| task["status"] == "completed") {
            break;
        }
        assert!(tasks.iter().all(|task| task["status"] != "failed"), "{listed}");
    }
    let mut ends: Vec<(String, String)> =
        ids.iter().map(|id| (daemon.task(id)["updatedAt"].as_str().unwrap().to_owned(), id.clone())).collect();
    ends.sort();
    assert_eq!(ends.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), ids, "they end in the order in which they came");
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn accepted_task_ends() {
    (0..rounds()).for_each(|_| cut_off_six_times());
}

fn cut_off_six_times() {
    let home = home();
    let mut ids = Vec::new();
    for round in 0..6 {
        let daemon = Daemon::start(&home, &[], &[]);
        // 15 in all: a lane takes 16, and on a slow machine none is done before the next kill.
        ids.extend((0..2).map(|n| daemon.post("remember", &fact(round * 2 + n))));
        if round % 2 == 0 {
            ids.push(daemon.post("dream", &json!({})));
        }
        // A moment that differs from round to round: before, in and after the work.
        std::thread::sleep(Duration::from_millis(round as u64 * 35));
        daemon.kill();
    }
    let daemon = Daemon::start(&home, &[], &[]);
    let ends: BTreeSet<String> = ids
        .iter()
        .map(|id| daemon.finished(id))
        .map(|task| {
            // Only one that was cut off twice may fail.
            match task["status"].as_str() {
                Some("completed") => "completed".to_owned(),
                _ => task["error"]["code"].as_str().unwrap_or_default().to_owned(),
            }
        })
        .collect();
    let fine = ["completed", "remember_failed", "dream_failed"];
    assert!(ends.iter().all(|end| fine.contains(&end.as_str())), "{ends:?}");
    assert_eq!(daemon.stop(), Some(0));
    home.ok(&["doctor"]);
}

#[test]
fn a_killed_worker_costs_one_task() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &model.environment());
    let doomed = daemon.post("remember", &fact(1));
    wait_for("the question", || !model.requests().is_empty());
    let workers = daemon.workers();
    assert_eq!(workers.len(), 1, "{workers:?}");
    Command::new("kill").args(["-9", &workers[0].to_string()]).status().unwrap();
    let task = daemon.finished(&doomed);
    assert_eq!((task["status"].as_str(), task["error"]["code"].as_str()), (Some("failed"), Some("worker_crashed")));
    assert!(documents(&home.global()).is_empty());
    assert_eq!(daemon.finished(&daemon.post("forget", &json!({"query": "nothing at all"})))["status"], "completed");
    assert_ne!(daemon.workers(), workers);
}

#[test]
fn a_cancelled_task_ends_its_question() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &model.environment());
    let running = daemon.post("remember", &fact(1));
    wait_for("the question", || !model.requests().is_empty());
    let (status, told) = daemon.ask("DELETE", &format!("/workspace/memory/remember/{running}"), None);
    assert_eq!((status, &told["status"]), (200, &json!("cancelled")));
    wait_for("the end of the question", || model.hung_up() > 0);
    assert_eq!(daemon.task(&running), told);
    assert!(documents(&home.global()).is_empty());
}

#[test]
fn a_worker_goes_with_its_daemon() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &model.environment());
    daemon.post("remember", &fact(1));
    wait_for("the question", || !model.requests().is_empty());
    let workers = daemon.workers();
    daemon.kill();
    wait_for("the end of the worker", || {
        workers.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}")).exists())
    });
}

#[test]
fn a_token_file_is_its_owners_alone_and_no_dead_link() {
    let home = home();
    let file = home.edit("token", "a-token-of-my-own\n");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    drop(Daemon::start(&home, &[], &[]));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(home.dir().join("nowhere"), &file).unwrap();
    let refused = home.fails(&["serve", "--port", "0"], 3);
    assert!(refused["error"].as_str().unwrap().contains("is a link to a file that is not there"), "{refused}");
    let mut command = home.loci(&["serve", "--port", "0", "--json"]);
    command.env("LOCI_TOKEN", "schlüssel");
    let refused = loci_testkit::home::Ran::of(command, b"").failed(2);
    assert!(refused["error"].as_str().unwrap().starts_with("LOCI_TOKEN"), "{refused}");
}

#[test]
fn a_task_for_a_project_that_is_not_there_says_so() {
    let home = home();
    let daemon = Daemon::start(&home, &["--project", ""], &[]);
    let task =
        daemon.finished(&daemon.post("remember", &json!({"content": "We ship on Fridays.", "scope": "project"})));
    assert_eq!(task["error"]["message"], "there is no project memory here; `loci status` tells why", "{task}");
}

#[test]
fn a_receipt_is_told_to_its_account_alone() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let key = home.json(&["account", "add", "bob"])["key"].as_str().unwrap().to_owned();
    let (status, recalled) = daemon.ask_as(&key, "POST", "/memory/recall", Some(&json!({"query": "tea"})));
    assert_eq!(status, 200, "{recalled}");
    let receipt = recalled["receipt"].as_str().unwrap();
    let path = format!("/receipts/{receipt}");
    assert_eq!(daemon.ask_as(&key, "GET", &path, None).0, 200);
    assert_eq!(daemon.ask("GET", &path, None).0, 404);
    home.fails(&["why", receipt], 3);
}

#[test]
fn a_token_opens_until_it_is_removed() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let made = home.json(&["token", "add", "phone", "--read-only"]);
    let token = made["token"].as_str().unwrap();
    assert_eq!(daemon.ask_as(token, "GET", "/capabilities", None).0, 200);
    assert_eq!(daemon.ask_as(token, "POST", "/workspace/memory/remember", Some(&fact(1))).0, 403);
    let listed = home.json(&["token", "list"]);
    assert_eq!((&listed["tokens"][0]["name"], &listed["tokens"][0]["readOnly"]), (&json!("phone"), &json!(true)));
    assert!(!listed.to_string().contains(token));
    home.fails(&["token", "add", "phone"], 4);
    home.ok(&["token", "rm", "phone"]);
    home.fails(&["token", "rm", "phone"], 3);
    assert_eq!(daemon.ask_as(token, "GET", "/capabilities", None).0, 401);
}

#[test]
fn an_acp_host_is_answered() {
    let home = home();
    let mut child = home.loci(&["acp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |id: u64, method: &str, params: Value| {
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).unwrap();
        let mut said = String::new();
        loop {
            let message: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            if message["id"] == json!(id) {
                return (message, said);
            }
            said.push_str(message["params"]["update"]["content"]["text"].as_str().unwrap_or_default());
        }
    };
    let (hello, _) = ask(1, "initialize", json!({"protocolVersion": 1, "clientCapabilities": {}}));
    assert_eq!(
        (&hello["result"]["protocolVersion"], &hello["result"]["agentInfo"]["name"]),
        (&json!(1), &json!("loci"))
    );
    let (made, _) = ask(2, "session/new", json!({"cwd": home.project(), "mcpServers": []}));
    let session = made["result"]["sessionId"].as_str().unwrap().to_owned();
    let prompt = |text: &str| json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
    let (done, said) = ask(3, "session/prompt", prompt("/remember I prefer green tea in the morning."));
    assert_eq!((&done["result"]["stopReason"], said.starts_with("Saved ")), (&json!("end_turn"), true), "{said}");
    let (_, said) = ask(4, "session/prompt", prompt("which tea do I prefer in the morning?"));
    assert!(said.contains("green tea"), "{said}");
    let (_, said) = ask(5, "session/prompt", prompt("/forget green tea"));
    assert!(said.starts_with("Forgot 1 memory entry."), "{said}");
    let (_, said) = ask(6, "session/prompt", prompt("/dream"));
    assert!(said.contains("tidy"), "{said}");
    for (id, word) in [(20, "/remember"), (21, "/forget")] {
        let (_, said) = ask(id, "session/prompt", prompt(word));
        assert_eq!(said, format!("Say what to {} behind {word}.", &word[1..]));
    }
    let (refused, _) = ask(22, "session/new", json!({"cwd": "here", "mcpServers": []}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("absolute"), "{refused}");
    for id in 100..1101 {
        let (made, _) = ask(id, "session/new", json!({"cwd": home.project(), "mcpServers": []}));
        assert!(made["result"]["sessionId"].is_string(), "{made}");
    }
    let (gone, _) = ask(23, "session/prompt", prompt("hello"));
    assert_eq!(gone["error"]["code"], -32002, "the oldest gave way");
    let (refused, _) = ask(7, "no/such/method", json!({}));
    assert_eq!(refused["error"]["code"], -32601);
    let (there, _) = ask(8, "_loci/workspace/memory/remember/availability", json!({}));
    assert_eq!(there["result"]["available"], true);
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_cancel_right_behind_its_prompt_is_heard() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let mut command = home.loci(&["acp"]);
    command.envs(model.environment());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = |id: u64| loop {
        let message: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        if message["id"] == json!(id) {
            return message;
        }
    };
    let ask = |id: u64, method: &str, params: Value| {
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let new = ask(1, "session/new", json!({"cwd": home.project(), "mcpServers": []}));
    input.write_all(new.as_bytes()).unwrap();
    let session = answer(1)["result"]["sessionId"].as_str().unwrap().to_owned();
    let cancel = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "/remember I prefer green tea."}]});
    // In one go, so that both are read before the prompt is looked at.
    let both = format!("{}{cancel}\n", ask(2, "session/prompt", prompt));
    input.write_all(both.as_bytes()).unwrap();
    assert_eq!(answer(2)["result"]["stopReason"], "cancelled");
    // One that nobody waits for does not hit the next prompt.
    let late = format!(
        "{cancel}\n{}",
        ask(3, "session/prompt", json!({"sessionId": session, "prompt": [{"type": "text", "text": "/remember"}]}))
    );
    input.write_all(late.as_bytes()).unwrap();
    assert_eq!(answer(3)["result"]["stopReason"], "end_turn");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_request_with_two_lengths_is_refused() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let head = "POST /workspace/memory/dream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let hidden = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let both = format!("{head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}");
    let answer = daemon.raw(both.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("\"code\":\"ambiguous_length\""), "{answer}");
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "the connection ends: {answer}");
    let twice = format!("{head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{{}}   {hidden}");
    assert!(daemon.raw(twice.as_bytes()).starts_with("HTTP/1.1 400 "));
    let chunks = format!("{head}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{hidden}");
    let answer = daemon.raw(chunks.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 401 "), "chunks alone are well: {answer}");
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "and the last of their connection: {answer}");
}
