//! Clients: programs that asked for a name of their own, so that their tasks are theirs.
//!
//! Owns the header that tells them apart. A name that was not given out here is refused, whatever it looks like.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use jiff::Timestamp;
use loci_store::store::fresh_id;
use std::collections::HashSet;
use std::sync::Mutex;

const HEADERS: [&str; 2] = ["x-loci-client-id", "x-qwen-client-id"];

/// Clients that the ledger keeps; the first ones go.
const KEPT: usize = 10_000;

/// The client that asks, if it says which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client(pub Option<String>);

impl FromRequestParts<Daemon> for Client {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, daemon: &Daemon) -> Result<Client, Refusal> {
        of(daemon, &parts.headers).await
    }
}

/// The client that the headers name; for routes that look at the body first.
pub async fn of(daemon: &Daemon, headers: &HeaderMap) -> Result<Client, Refusal> {
    let unknown = || Refusal::invalid("invalid_client_id", "no such client; POST /clients registers one");
    let Some(id) = named(headers).map_err(|()| unknown())? else { return Ok(Client(None)) };
    if !daemon.clients().has(&id) {
        if !daemon.ledger().knows_client(&id).await? {
            return Err(unknown());
        }
        daemon.clients().note(&id);
    }
    Ok(Client(Some(id)))
}

/// Registers a new client.
pub async fn register(daemon: &Daemon) -> Result<String, Refusal> {
    let id = format!("client-{}", fresh_id());
    daemon.ledger().register_client(&id, Timestamp::now(), KEPT).await?;
    daemon.clients().note(&id);
    Ok(id)
}

/// The client that the headers name; `Err` = one that cannot be.
fn named(headers: &HeaderMap) -> Result<Option<String>, ()> {
    let mut found: Option<&str> = None;
    for value in HEADERS.into_iter().flat_map(|name| headers.get_all(name)) {
        let id = value.to_str().map_err(|_| ())?;
        let fits = (1..=128).contains(&id.len())
            && id.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"._:-".contains(&sign));
        if !fits || found.is_some_and(|found| found != id) {
            return Err(());
        }
        found = Some(id);
    }
    Ok(found.map(str::to_owned))
}

/// Clients that were seen lately, so that not every request asks the ledger.
#[derive(Default)]
pub struct Registry(Mutex<HashSet<String>>);

impl Registry {
    /// The client that the headers name, if it was seen before.
    pub fn seen(&self, headers: &HeaderMap) -> Option<String> {
        named(headers).ok().flatten().filter(|id| self.has(id))
    }

    fn has(&self, id: &str) -> bool {
        self.0.lock().is_ok_and(|known| known.contains(id))
    }

    fn note(&self, id: &str) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(id.to_owned());
    }
}
