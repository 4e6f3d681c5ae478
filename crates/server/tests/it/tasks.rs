//! Tasks on the wire: fields, clients, room; what runs them is tested through the real binary.

use crate::{TOKEN, app, ask, daemon, refused, request, settings};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use loci_server::router;
use loci_store::record::Token;
use serde_json::{Value, json};

const REMEMBER: &str = "/workspace/memory/remember";

fn post(path: &str, body: Value, headers: &[(&str, &str)]) -> Request<Body> {
    let body = body.to_string();
    let length = body.len().to_string();
    let mut all = vec![("content-length", length.as_str())];
    all.extend(headers);
    request("POST", path, &all, body)
}

#[tokio::test]
async fn an_accepted_task_can_be_seen() {
    let app = app();
    let (status, made, _) = ask(&app, post(REMEMBER, json!({"content": " a fact ", "contextMode": null}), &[])).await;
    assert_eq!(
        (status.as_u16(), made["status"].as_str(), made["contextMode"].as_str()),
        (202, Some("queued"), Some("workspace"))
    );
    assert_eq!(made.as_object().unwrap().len(), 5, "{made}");
    let id = made["taskId"].as_str().unwrap();
    let (status, seen, _) = ask(&app, request("GET", &format!("{REMEMBER}/{id}"), &[], "")).await;
    assert_eq!(status, 200);
    assert_eq!((&seen["result"], &seen["error"], &seen["createdAt"]), (&Value::Null, &Value::Null, &made["createdAt"]));
    refused(&app, request("GET", &format!("/workspace/memory/dream/{id}"), &[], ""), 404, "dream_task_not_found").await;
    refused(&app, request("GET", &format!("/workspace/memory/banana/{id}"), &[], ""), 404, "not_found").await;
    let (_, cancelled, _) = ask(&app, request("DELETE", &format!("{REMEMBER}/{id}"), &[], "")).await;
    assert_eq!(cancelled["status"], "cancelled");
    refused(&app, request("DELETE", &format!("{REMEMBER}/{id}"), &[], ""), 409, "task_finished").await;
    let (_, listed, _) = ask(&app, request("GET", "/workspace/memory/tasks", &[], "")).await;
    assert_eq!(listed, json!({"tasks": [cancelled]}));
}

#[tokio::test]
async fn what_is_no_route_is_none_whoever_asks() {
    let app = app();
    let bad = [("x-loci-client-id", "client-of-nobody")];
    refused(&app, request("GET", "/workspace/memory/nokind/x", &bad, ""), 404, "not_found").await;
    refused(&app, request("GET", "/workspace/memory/remember/x", &bad, ""), 400, "invalid_client_id").await;
    for path in ["/workspaces/nope/memory/tasks", "/workspaces/nope/memory/remember/x"] {
        refused(&app, request("GET", path, &bad, ""), 404, "workspace_not_found").await;
    }
    refused(&app, request("GET", "/workspaces/nope/memory/nokind/x", &bad, ""), 404, "not_found").await;
}

#[tokio::test]
async fn every_field_has_its_own_code() {
    let app = app();
    for (path, body, code) in [
        (REMEMBER, json!({}), "invalid_content"),
        (REMEMBER, json!({"content": "\u{3000}\u{a0}"}), "invalid_content"),
        (REMEMBER, json!({"content": "x", "contextMode": "all"}), "invalid_context_mode"),
        (REMEMBER, json!({"content": "x", "scope": "workspace"}), "invalid_scope"),
        ("/workspace/memory/forget", json!({"query": 5}), "invalid_query"),
        ("/workspace/memory/forget", json!({"query": "x", "scope": ["user"]}), "invalid_scope"),
    ] {
        refused(&app, post(path, body, &[]), 400, code).await;
    }
    for path in [REMEMBER, "/workspace/memory/forget"] {
        refused(&app, request("POST", path, &[], ""), 400, "invalid_json").await;
    }
    assert_eq!(ask(&app, request("POST", "/workspace/memory/dream", &[], "")).await.0, 202);
    assert_eq!(ask(&app, post(REMEMBER, json!({"content": "x", "scope": "global"}), &[])).await.0, 202);
}

