//! `/mcp` of the daemon: the MCP server, mounted behind the daemon's guard.

use axum::extract::Request;
use axum::routing::any;
use axum::{Extension, Router};
use loci_domain::access::Mode;
use loci_mcp::{Guest, Http, Limits, Mcp};
use loci_memory::Memory;
use loci_memory::now::Settled;
use loci_server::{Caller, Daemon, Rights};
use std::time::Duration;

/// Sessions of all clients at once.
const SESSIONS: usize = 256;
/// How long a client may be silent before its session ends; a new one costs it a greeting.
const IDLE: Duration = Duration::from_secs(60 * 60);
/// How long calls that are under way have when the daemon stops.
const FAREWELL: Duration = Duration::from_secs(3);

/// The server over HTTP, with the daemon's own limit on bodies.
pub fn http(memory: Memory, settled: Settled, body_bytes: usize) -> Http {
    Http::new(Mcp::new(memory, settled, Mode::Exec), Limits { body_bytes, sessions: SESSIONS, idle: IDLE })
}

/// Its route.
pub fn mounted(http: Http) -> Router<Daemon> {
    let answer = async move |Extension(caller): Extension<Caller>, mut request: Request| {
        request.extensions_mut().insert(guest(&caller));
        http.answer(request).await
    };
    Router::new().route("/mcp", any(answer))
}

/// Ends all streams, so that nobody holds the daemon up.
pub async fn close(http: Http) {
    if tokio::time::timeout(FAREWELL, http.close()).await.is_err() {
        tracing::warn!("an MCP call did not come to its end; the next start settles it");
    }
}

fn guest(caller: &Caller) -> Guest {
    let name = match caller {
        Caller::Owner => "owner".to_owned(),
        Caller::Named { name, .. } => format!("token:{name}"),
        // The guard keeps other accounts out: this memory is not theirs.
        Caller::Account { id, .. } => format!("account:{id}"),
    };
    let mode = match caller.rights() {
        Rights::Change => Mode::Exec,
        Rights::Read => Mode::Explore,
    };
    Guest { name, mode }
}
