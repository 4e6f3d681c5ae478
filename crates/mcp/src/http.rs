//! Clients over streamable HTTP: one service that a router mounts behind its guard.
//!
//! Owns sessions and their owners, and that every answer has the protocol's shape. Never checks host, origin or token:
//! whoever mounts it has done so, and says with a [`Guest`] in the request's extensions who asks.
//! Start at [`Http::answer`].

use crate::guest::Guest;
use crate::server::Mcp;
use crate::sessions::Sessions;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// What clients may have.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest message.
    pub body_bytes: usize,
    /// Sessions at once.
    pub sessions: usize,
    /// How long a session may be silent.
    pub idle: Duration,
}

/// The answer to a request.
pub type Answer = Response<BoxBody<Bytes, Infallible>>;

/// MCP over HTTP; cheap to clone.
#[derive(Clone)]
pub struct Http {
    service: StreamableHttpService<Mcp, LocalSessionManager>,
    sessions: Arc<Sessions>,
    stop: CancellationToken,
    mcp: Mcp,
}

impl Http {
    /// A server's HTTP side.
    pub fn new(mcp: Mcp, limits: Limits) -> Http {
        let sessions = Arc::new(Sessions::new(limits.sessions, limits.idle));
        let stop = mcp.closing().clone();
        let config = StreamableHttpServerConfig::default()
            // The guard has looked at both, and knows names that we do not.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_cancellation_token(stop.clone())
            .with_max_request_body_bytes(limits.body_bytes);
        let server = mcp.clone();
        let service = StreamableHttpService::new(move || Ok(server.session()), sessions.manager(), config);
        Http { service, sessions, stop, mcp }
    }

    /// Ends all streams and sessions, and waits for the calls that are under way.
    pub async fn close(&self) {
        self.stop.cancel();
        self.sessions.close().await;
        self.mcp.idle().await;
    }

    /// Answers one request.
    pub async fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: Body + Send + 'static,
        B::Error: Display,
    {
        let Some(guest) = request.extensions().get::<Guest>().cloned() else {
            return refusal(StatusCode::INTERNAL_SERVER_ERROR, "nobody said who asks");
        };
        let session = request.headers().get(SESSION).map(|id| id.to_str().unwrap_or_default().to_owned());
        let method = request.method().clone();
        if let Some(id) = &session
            && !self.sessions.is_of(id, &guest)
        {
            return refusal(StatusCode::NOT_FOUND, "there is no such session; initialize a new one");
        }
        let answer = self.service.handle(request).await;
        match (&session, answer.headers().get(SESSION).and_then(|id| id.to_str().ok())) {
            (None, Some(opened)) => self.sessions.opened(opened, &guest).await,
            (Some(id), _) if method == Method::DELETE && answer.status().is_success() => self.sessions.ended(id),
            _ => {}
        }
        shaped(answer).await
    }
}

/// An error in the protocol's shape, whatever the SDK says in plain text.
async fn shaped(answer: Answer) -> Answer {
    let json = answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if json || !(answer.status().is_client_error() || answer.status().is_server_error()) {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let text = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let plain = refusal(head.status, String::from_utf8_lossy(&text).trim());
    head.headers.remove(http::header::CONTENT_LENGTH);
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(head, plain.into_body())
}

/// An error that belongs to no message.
fn refusal(status: StatusCode, text: &str) -> Answer {
    let code = match status {
        StatusCode::NOT_FOUND => -32001,
        status if status.is_server_error() => -32603,
        _ => -32600,
    };
    let text = if text.is_empty() { status.canonical_reason().unwrap_or("refused") } else { text };
    let body = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}}).to_string();
    let mut answer = Response::new(Full::new(Bytes::from(body)).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}
