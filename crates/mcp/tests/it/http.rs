//! Streamable HTTP without a socket: whose session it is, what it may do, and the shape of every answer.

use crate::Machine;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use loci_domain::access::Mode;
use loci_mcp::{Guest, Http, Limits};
use serde_json::{Value, json};
use std::time::Duration;

fn http(machine: &Machine, sessions: usize) -> Http {
    let limits = Limits { body_bytes: 4096, sessions, idle: Duration::from_secs(60) };
    Http::new(machine.mcp(Mode::Exec), limits)
}

fn owner() -> Guest {
    Guest { name: "owner".to_owned(), mode: Mode::Exec }
}

struct Answer {
    status: StatusCode,
    session: Option<String>,
    body: Value,
}

/// Asks; the last message of a stream is the answer.
async fn send(http: &Http, guest: &Guest, method: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::builder().method(method).uri("http://127.0.0.1/mcp").header("host", "127.0.0.1");
    let usual = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    for (name, value) in usual.iter().filter(|(name, _)| headers.iter().all(|(given, _)| given != name)).chain(headers)
    {
        request = request.header(*name, *value);
    }
    let mut request = request.body(Full::new(bytes::Bytes::from(body.to_owned()))).unwrap();
    request.extensions_mut().insert(guest.clone());
    let answer = http.answer(request).await;
    let status = answer.status();
    let session = answer.headers().get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
    let text = tokio::time::timeout(Duration::from_secs(20), answer.into_body().collect()).await.unwrap().unwrap();
    let text = String::from_utf8(text.to_bytes().to_vec()).unwrap();
    let mut events =
        text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).filter(|data| !data.is_empty());
    let last = events.next_back().unwrap_or(&text).to_owned();
    Answer { status, session, body: serde_json::from_str(&last).unwrap_or_default() }
}

async fn ask(http: &Http, guest: &Guest, session: Option<&str>, method: &str, params: Value) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let headers: Vec<(&str, &str)> = session.map(|id| ("mcp-session-id", id)).into_iter().collect();
    send(http, guest, "POST", &headers, &body).await
}

async fn greet(http: &Http, guest: &Guest) -> String {
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let answer = ask(http, guest, None, "initialize", hello).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.session.unwrap()
}

fn create(path: &str) -> Value {
    json!({"name": "memory", "arguments": {"command": "create", "path": path, "file_text": "Text.\n"}})
}

