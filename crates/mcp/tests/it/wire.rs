//! The line itself: versions, garbage, what comes too early and what is too long.

use crate::Machine;
use loci_domain::access::Mode;
use serde_json::{Value, json};

/// What a request of the revision without a greeting carries.
fn inline() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[tokio::test]
async fn every_revision_is_spoken() {
    let machine = Machine::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = machine.stranger(Mode::Exec);
        let hello = client.greet(version).await;
        assert_eq!(hello["protocolVersion"], version);
        assert_eq!(hello["serverInfo"]["name"], "loci");
        assert_eq!(hello["capabilities"]["resources"]["subscribe"], true);
        client.ask("ping", json!({})).await;
    }
    let mut client = machine.stranger(Mode::Exec);
    assert_eq!(client.greet("2099-01-01").await["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn the_newest_revision_needs_no_greeting() {
    let machine = Machine::new();
    let mut client = machine.stranger(Mode::Exec);
    let found = client.ask("server/discover", json!({"_meta": inline()})).await;
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    let tools = client.ask("tools/list", json!({"_meta": inline()})).await;
    assert_eq!(tools["tools"].as_array().unwrap().len(), 6);
    let call = json!({"name": "memory", "arguments": {"command": "view", "path": "/memories"}, "_meta": inline()});
    assert_eq!(client.ask("tools/call", call).await["isError"], false);
}

#[tokio::test]
async fn nothing_is_told_before_the_greeting() {
    let machine = Machine::new();
    machine.client(Mode::Exec).await.text("remember", json!({"content": "I drink green tea."})).await;
    let mut client = machine.stranger(Mode::Exec);
    client.raw(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await;
    client.raw(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n").await;
    let call = json!({"name": "recall", "arguments": {"query": "green tea"}});
    let refused = client.answer("tools/call", call).await;
    assert!(refused["error"].is_object() && !refused.to_string().contains("green"), "{refused}");
    client.greet("2025-06-18").await;
    client.ask("ping", json!({})).await;
}

#[tokio::test]
async fn what_is_no_message_ends_nothing() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    for garbage in [
        &b"this is not json\n"[..],
        b"\xff\xfe\x00\n",
        b"\n\r\n",
        b"[]\n",
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
        b"5\n",
        b"null\n",
        b"{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}\n",
    ] {
        client.raw(garbage).await;
        client.ask("ping", json!({})).await;
    }
    let unknown = client.answer("no/such/method", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601);
}

#[tokio::test]
async fn params_that_do_not_fit_are_no_unknown_method() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    for (method, params) in [
        ("tools/call", json!({"name": "recall", "arguments": []})),
        ("tools/call", json!({"arguments": {}})),
        ("tools/call", json!({"name": 5})),
        ("prompts/get", json!({})),
        ("resources/read", json!({"uri": 5})),
        ("resources/subscribe", json!({})),
        ("logging/setLevel", json!({"level": "loud"})),
    ] {
        let refused = client.answer(method, params).await;
        assert_eq!(refused["error"]["code"], -32602, "{method}: {refused}");
    }
}

#[tokio::test]
async fn a_message_too_long_is_refused_and_the_next_one_is_read() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    let long = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 500, "method": "tools/call", "params": {"name": "remember", "arguments": {"content": "x".repeat(10 << 20)}}})
    );
    client.raw(long.as_bytes()).await;
    let told = client.next().await;
    assert_eq!(told["error"]["code"], -32600, "{told}");
    client.ask("ping", json!({})).await;
    // One that fits is a matter of the tool.
    let words = client.fails("remember", json!({"content": "word ".repeat(1 << 18)})).await;
    assert!(words.contains("remember takes at most 65536"), "{words}");
}

#[tokio::test]
async fn answers_find_their_questions() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    for n in 0..20 {
        let call = json!({"command": "create", "path": format!("/memories/global/n{n}.md"), "file_text": format!("Note {n}.\n")});
        let line = json!({"jsonrpc": "2.0", "id": format!("call-{n}"), "method": "tools/call", "params": {"name": "memory", "arguments": call}});
        client.raw(format!("{line}\n").as_bytes()).await;
    }
    for _ in 0..20 {
        let answer = client.next().await;
        let n = answer["id"].as_str().unwrap().trim_start_matches("call-");
        let words = format!("File created successfully at: /memories/global/n{n}.md");
        assert_eq!(answer["result"]["content"][0]["text"], words.as_str());
    }
}
