//! What a request may carry.

use crate::{app, ask, refused, request};
use axum::body::Body;

#[tokio::test]
async fn a_body_is_one_json_object_of_a_bounded_size() {
    let app = app();
    for good in ["{}", "", "{\"x\":1}"] {
        assert_eq!(ask(&app, request("POST", "/clients", &[], good)).await.0, 201, "{good}");
    }
    for bad in ["{", "[]", "7", "null", "{\"a\":1,}", "\u{1}"] {
        let sent = request("POST", "/clients", &[("content-length", &bad.len().to_string())], bad);
        refused(&app, sent, 400, "invalid_json").await;
    }
    let large = "x".repeat(1025);
    let sent = request("POST", "/clients", &[("content-length", "1025")], large.clone());
    refused(&app, sent, 413, "body_too_large").await;
    let chunked = request("POST", "/clients", &[("transfer-encoding", "chunked")], Body::from(large));
    refused(&app, chunked, 413, "body_too_large").await;
}

#[tokio::test]
async fn a_body_is_plain_json() {
    let app = app();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        let sent = request("POST", "/clients", &[("content-type", kind), ("content-length", "2")], "{}");
        refused(&app, sent, 415, "unsupported_media_type").await;
    }
    let sent = request("POST", "/clients", &[("content-encoding", "gzip"), ("content-length", "2")], "{}");
    refused(&app, sent, 415, "unsupported_media_type").await;
    let sent = request(
        "POST",
        "/clients",
        &[("content-type", "Application/JSON; charset=utf-8"), ("content-length", "2")],
        "{}",
    );
    assert_eq!(ask(&app, sent).await.0, 201);
}
