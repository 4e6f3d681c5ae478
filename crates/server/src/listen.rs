//! Sockets: how connections come in, how long they may take, and how they end.
//!
//! Owns the limits that lie below HTTP's routes: connections at once, size and time of a request's head, a peer that
//! does not read. Never looks at a request.

use crate::fault::Refusal;
use crate::framing::{Ambiguous, Framing};
use crate::guard::Peer;
use crate::patient::Patient;
use crate::timely::Timely;
use axum::Router;
use axum::body::Body;
use axum::http::header::{CONNECTION, TRANSFER_ENCODING};
use axum::http::{HeaderValue, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// Connections at once; more wait to be accepted. Of the descriptors that the process may have, half are for files: who
/// opens sockets and says nothing must not keep memory from being read.
const CONNECTIONS: usize = 1024;

fn connections() -> usize {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    most.and_then(|most| usize::try_from(most / 2).ok()).unwrap_or(CONNECTIONS).clamp(1, CONNECTIONS)
}

/// A request's head must be there within this time: a client that trickles it holds a connection, and nothing else.
const HEAD: Duration = Duration::from_secs(10);

/// The largest head of a request in bytes, and how many headers it may have.
const HEAD_BYTES: usize = 64 * 1024;
const HEADERS: usize = 100;

/// A request's body must be there within this time, all of it.
const BODY: Duration = Duration::from_secs(60);

/// How long a peer may take nothing of what waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long open connections have to finish when the daemon stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// A socket that is bound, so that its port is known before anybody is told.
pub struct Listener(TcpListener);

impl Listener {
    /// Binds; port 0 = any free one.
    pub async fn bind(address: SocketAddr) -> std::io::Result<Listener> {
        TcpListener::bind(address).await.map(Listener)
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// Answers requests until `stop`, then lets those that are under way finish.
pub async fn serve(listener: Listener, app: Router, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(connections()));
    let open = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.0.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a peer that is gone already: neither ends the daemon.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let connection = open.watch(connection(stream, peer, app.clone()));
        tokio::spawn(async move {
            // A peer that breaks off or speaks no HTTP is its own affair.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, open.shutdown()).await;
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let _ = stream.set_nodelay(true);
    let ambiguous = Ambiguous::default();
    let framing = Framing::new(ambiguous.clone());
    let service = service_fn(move |request: Request<Incoming>| {
        let (app, ambiguous) = (app.clone(), ambiguous.is());
        async move { answer(request, peer, app, ambiguous).await }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(Patient::new(stream, PATIENCE, framing)), service)
}

/// Answers one request. One in chunks is the last on its connection, so that nobody can hide another one behind it.
async fn answer(
    mut request: Request<Incoming>,
    peer: SocketAddr,
    app: Router,
    ambiguous: bool,
) -> Result<Response, Infallible> {
    let last = ambiguous || request.headers().contains_key(TRANSFER_ENCODING);
    request.extensions_mut().insert(Peer(peer));
    let mut response = match ambiguous {
        true => Refusal::new(StatusCode::BAD_REQUEST, "ambiguous_length", AMBIGUOUS).into_response(),
        false => app.oneshot(request.map(|body| Body::new(Timely::new(body, BODY)))).await?,
    };
    if last {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

const AMBIGUOUS: &str = "a request has a Content-Length or a Transfer-Encoding, never both";
