//! The daemon's token and a model's key: in no process list, log, answer or file but their own.

use crate::support::{G, doc, holding, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::model::{KEY, Model, Step, Wire};
use serde_json::json;
use std::fs::File;

#[test]
fn the_token_and_the_key_are_told_to_nobody() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("A", "Text."));
    // A service that answers with all that it was sent, the key too.
    let model = Model::answering(Wire::OpenAi, |_| Step::echo(400));
    let log = home.dir().join("log");
    let mut command = home.loci(&["serve", "--port", "0", "--json"]);
    command.env("LOCI_LOG", "trace").envs(model.environment()).stderr(File::create(&log).unwrap());
    let daemon = Daemon::of(command);
    let token = daemon.token().trim().to_owned();
    assert!(token.len() >= 32);

    let mut answers = daemon.finished(&daemon.post("remember", &json!({"content": "I keep bees."}))).to_string();
    for path in ["settings", "status", "metrics", "costs", "capabilities", "openapi.json", "workspace/memory/tasks"] {
        let (host, path) = (daemon.address(), format!("/{path}"));
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n");
        let answer = daemon.raw(format!("{head}Connection: close\r\n\r\n").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        answers += &answer;
    }
    answers += &daemon.ask("POST", "/models/test", Some(&json!({"role": "default"}))).1.to_string();
    let near = format!("{token}x");
    answers += &daemon.ask_as(&near, "GET", &format!("/status?token={token}"), None).1.to_string();
    answers += &daemon.ask("POST", &format!("/no/such/{token}"), None).1.to_string();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        answers += &std::fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
    }
    assert_eq!(daemon.stop(), Some(0));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("daemon.request"), "the log was asked for: {log}");
    assert!(model.requests().iter().any(|request| request.headers.values().any(|value| value.contains(KEY))));
    for (secret, own) in [(token.as_str(), vec!["token".to_owned()]), (KEY, Vec::new())] {
        assert!(!answers.contains(secret), "an answer or a process list holds it");
        assert!(!log.contains(secret), "the log holds it");
        assert_eq!(holding(home.home(), secret), own);
    }
}