#[tokio::test]
async fn a_session_is_its_owners_alone() {
    let machine = Machine::new();
    let http = http(&machine, 10);
    let other = Guest { name: "token:other".to_owned(), mode: Mode::Exec };
    let session = greet(&http, &owner()).await;
    assert_eq!(ask(&http, &owner(), Some(&session), "tools/list", json!({})).await.status, 200);
    for (guest, id) in [(&other, session.as_str()), (&owner(), "no-such-session"), (&owner(), "")] {
        let refused = ask(&http, guest, Some(id), "tools/call", create("/memories/global/a.md")).await;
        assert_eq!(refused.status, 404);
        assert_eq!((&refused.body["jsonrpc"], &refused.body["error"]["code"]), (&json!("2.0"), &json!(-32001)));
    }
    assert_eq!(send(&http, &other, "DELETE", &[("mcp-session-id", &session)], "").await.status, 404);
    assert!(send(&http, &owner(), "DELETE", &[("mcp-session-id", &session)], "").await.status.is_success());
    assert_eq!(ask(&http, &owner(), Some(&session), "ping", json!({})).await.status, 404, "it was ended");
    assert!(machine.memory.list(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn sessions_are_bounded() {
    let machine = Machine::new();
    let http = http(&machine, 2);
    let (first, second) = (greet(&http, &owner()).await, greet(&http, &owner()).await);
    ask(&http, &owner(), Some(&first), "ping", json!({})).await;
    let third = greet(&http, &owner()).await;
    let alive = async |id: &str| ask(&http, &owner(), Some(id), "ping", json!({})).await.status == 200;
    assert!(alive(&first).await && alive(&third).await);
    assert!(!alive(&second).await, "the one that was silent longest makes room");
}

#[tokio::test]
async fn who_may_only_read_changes_nothing() {
    let machine = Machine::new();
    let http = http(&machine, 10);
    let reader = Guest { name: "token:reader".to_owned(), mode: Mode::Explore };
    let session = greet(&http, &reader).await;
    let tools = ask(&http, &reader, Some(&session), "tools/list", json!({})).await.body;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 3, "{tools}");
    for call in [
        create("/memories/global/a.md"),
        json!({"name": "memory", "arguments": {"command": "delete", "path": "/memories/global/a.md"}}),
        json!({"name": "remember", "arguments": {"content": "The door is green."}}),
        json!({"name": "forget", "arguments": {"query": "door"}}),
        json!({"name": "dream", "arguments": {}}),
    ] {
        let answer = ask(&http, &reader, Some(&session), "tools/call", call.clone()).await.body;
        assert_eq!(answer["result"]["isError"], true, "{call}: {answer}");
    }
    let view = json!({"name": "memory", "arguments": {"command": "view", "path": "/memories"}});
    assert_eq!(ask(&http, &reader, Some(&session), "tools/call", view).await.body["result"]["isError"], false);
    assert!(machine.memory.list(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn every_refusal_has_the_protocols_shape() {
    let machine = Machine::new();
    let http = http(&machine, 10);
    let post = |body: &'static str| (vec![], "POST", body.to_owned());
    for ((headers, method, body), status) in [
        (post("{"), None),
        (post("[]"), None),
        (post("5"), None),
        (post("{\"jsonrpc\":\"1.0\"}"), None),
        (post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"), None),
        ((vec![("content-type", "text/plain")], "POST", "{}".to_owned()), Some(415)),
        ((vec![("accept", "text/html")], "POST", "{}".to_owned()), Some(406)),
        (
            (
                vec![("mcp-protocol-version", "1999-01-01")],
                "POST",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".to_owned(),
            ),
            Some(400),
        ),
        ((vec![], "POST", format!("{{\"pad\":\"{}\"}}", "x".repeat(5000))), Some(413)),
        ((vec![], "PUT", "{}".to_owned()), Some(405)),
        ((vec![], "PATCH", "{}".to_owned()), Some(405)),
        ((vec![], "GET", String::new()), None),
        ((vec![], "DELETE", String::new()), None),
    ] {
        let refused = send(&http, &owner(), method, &headers, &body).await;
        let shown = body.chars().take(60).collect::<String>();
        assert!(refused.status.is_client_error(), "{method} {shown}: {}", refused.status);
        assert!(status.is_none_or(|status| refused.status == status), "{method} {shown}: {}", refused.status);
        assert_eq!(refused.body["jsonrpc"], "2.0", "{method} {shown}: {}", refused.body);
        assert!(refused.body["error"]["code"].is_number(), "{method} {shown}: {}", refused.body);
    }
}

#[tokio::test]
async fn the_newest_revision_has_no_sessions_and_believes_the_body() {
    let machine = Machine::new();
    let http = http(&machine, 10);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut call = create("/memories/global/new.md");
    call["_meta"] = meta;
    let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}).to_string();
    let headers =
        |name: &'static str| [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", name)];
    let mismatch = send(&http, &owner(), "POST", &headers("recall"), &body).await;
    assert_eq!(mismatch.status, 400, "{}", mismatch.body);
    assert!(machine.memory.list(None).await.unwrap().is_empty());
    let done = send(&http, &owner(), "POST", &headers("memory"), &body).await;
    assert_eq!((done.status, done.session), (StatusCode::OK, None));
    assert_eq!(done.body["result"]["isError"], false, "{}", done.body);
}
