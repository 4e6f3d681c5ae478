//! Records and turns on the wire: shapes, fields, and whose they are; what is behind them is tested in their own rooms.

use crate::{app, app_of, ask, daemon, now, refused, request, settings};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use loci_server::hash;
use loci_store::record::Account;
use serde_json::{Value, json};

fn send(method: &str, path: &str, body: &Value, headers: &[(&str, &str)]) -> Request<Body> {
    let body = body.to_string();
    let length = body.len().to_string();
    let mut all = vec![("content-length", length.as_str())];
    all.extend(headers);
    request(method, path, &all, body)
}

async fn made(app: &Router, path: &str, body: Value) -> Value {
    let (status, made, _) = ask(app, send("POST", path, &body, &[])).await;
    assert_eq!(status, 201, "{made}");
    made
}

#[tokio::test]
async fn a_turn_goes_over_the_wire() {
    let app = app();
    let agent = made(&app, "/accounts/me/agents", json!({"system": "Be brief.", "workspaces": []})).await;
    let id = agent["id"].as_str().unwrap();
    let event = json!({"eventId": "e-1", "agentId": id, "events": [{"role": "user", "content": "hi"}]});
    let turn = made(&app, "/conversations/a%2Fb/turns", event.clone()).await;
    assert_eq!((&turn["system"][0]["name"], &turn["system"][0]["text"]), (&json!("agent"), &json!("Be brief.")));
    assert!(turn["system"][0]["tokens"].as_u64().unwrap() > 0);
    assert_eq!(turn["messages"], json!([{"role": "user", "content": "hi"}]));
    assert_eq!((&turn["tools"], &turn["compaction"]), (&json!([]), &json!({"status": "none"})));
    let (status, again, _) = ask(&app, send("POST", "/conversations/a%2Fb/turns", &event, &[])).await;
    assert_eq!((status.as_u16(), again), (200, json!({"duplicate": true})));
    let other = json!({"eventId": "e-2", "agentId": id, "events": []});
    refused(&app, send("POST", "/conversations/a%2Fb/turns", &other, &[]), 409, "conversation_busy").await;
    let base = format!("/conversations/a%2Fb/turns/{}", turn["turnId"].as_str().unwrap());
    let (_, renewed, _) = ask(&app, send("POST", &format!("{base}/renew"), &json!({}), &[])).await;
    assert_eq!(renewed["lease"]["token"], turn["lease"]["token"]);
    let said = json!({"messages": [{"role": "assistant", "content": "hello"}]});
    let (status, done, _) = ask(&app, send("POST", &format!("{base}/complete"), &said, &[])).await;
    assert_eq!((status.as_u16(), &done["status"]), (200, &json!("completed")));
    refused(&app, send("POST", &format!("{base}/complete"), &said, &[]), 409, "turn_finished").await;
    let (_, shown, _) = ask(&app, request("GET", "/conversations/a%2Fb", &[], "")).await;
    assert_eq!((&shown["key"], shown["messages"].as_array().unwrap().len()), (&json!("a/b"), 2));
    assert_eq!(shown["messages"][1]["id"], "m2");
}

/// Whatever part of it is asked for.
#[tokio::test]
async fn a_conversation_tells_all_approvals_that_wait() {
    let app = app();
    let agent = made(&app, "/accounts/me/agents", json!({"workspaces": []})).await;
    let asks = json!([
        {"type": "tool-call", "toolCallId": "c1", "toolName": "bash", "input": {}},
        {"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1"},
    ]);
    let events = json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": asks}]);
    made(&app, "/conversations/t/turns", json!({"eventId": "e", "agentId": agent["id"], "events": events})).await;
    for part in ["", "?from=1", "?from=5", "?limit=1"] {
        let (_, shown, _) = ask(&app, request("GET", &format!("/conversations/t{part}"), &[], "")).await;
        assert_eq!(shown["pendingApprovals"][0]["approvalId"], "a1", "{part}: {shown}");
    }
}

#[tokio::test]
async fn another_account_sees_nothing_of_local() {
    let daemon = daemon(settings(), now());
    let beta = Account {
        id: "acct_b".to_owned(),
        name: "beta".to_owned(),
        hash: hash("beta-key"),
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    assert!(daemon.ledger().add_account(&beta).await.unwrap());
    let app = app_of(daemon);
    let agent = made(&app, "/accounts/me/agents", json!({})).await;
    let as_beta = [("authorization", "Bearer beta-key")];
    let (_, me, _) = ask(&app, request("GET", "/accounts/me", &as_beta, "")).await;
    assert_eq!(me, json!({"id": "acct_b", "name": "beta"}));
    let (_, none, _) = ask(&app, request("GET", "/accounts/me/agents", &as_beta, "")).await;
    assert_eq!(none, json!({"agents": []}));
    let path = format!("/accounts/me/agents/{}", agent["id"].as_str().unwrap());
    refused(&app, request("GET", &path, &as_beta, ""), 404, "agent_not_found").await;
    refused(&app, request("GET", "/receipts/none", &as_beta, ""), 404, "no_such_receipt").await;
    for owners in
        ["/settings", "/status", "/accounts", "/pipeline/jobs", "/mcp", "/metrics", "/memory/events", "/costs"]
    {
        refused(&app, request("GET", owners, &as_beta, ""), 403, "forbidden").await;
    }
}
