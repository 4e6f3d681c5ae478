//! Curation: what routes answer, and that the document says so.

use crate::{app, app_of, ask, daemon, refused, request, settings};
use axum::http::StatusCode;
use loci_server::Now;
use serde_json::{Value, json};

fn sent(method: &str, path: &str, body: &Value) -> axum::http::Request<axum::body::Body> {
    let body = body.to_string();
    request(method, path, &[("content-length", &body.len().to_string())], body)
}

#[tokio::test]
async fn a_file_is_saved_read_and_removed_by_version() {
    let app = app();
    let path = "/memories/global/user/tea.md";
    let save = json!({"path": path, "content": "Green tea.\n", "expectedSha256": null});
    let (status, saved, _) = ask(&app, sent("PUT", "/memory/file", &save)).await;
    assert_eq!(status, StatusCode::OK, "{saved}");
    let (_, conflict, _) = ask(&app, sent("PUT", "/memory/file", &save)).await;
    assert_eq!((&conflict["code"], &conflict["sha256"]), (&json!("conflict"), &saved["sha256"]));
    let (_, read, _) = ask(&app, request("GET", &format!("/memory/file?path={path}"), &[], "")).await;
    assert_eq!(read, json!({"path": path, "content": "Green tea.\n", "sha256": saved["sha256"]}));
    let sha = saved["sha256"].as_str().unwrap();
    let gone = request("DELETE", &format!("/memory/file?path={path}&expectedSha256={sha}"), &[], "");
    assert_eq!(ask(&app, gone).await.0, StatusCode::NO_CONTENT);
    let again = request("DELETE", &format!("/memory/file?path={path}&expectedSha256={sha}"), &[], "");
    let (status, body, _) = ask(&app, again).await;
    assert_eq!((status, &body["sha256"]), (StatusCode::CONFLICT, &Value::Null));
}

#[tokio::test]
async fn a_file_is_read_as_a_change_left_it() {
    let app = app();
    let path = "/memories/global/user/tea.md";
    let save = |content: &str, expected: Value| {
        sent("PUT", "/memory/file", &json!({"path": path, "content": content, "expectedSha256": expected}))
    };
    let (_, first, _) = ask(&app, save("Green.\n", Value::Null)).await;
    let (_, second, _) = ask(&app, save("Black.\n", first["sha256"].clone())).await;
    let sha = second["sha256"].as_str().unwrap();
    ask(&app, request("DELETE", &format!("/memory/file?path={path}&expectedSha256={sha}"), &[], "")).await;
    let (_, history, _) = ask(&app, request("GET", &format!("/memory/history?path={path}"), &[], "")).await;
    let at = |change: usize| {
        let id = history["changes"][change]["id"].as_str().unwrap();
        request("GET", &format!("/memory/file?path={path}&at={id}"), &[], "")
    };
    refused(&app, at(0), 404, "not_found").await;
    assert_eq!(ask(&app, at(1)).await.1, json!({"path": path, "content": "Black.\n", "sha256": sha}));
    assert_eq!(ask(&app, at(2)).await.1["content"], "Green.\n");
    let unknown = request("GET", &format!("/memory/file?path={path}&at=none"), &[], "");
    refused(&app, unknown, 404, "no_such_change").await;
}

#[tokio::test]
async fn looking_around_is_no_use() {
    let app = app();
    let tea = "---\nname: Tea\ndescription: Drink of choice\ntype: user\n---\nDrinks green tea in the morning.\n";
    let save = json!({"path": "/memories/global/user/tea.md", "content": tea, "expectedSha256": null});
    ask(&app, sent("PUT", "/memory/file", &save)).await;
    let uses = async || ask(&app, request("GET", "/memory/files", &[], "")).await.1["files"][0]["uses"].clone();
    let question = json!({"query": "green tea", "count": false});
    let (_, looked, _) = ask(&app, sent("POST", "/memory/recall", &question)).await;
    assert_eq!((&looked["hits"][0]["name"], uses().await), (&json!("Tea"), json!(0)), "{looked}");
    ask(&app, sent("POST", "/memory/recall", &json!({"query": "green tea"}))).await;
    assert_eq!(uses().await, json!(1));
}

