//! What a request meets before its route.

use crate::{TOKEN, app, ask, daemon, refused, request, settings};
use axum::Router;
use axum::routing::get;
use loci_server::{Settings, router};

#[tokio::test]
async fn no_route_is_outside_the_guard() {
    let mounted = Router::new().route("/mcp", get(async || "secret")).route("/deep/{*rest}", get(async || "secret"));
    let app = router(daemon(settings(), crate::now()), mounted);
    let paths = ["/capabilities", "/openapi.json", "/mcp", "/deep/er", "/no/such/route", "//", "//health", "/health/"];
    for path in paths {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW"] {
            let stranger = request(method, path, &[("authorization", "")], "");
            assert_eq!(ask(&app, stranger).await.0, 401, "{method} {path}");
            for (header, value) in
                [("host", "evil.example"), ("host", ""), ("origin", "https://evil.example"), ("origin", "null")]
            {
                let got = ask(&app, request(method, path, &[(header, value)], "")).await;
                assert_eq!(got.0, 403, "{method} {path} {header}: {value}");
                assert!(!got.2.contains_key("access-control-allow-origin"));
            }
        }
    }
    assert_eq!(ask(&app, request("GET", "/mcp", &[], "")).await.0, 200);
    refused(
        &app,
        request("GET", "/health", &[("host", "evil.example"), ("authorization", "")], ""),
        403,
        "forbidden_host",
    )
    .await;
    assert_eq!(ask(&app, request("GET", "/health", &[("authorization", "")], "")).await.0, 200);
}

#[tokio::test]
async fn the_page_is_read_without_a_token_and_nothing_is_done_there() {
    let mounted = Router::new().route("/", get(async || "page")).route("/assets/{*rest}", get(async || "asset"));
    let app = router(daemon(settings(), crate::now()), mounted);
    for path in ["/", "/assets/page.js"] {
        for (method, status) in [("GET", 200), ("HEAD", 200), ("POST", 401), ("PUT", 401), ("DELETE", 401)] {
            let stranger = request(method, path, &[("authorization", "")], "");
            assert_eq!(ask(&app, stranger).await.0, status, "{method} {path}");
        }
        for (header, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
            let elsewhere = request("GET", path, &[("authorization", ""), (header, value)], "");
            assert_eq!(ask(&app, elsewhere).await.0, 403, "{path} {header}: {value}");
        }
    }
    for beside in ["/assets", "/assets../capabilities", "//assets/page.js", "/memory/files"] {
        assert_eq!(ask(&app, request("GET", beside, &[("authorization", "")], "")).await.0, 401, "{beside}");
    }
}

#[tokio::test]
async fn a_wrong_token_is_told_the_same_whatever_it_is() {
    let near = format!("Bearer {}", &TOKEN[1..]);
    let twice = format!("Bearer {TOKEN} {TOKEN}");
    let basic = format!("Basic {TOKEN}");
    for given in ["", "Bearer", "Bearer ", TOKEN, &near, &twice, &basic] {
        let (status, body, _) = ask(&app(), request("GET", "/capabilities", &[("authorization", given)], "")).await;
        assert_eq!(status, 401, "{given}");
        assert_eq!(body.to_string(), r#"{"error":"Unauthorized","code":"unauthorized"}"#);
    }
    let lower = format!("bearer {TOKEN}");
    assert_eq!(ask(&app(), request("GET", "/capabilities", &[("authorization", &lower)], "")).await.0, 200);
    let in_url = request("GET", &format!("/capabilities?token={TOKEN}"), &[("authorization", "")], "");
    assert_eq!(ask(&app(), in_url).await.0, 401);
}

#[tokio::test]
async fn only_a_configured_page_may_read_across_origins() {
    let chosen = [("origin", "https://ui.example")];
    let (status, _, headers) = ask(&app(), request("GET", "/capabilities", &chosen, "")).await;
    assert_eq!(
        (status.as_u16(), &headers["access-control-allow-origin"]),
        (200, &"https://ui.example".parse().unwrap())
    );
    let asks_first = |origin| {
        let headers = [("origin", origin), ("authorization", ""), ("access-control-request-method", "PUT")];
        request("OPTIONS", "/memory/file", &headers, "")
    };
    let (status, _, headers) = ask(&app(), asks_first("https://ui.example")).await;
    assert_eq!(status, 204);
    assert!(headers["access-control-allow-methods"].to_str().unwrap().contains("PUT"));
    refused(&app(), asks_first("https://evil.example"), 403, "forbidden_origin").await;
    // A page of another local server passes the check, but a browser does not let it read.
    let (status, _, headers) =
        ask(&app(), request("GET", "/capabilities", &[("origin", "http://localhost:3000")], "")).await;
    assert_eq!((status.as_u16(), headers.get("access-control-allow-origin")), (200, None));
}

#[tokio::test]
async fn unknown_routes_and_methods_have_the_shape_of_errors() {
    for path in ["/nope", "/", "/capabilities/", "/workspaces"] {
        refused(&app(), request("GET", path, &[], ""), 404, "not_found").await;
    }
    for (method, path) in [("DELETE", "/capabilities"), ("PATCH", "/health"), ("GET", "/clients")] {
        refused(&app(), request(method, path, &[], ""), 405, "method_not_allowed").await;
    }
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_back() {
    let app = router(daemon(Settings { rate_per_second: 3, ..settings() }, crate::now()), Router::new());
    for _ in 0..3 {
        assert_eq!(ask(&app, request("GET", "/capabilities", &[], "")).await.0, 200);
    }
    let headers = refused(&app, request("GET", "/capabilities", &[], ""), 429, "rate_limited").await;
    assert_eq!(headers["retry-after"], "1");
    assert_eq!(ask(&app, request("GET", "/health", &[], "")).await.0, 200);
    // Strangers are no clients: they are refused before they are counted.
    assert_eq!(ask(&app, request("GET", "/capabilities", &[("authorization", "")], "")).await.0, 401);
}

#[tokio::test]
async fn every_answer_has_an_id() {
    let (_, _, headers) = ask(&app(), request("GET", "/health", &[], "")).await;
    assert_eq!(headers["x-request-id"].len(), 26);
    let (_, _, headers) = ask(&app(), request("GET", "/nope", &[("x-request-id", "mine-1")], "")).await;
    assert_eq!(headers["x-request-id"], "mine-1");
    let (_, _, headers) = ask(&app(), request("GET", "/nope", &[("x-request-id", "no word")], "")).await;
    assert_eq!(headers["x-request-id"].len(), 26);
}

#[tokio::test]
async fn a_handler_that_panics_answers_all_the_same() {
    let mounted = Router::new().route("/mcp", get(async || -> String { panic!("of no concern to a client") }));
    let app = router(daemon(settings(), crate::now()), mounted);
    refused(&app, request("GET", "/mcp", &[], ""), 500, "internal").await;
}
