//! Bells: what was committed is told to all nodes that listen.
//!
//! A bell rings with the commit of what it is about, or not at all. It can be missed while a connection is down, so it
//! only ever means "look again"; `all` rings after each reconnect.

use super::engine::Engine;
use super::{Result, codec};
use sqlx::PgConnection;
use sqlx::postgres::{PgListener, PgPool};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::task::AbortHandle;

/// The channel of all of Loci's bells in a database.
const CHANNEL: &str = "loci";
/// A longer topic is only its first word.
const LONGEST: usize = 200;
/// How many bells a slow listener may leave unheard before it only hears that it missed some.
const WAITING: usize = 1024;
/// Between two tries to listen again.
const PAUSE: Duration = Duration::from_millis(500);
/// A listener without news asks whether its connection still lives: one that was cut off says nothing by itself.
const QUIET: Duration = Duration::from_secs(30);

/// Rings when the transaction is committed.
pub(super) async fn ring(db: &mut PgConnection, topic: &str) -> Result<()> {
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(codec::text(short(topic))).execute(db).await?;
    Ok(())
}

fn short(topic: &str) -> &str {
    if topic.len() > LONGEST { topic.split(':').next().unwrap_or("all") } else { topic }
}

/// Where the bells of a ledger hang; whoever listens to them is told to stop when it goes.
#[derive(Default)]
pub(super) struct Tower(OnceLock<(Sender<String>, AbortHandle)>);

impl Drop for Tower {
    fn drop(&mut self) {
        if let Some((_, listener)) = self.0.get() {
            listener.abort();
        }
    }
}

/// See [`super::Postgres::bells`].
pub(super) fn listen(engine: &Arc<Engine>) -> Receiver<String> {
    let (sender, _) = engine.bells().0.get_or_init(|| {
        let sender = broadcast::channel(WAITING).0;
        let listener = tokio::spawn(forward(engine.listening(), sender.clone()));
        (sender, listener.abort_handle())
    });
    sender.subscribe()
}

/// Hears what the server says, for ever.
async fn forward(pool: PgPool, bells: Sender<String>) {
    loop {
        if let Err(error) = hear(&pool, &bells).await {
            tracing::debug!(%error, "the ledger's bells are not heard for a moment");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Until the connection goes.
async fn hear(pool: &PgPool, bells: &Sender<String>) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // Nobody knows what was rung before; nobody may be there to hear it either.
    let _ = bells.send("all".to_owned());
    loop {
        match tokio::time::timeout(QUIET, listener.try_recv()).await {
            Ok(Ok(Some(rung))) => drop(bells.send(rung.payload().to_owned())),
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Err(_) => {
                sqlx::query("SELECT 1").execute(&mut listener).await?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_topic_is_its_first_word() {
        assert_eq!(short("lane:a"), "lane:a");
        assert_eq!(short(&format!("lane:{}", "x".repeat(300))), "lane");
    }
}