#[tokio::test]
async fn bad_questions_are_refused_in_the_one_shape() {
    let app = app();
    refused(&app, request("GET", "/memory/file", &[], ""), 400, "invalid_path").await;
    refused(&app, request("GET", "/memory/log?limit=many", &[], ""), 400, "invalid_query_string").await;
    refused(&app, request("GET", "/memory/log?limit=1001", &[], ""), 400, "invalid_limit").await;
    refused(&app, request("GET", "/costs?days=0", &[], ""), 400, "invalid_days").await;
    refused(&app, sent("POST", "/memory/recall", &json!({"query": 7})), 400, "invalid_field").await;
    refused(&app, sent("POST", "/memory/recall", &json!({"query": null})), 400, "invalid_query").await;
    for limit in [json!(1001), json!(-1), json!(1.5), json!("many")] {
        let question = json!({"query": "tea", "limit": limit});
        refused(&app, sent("POST", "/memory/recall", &question), 400, "invalid_limit").await;
    }
    for (field, value) in [("scope", json!(5)), ("session", json!([])), ("model", json!("no")), ("count", json!(0))] {
        let (_, body, _) = ask(&app, sent("POST", "/memory/recall", &json!({"query": "tea", field: value}))).await;
        assert!(body["error"].as_str().unwrap().starts_with(&format!("{field} is ")), "{body}");
    }
    refused(&app, sent("POST", "/memory/tool", &json!({"command": "view", "mode": "root"})), 400, "invalid_mode").await;
    refused(&app, request("GET", "/receipts/none", &[], ""), 404, "no_such_receipt").await;
    refused(&app, request("GET", "/sessions/none", &[], ""), 404, "no_such_session").await;
    refused(&app, request("GET", "/sessions?query=tea&limit=101", &[], ""), 400, "invalid_limit").await;
}

#[tokio::test]
async fn a_path_that_is_no_text_is_no_route_in_the_one_shape() {
    let app = app();
    for (method, path) in [
        ("GET", "/sessions/%FF"),
        ("GET", "/session/%FF/events"),
        ("GET", "/receipts/%FF"),
        ("POST", "/memory/proposals/%FF/apply"),
        ("POST", "/memory/proposals/%FF/discard"),
        ("POST", "/pipeline/jobs/%FF/retry"),
        ("GET", "/accounts/me/workspaces/%FF"),
        ("GET", "/accounts/me/workspaces/%FF/files"),
        ("GET", "/accounts/me/agents/%FF"),
        ("GET", "/accounts/me/sandboxes/%FF"),
        ("DELETE", "/accounts/%FF"),
        ("DELETE", "/agents/connections/%FF"),
        ("GET", "/workspace/memory/remember/%FF"),
        ("GET", "/workspaces/%FF/memory/tasks"),
        ("GET", "/conversations/%FF"),
    ] {
        refused(&app, request(method, path, &[], ""), 404, "not_found").await;
    }
}

#[tokio::test]
async fn bodies_are_looked_at_where_none_is_needed() {
    let app = app();
    for path in ["/memory/proposals/x/apply", "/memory/proposals/x/discard", "/pipeline/jobs/1/retry"] {
        refused(&app, request("POST", path, &[("content-length", "1")], "{"), 400, "invalid_json").await;
        let text = [("content-length", "2"), ("content-type", "text/plain")];
        refused(&app, request("POST", path, &text, "{}"), 415, "unsupported_media_type").await;
        refused(&app, request("POST", path, &[("content-length", "9999")], "x".repeat(9999)), 413, "body_too_large")
            .await;
        refused(
            &app,
            request("POST", path, &[], ""),
            404,
            if path.contains("jobs") { "job_not_found" } else { "no_such_proposal" },
        )
        .await;
    }
}

