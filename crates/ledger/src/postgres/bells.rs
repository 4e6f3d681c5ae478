//! Bells: what was committed is told to all nodes that listen.
//!
//! A bell rings with the commit of what it is about, or not at all. It can be missed while a connection is down, so it
//! only ever means "look again"; `all` rings after each reconnect.

use super::Result;
use super::engine::Engine;
use sqlx::PgConnection;
use sqlx::postgres::PgListener;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::broadcast;

/// The channel of all of Loci's bells in a database.
const CHANNEL: &str = "loci";
/// A longer topic is only its first word.
const LONGEST: usize = 200;
/// How many bells a slow listener may leave unheard before it only hears that it missed some.
const WAITING: usize = 1024;
const PAUSE: Duration = Duration::from_secs(1);

/// Rings when the transaction is committed.
pub(super) async fn ring(db: &mut PgConnection, topic: &str) -> Result<()> {
    let heard = if topic.len() > LONGEST { topic.split(':').next().unwrap_or("all") } else { topic };
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(super::codec::text(heard)).execute(db).await?;
    Ok(())
}

/// Where the bells of a ledger hang.
#[derive(Default)]
pub(super) struct Tower(OnceLock<broadcast::Sender<String>>);

/// See [`super::Postgres::bells`].
pub(super) fn listen(engine: &Arc<Engine>) -> broadcast::Receiver<String> {
    let mut first = None;
    let sender = engine.bells().0.get_or_init(|| {
        let (sender, receiver) = broadcast::channel(WAITING);
        first = Some(receiver);
        sender
    });
    match first {
        Some(receiver) => {
            let (weak, sender) = (Arc::downgrade(engine), sender.clone());
            drop((weak, sender));
            receiver
        }
        None => sender.subscribe(),
    }
}
