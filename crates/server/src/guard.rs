//! What every request meets before its route: host, origin, token, rate, in this order.
//!
//! Owns admission, request ids, the headers of every answer and the log of requests. It wraps the router as a whole, so
//! that no route, no mistyped path and nothing that is mounted later lies outside of it.
//! Never logs a path, a query, a header or a body: they hold memory or tokens.
//!
//! Invariant: no_route_is_outside_the_guard.

use crate::auth::{Caller, Rights};
use crate::daemon::Daemon;
use crate::fault::Refusal;
use crate::rate::Who;
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use loci_store::store::fresh_id;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What may be read without a token: that we live, and the page with its assets, which hold no data.
const OPEN: &[&str] = &["/health", "/"];
const OPEN_BELOW: &str = "/assets/";

/// Routes that are asked with POST and change nothing, or that look at the rights themselves.
const READING: &[&str] = &["/memory/recall", "/memory/tool", "/mcp"];

/// What another account than `local` may ask; all else is the daemon's owner's.
const SHARED: &[&str] = &[
    "/accounts/me",
    "/conversations",
    "/memory",
    "/receipts",
    "/workspace/memory",
    "/workspaces",
    "/session",
    "/sessions",
    "/clients",
];

/// Of that, what only tells of `local`.
const LOCAL_ONLY: &[&str] = &["/memory/events"];

/// Where a request comes from; put in by the listener.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Which route answered, for the log.
#[derive(Debug, Clone)]
struct Answered(String);

/// Lets a request in or refuses it, and sees its answer off.
pub async fn guard(State(daemon): State<Daemon>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let origin = daemon.names().chosen_origin(request.headers()).and_then(|origin| HeaderValue::from_str(origin).ok());
    let mut response = match admit(&daemon, &mut request, start).await {
        Ok(Admitted::Preflight) => preflight(),
        Ok(Admitted::In) => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(_) => Refusal::bug("internal").into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    let route = response.extensions_mut().remove::<Answered>().map_or("-".to_owned(), |answered| answered.0);
    let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    daemon.metrics().request(&method, &route, status, start.elapsed());
    tracing::info!(target: "daemon.request", id, %method, route, status, duration_ms = millis);
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after, x-request-id"));
        headers.append(VARY, HeaderValue::from_static("origin"));
    }
    response
}

/// Notes which route a request was for; the guard itself stands before routing.
pub async fn note_route(path: Option<MatchedPath>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(path) = path {
        response.extensions_mut().insert(Answered(path.as_str().to_owned()));
    }
    response
}

enum Admitted {
    In,
    Preflight,
}

async fn admit(daemon: &Daemon, request: &mut Request, now: Instant) -> Result<Admitted, Refusal> {
    let (headers, path) = (request.headers(), request.uri().path());
    if !daemon.names().knows_host(headers, request.uri()) {
        let text = "this daemon does not answer under that name; daemon.allowed_hosts adds names";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden_host", text));
    }
    if !daemon.names().knows_origin(headers) {
        let text = "pages of that origin may not ask here; daemon.allowed_origins adds origins";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden_origin", text));
    }
    let asks_first = request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if asks_first && daemon.names().chosen_origin(headers).is_some() {
        return Ok(Admitted::Preflight);
    }
    let looks = matches!(*request.method(), Method::GET | Method::HEAD);
    if looks && (OPEN.contains(&path) || path.starts_with(OPEN_BELOW)) {
        return Ok(Admitted::In);
    }
    let caller = daemon.keys().caller(headers, daemon.ledger()).await;
    let Some(caller) = caller.inspect_err(|error| tracing::error!(%error, "tokens cannot be read"))? else {
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", "Unauthorized"));
    };
    let peer = request.extensions().get::<Peer>().map_or([0, 0, 0, 0].into(), |peer| peer.0.ip());
    let who = daemon.clients().seen(headers).map_or(Who::Peer(peer), Who::Client);
    if let Err(wait) = daemon.rate().admit(who, now) {
        let text = "too many requests; wait a moment";
        let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", text);
        return Err(refusal.retry_after(wait.as_secs_f64().ceil() as u64));
    }
    let reads = looks || READING.contains(&path);
    if caller.rights() == Rights::Read && !reads {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden", "this token may only read"));
    }
    if matches!(caller, Caller::Account { .. }) && !is_shared(path) {
        let text = "that belongs to the account local; this key is of another one";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden", text));
    }
    request.extensions_mut().insert::<Caller>(caller);
    Ok(Admitted::In)
}

fn is_shared(path: &str) -> bool {
    let below = |top: &&str| path.strip_prefix(*top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let open = ["/capabilities", "/openapi.json"].contains(&path);
    (open || SHARED.iter().any(below)) && !LOCAL_ONLY.iter().any(below)
}

fn preflight() -> Response {
    let headers = [
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, PATCH, DELETE"),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, last-event-id, x-loci-client-id, x-qwen-client-id",
        ),
        (ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, headers, Body::empty()).into_response()
}

/// The id that the request brings along, if it is a plain word, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let plain = |id: &str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"._-".contains(&sign))
    };
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| plain(id));
    given.map_or_else(fresh_id, str::to_owned)
}