#[tokio::test]
async fn an_undo_that_meets_another_version_tells_it() {
    let app = app();
    let path = "/memories/global/user/tea.md";
    let save = |content: &str, expected: Value| {
        sent("PUT", "/memory/file", &json!({"path": path, "content": content, "expectedSha256": expected}))
    };
    let (_, first, _) = ask(&app, save("Green.\n", Value::Null)).await;
    let (_, second, _) = ask(&app, save("Black.\n", first["sha256"].clone())).await;
    let (_, history, _) = ask(&app, request("GET", &format!("/memory/history?path={path}"), &[], "")).await;
    let (status, body, _) = ask(&app, sent("POST", "/memory/undo", &json!({"id": history["changes"][1]["id"]}))).await;
    assert_eq!((status, &body["code"]), (StatusCode::CONFLICT, &json!("conflict")), "{body}");
    assert_eq!(body["sha256"], second["sha256"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_file_has_its_code() {
    let app = app();
    let file = "/memories/global/user/tea.md";
    let save = |path: &str, content: Value| {
        sent("PUT", "/memory/file", &json!({"path": path, "content": content, "expectedSha256": null}))
    };
    ask(&app, save(file, json!("Tea.\n"))).await;
    let folder = "/memories/global/user";
    refused(&app, request("GET", &format!("/memory/file?path={folder}"), &[], ""), 400, "invalid_path").await;
    refused(&app, save(folder, json!("x\n")), 400, "invalid_path").await;
    refused(&app, save(&format!("{file}/below.md"), json!("x\n")), 400, "invalid_path").await;
    let sha = "0".repeat(64);
    let remove = request("DELETE", &format!("/memory/file?path={folder}&expectedSha256={sha}"), &[], "");
    refused(&app, remove, 400, "invalid_path").await;
    refused(&app, sent("PUT", "/memory/pin", &json!({"path": folder, "pinned": true})), 400, "invalid_path").await;
    refused(&app, sent("POST", "/memory/restore", &json!({"path": folder, "at": "x"})), 400, "invalid_path").await;
    for content in [json!("a\0b"), json!(5), Value::Null] {
        refused(&app, save("/memories/global/new.md", content), 400, "invalid_content").await;
    }
    let token = ["ghp_", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu"].concat();
    let (status, body, _) = ask(&app, save(&format!("/memories/global/{token}.md"), json!("x\n"))).await;
    assert_eq!((status.as_u16(), &body["code"]), (422, &json!("secret_refused")), "{body}");
    assert!(body["rule"].is_string() && body.get("line") == Some(&Value::Null), "{body}");
    let (_, body, _) = ask(&app, sent("POST", "/memory/rename", &json!({"path": file}))).await;
    assert!(body["error"].as_str().unwrap().starts_with("newPath is missing"), "{body}");
}

#[tokio::test]
async fn off_means_off() {
    let app = app_of(daemon(settings(), Now { memory: false, ..crate::now() }));
    let view = json!({"command": "view", "path": "/memories"});
    refused(&app, sent("POST", "/memory/tool", &view), 409, "managed_memory_unavailable").await;
    let (_, recalled, _) = ask(&app, sent("POST", "/memory/recall", &json!({"query": "tea"}))).await;
    assert_eq!((&recalled["strategy"], &recalled["hits"]), (&json!("none"), &json!([])));
    let (_, context, _) = ask(&app, request("GET", "/memory/context", &[], "")).await;
    assert_eq!(context, json!({"text": "", "tokens": 0, "parts": []}));
    assert_eq!(ask(&app, request("GET", "/memory/files", &[], "")).await.0, StatusCode::OK, "a person still sees it");
}

/// The SDK's types are made of this file. `LOCI_BLESS=1` writes it anew.
#[test]
fn the_committed_document_is_that_of_the_routes() {
    let mut routes = serde_json::to_string_pretty(&loci_server::openapi()).unwrap();
    routes.push('\n');
    loci_testkit::blessed::same("sdk/typescript/openapi.json", &routes);
}