#[tokio::test]
async fn a_task_belongs_to_its_client() {
    let app = app();
    let client = async || {
        let (_, made, _) = ask(&app, request("POST", "/clients", &[], "")).await;
        made["clientId"].as_str().unwrap().to_owned()
    };
    let (mine, other) = (client().await, client().await);
    let as_me = [("x-loci-client-id", mine.as_str())];
    let (_, made, _) = ask(&app, post("/workspace/memory/dream", json!({}), &as_me)).await;
    let path = format!("/workspace/memory/dream/{}", made["taskId"].as_str().unwrap());
    assert_eq!(ask(&app, request("GET", &path, &[("x-qwen-client-id", &mine)], "")).await.0, 200);
    for headers in [vec![], vec![("x-loci-client-id", other.as_str())]] {
        refused(&app, request("GET", &path, &headers, ""), 404, "dream_task_not_found").await;
        refused(&app, request("DELETE", &path, &headers, ""), 404, "dream_task_not_found").await;
    }
    for forged in ["client-1", "has space", "x/y", &"x".repeat(129)] {
        refused(
            &app,
            post(REMEMBER, json!({"content": "x"}), &[("x-loci-client-id", forged)]),
            400,
            "invalid_client_id",
        )
        .await;
    }
    let both = [("x-loci-client-id", mine.as_str()), ("x-qwen-client-id", other.as_str())];
    refused(&app, request("GET", &path, &both, ""), 400, "invalid_client_id").await;
}

#[tokio::test]
async fn seventeen_are_too_many() {
    let app = app();
    for n in 0..16 {
        assert_eq!(ask(&app, post(REMEMBER, json!({"content": format!("fact {n}")}), &[])).await.0, 202);
    }
    for path in [REMEMBER, "/workspace/memory/forget", "/workspace/memory/dream"] {
        let headers =
            refused(&app, post(path, json!({"content": "x", "query": "x"}), &[]), 429, "remember_queue_full").await;
        assert_eq!(headers["retry-after"], "10");
    }
}

#[tokio::test]
async fn a_read_only_token_changes_nothing() {
    let daemon = daemon(settings(), crate::now());
    let token = |name: &str, read_only| Token {
        name: name.to_owned(),
        hash: loci_server::hash(name),
        read_only,
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    for token in [token("reader", true), token("writer", false)] {
        assert!(daemon.ledger().add_token(&token).await.unwrap());
    }
    let app = router(daemon.clone(), Router::new());
    let reader = [("authorization", "Bearer reader")];
    assert_eq!(ask(&app, request("GET", "/capabilities", &reader, "")).await.0, 200);
    for (method, path) in [
        ("POST", REMEMBER),
        ("POST", "/session"),
        ("POST", "/clients"),
        ("DELETE", "/workspace/memory/dream/x"),
        ("PUT", "/memory/file"),
        ("PATCH", "/settings"),
    ] {
        refused(&app, request(method, path, &reader, ""), 403, "forbidden").await;
    }
    let writer = [("authorization", "Bearer writer")];
    assert_eq!(ask(&app, request("POST", "/workspace/memory/dream", &writer, "")).await.0, 202);
    assert!(daemon.ledger().remove_token("writer").await.unwrap());
    assert_eq!(ask(&app, request("GET", "/capabilities", &writer, "")).await.0, 401);
    assert_ne!(TOKEN, "writer");
}

#[tokio::test]
async fn the_document_and_the_routes_agree() {
    let app = app();
    let (_, document, _) = ask(&app, request("GET", "/openapi.json", &[], "")).await;
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 10, "{}", paths.len());
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            // A stream has no end to wait for.
            if operation["responses"]["200"]["content"].get("text/event-stream").is_some() && !path.contains('{') {
                continue;
            }
            let concrete = path.replace("{kind}", "dream").replace("{task_id}", "x").replace("{id}", "x");
            let concrete = concrete.replace("{key}", "x").replace("{turn_id}", "x");
            let (_, body, _) = ask(&app, request(&method.to_uppercase(), &concrete, &[], "")).await;
            assert!(
                !["not_found", "method_not_allowed"].contains(&body["code"].as_str().unwrap_or_default()),
                "{method} {path}: {body}"
            );
        }
    }
}
