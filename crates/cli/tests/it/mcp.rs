//! `loci mcp` and `/mcp` as agents meet them, through the real binary.

use crate::support::{assert_healthy, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn create(path: &str, text: &str) -> Value {
    json!({"command": "create", "path": path, "file_text": text})
}

#[test]
fn stdout_is_the_protocols_and_no_log_holds_memory() {
    let home = home();
    let mut mcp = home.mcp(&[], &[("LOCI_LOG", "trace".to_owned())]);
    let sentinel = "The heron nests at Quillfeather Pond.";
    mcp.call("remember", json!({"content": sentinel}));
    let found = mcp.call("recall", json!({"query": "where does the heron nest?"}));
    assert!(found.to_string().contains("Quillfeather"), "{found}");
    mcp.say(&json!({"this is": "no message"}));
    let told = mcp.hear();
    assert_eq!(told["error"]["code"], -32600, "{told}");
    let (exit, rest, stderr) = mcp.finish();
    assert_eq!((exit, rest.as_str()), (Some(0), ""));
    assert!(!stderr.is_empty(), "the log was asked for");
    assert!(!stderr.contains("Quillfeather"), "{stderr}");
}

#[test]
fn what_was_asked_before_the_end_of_stdin_is_answered() {
    let home = home();
    let mut mcp = home.mcp(&[], &[]);
    mcp.request("tools/call", json!({"name": "memory", "arguments": create("/memories/global/last.md", "Last.\n")}));
    let (exit, rest, _) = mcp.finish();
    assert_eq!(exit, Some(0));
    assert!(rest.contains("File created successfully at: /memories/global/last.md"), "{rest}");
    assert_eq!(std::fs::read_to_string(home.global().join("last.md")).unwrap(), "Last.\n");
}

#[test]
fn settings_hold_from_one_call_to_the_next() {
    let home = home();
    let mut mcp = home.mcp(&[], &[]);
    mcp.call("memory", create("/memories/global/a.md", "A.\n"));
    home.ok(&["config", "memory.enabled", "false"]);
    let off = mcp.call("memory", json!({"command": "view", "path": "/memories"}));
    assert_eq!(off["isError"], true, "{off}");
    assert_eq!(mcp.ask("tools/list", json!({}))["tools"], json!([]));
    home.ok(&["config", "memory.enabled", "true"]);
    assert_eq!(mcp.ask("tools/list", json!({}))["tools"].as_array().unwrap().len(), 6);
}

#[test]
fn a_cancelled_request_leaves_memory_as_it_was() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let mut mcp = home.mcp(&[], &model.environment());
    let id = mcp.request("tools/call", json!({"name": "remember", "arguments": {"content": "The sky is blue here."}}));
    let until = Instant::now() + Duration::from_secs(20);
    while model.requests().is_empty() {
        assert!(Instant::now() < until, "the model is asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    mcp.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    mcp.call("memory", create("/memories/global/after.md", "After.\n"));
    let start = Instant::now();
    assert_eq!(mcp.finish().0, Some(0));
    assert!(start.elapsed() < Duration::from_secs(5), "nothing is waited for");
    assert_eq!(home.list().keys().collect::<Vec<_>>(), ["/memories/global/after.md"]);
    assert_healthy(&home);
}

#[test]
fn a_plan_leaves_the_checkout_alone() {
    let home = home();
    home.ok(&["init", "--shared"]);
    let mut mcp = home.mcp(&["--mode", "plan"], &[]);
    for (name, arguments) in [
        ("remember", json!({"content": "We decided to ship on Friday."})),
        ("remember", json!({"content": "We decided to ship on Friday.", "scope": "project"})),
        ("dream", json!({})),
        ("memory", create("/memories/project/a.md", "A.\n")),
    ] {
        let refused = mcp.call(name, arguments);
        let words = "The project memory scope is read-only for this agent; only 'view' is allowed.";
        assert_eq!((&refused["isError"], refused["content"][0]["text"].as_str().unwrap()), (&json!(true), words));
    }
    let kept = mcp.call("remember", json!({"content": "I prefer short answers.", "scope": "global"}));
    assert_ne!(kept["isError"], true, "{kept}");
}

/// One request to `/mcp`; status, session and the last message.
pub fn post(daemon: &Daemon, token: &str, session: Option<&str>, message: &Value) -> (u16, Option<String>, Value) {
    let body = message.to_string();
    let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {0}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{session}Content-Length: {1}\r\nConnection: close\r\n\r\n{body}",
        daemon.address(),
        body.len()
    );
    let mut stream = TcpStream::connect(daemon.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let header = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    let messages = answer.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let last = messages.filter_map(|line| serde_json::from_str::<Value>(line).ok()).rfind(Value::is_object);
    (status, header.map(str::to_owned), last.unwrap_or_default())
}

/// A session of `/mcp`.
pub fn greet(daemon: &Daemon, token: &str) -> String {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let (status, session, answer) = post(daemon, token, None, &hello);
    assert_eq!(status, 200, "{answer}");
    session.unwrap()
}

#[test]
fn a_read_only_token_reads_over_mcp_too() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let token = home.json(&["token", "add", "reader", "--read-only"])["token"].as_str().unwrap().to_owned();
    let (own, session) = (greet(&daemon, daemon.token()), greet(&daemon, &token));
    let call = |arguments: Value| json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory", "arguments": arguments}});
    let make = call(create("/memories/global/a.md", "A.\n"));
    let (_, _, refused) = post(&daemon, &token, Some(&session), &make);
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert_eq!(post(&daemon, &token, Some(&own), &make).0, 404, "another's session is not there");
    let (_, _, made) = post(&daemon, daemon.token(), Some(&own), &make);
    assert_eq!(made["result"]["isError"], false, "{made}");
    let (_, _, seen) =
        post(&daemon, &token, Some(&session), &call(json!({"command": "view", "path": "/memories/global/a.md"})));
    assert!(seen.to_string().contains("A."), "{seen}");
    home.ok(&["token", "rm", "reader"]);
    assert_eq!(post(&daemon, &token, Some(&session), &make).0, 401);
}

#[test]
fn an_open_stream_does_not_hold_the_daemon_up() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let session = greet(&daemon, daemon.token());
    let mut stream = TcpStream::connect(daemon.address()).unwrap();
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        daemon.address(),
        daemon.token()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let start = Instant::now();
    assert_eq!(daemon.stop(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn pages_of_the_handbook_are_read() {
    let home = home();
    home.create("/memories/project/seed.md", "Seed.\n");
    let book = home.project_memory().with_file_name("handbook");
    loci_testkit::home::write(&book.join("memory_summary.md"), "Releases go out on Fridays.\n");
    loci_testkit::home::write(&book.join("MEMORY.md"), "# Handbook\n");
    std::os::unix::fs::symlink("/etc/hostname", book.join("leak.md")).unwrap();
    assert_eq!(home.ok(&["read", "memory://root"]), "Releases go out on Fridays.\n");
    let page = json!({"uri": "memory://root/MEMORY.md", "content": "# Handbook\n"});
    assert_eq!(home.json(&["read", "memory://root/MEMORY.md"]), page);
    assert_eq!(home.fails(&["read", "memory://root/none.md"], 3)["code"], "not_found");
    for bad in ["memory://root/leak.md", "memory://root/../memory/seed.md", "file:///etc/hostname"] {
        assert_eq!(home.fails(&["read", bad], 1)["code"], "invalid_uri", "{bad}");
    }
    assert_eq!(home.fails(&["read", "memory://root", "--project", ""], 6)["code"], "scope_unavailable");
    let daemon = Daemon::start(&home, &[], &[]);
    assert_eq!(daemon.ask("GET", "/memory/read?uri=memory%3A%2F%2Froot%2FMEMORY.md", None), (200, page));
    assert_eq!(daemon.ask("GET", "/memory/read?uri=memory%3A%2F%2Froot%2Fnone.md", None).0, 404);
    assert_eq!(daemon.ask("GET", "/memory/read?uri=memory%3A%2F%2Froot%2Fleak.md", None).0, 400);
    assert_eq!(daemon.ask("GET", "/memory/read", None).0, 400);
    assert!(!home.ok(&["context"]).contains("Fridays"));
    assert!(home.ok(&["context", "--set", "memories.enabled=true"]).contains("Fridays"));
}
