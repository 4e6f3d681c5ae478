//! The herald: what happens here is written down for all daemons, and what any of them wrote is told to who listens here.
//!
//! Owns the way of an event through the ledger, and who may listen under which name. So it does not matter which daemon a
//! listener came to, and a daemon that starts anew goes on where the last one stopped.
//! Start at [`Herald::tell`].

use crate::events::{Events, REPLAY};
use loci_ledger::{Ledger, Listener, Result, Telling};
use loci_store::store::fresh_id;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Notify, watch};

/// How often there is a look for what other daemons wrote; a bell makes it sooner.
const PACE: Duration = Duration::from_secs(1);
/// Tellings of one look.
const AT_ONCE: usize = 1_000;
/// Sessions that are kept; the first ones go.
const SESSIONS: usize = 10_000;

/// Between the ledger and who listens.
pub struct Herald {
    ledger: Arc<dyn Ledger>,
    events: Arc<Events>,
    /// The last telling that was passed on; none before the first look.
    last: Mutex<Option<u64>>,
    wake: Notify,
}

impl Herald {
    /// A herald that tells these events.
    pub fn new(ledger: Arc<dyn Ledger>, events: Arc<Events>) -> Herald {
        Herald { ledger, events, last: Mutex::new(None), wake: Notify::new() }
    }

    /// Tells who listens in a room, at whichever daemon; `client` is who made it happen.
    pub async fn tell(&self, room: &str, kind: &str, data: &Value, client: Option<&str>) {
        let telling = Telling {
            room: room.to_owned(),
            kind: kind.to_owned(),
            data: data.to_string(),
            client: client.map(str::to_owned),
        };
        // What happened has happened: nobody is told an error because others could not be told.
        if let Err(error) = self.ledger.tell(&telling, REPLAY).await {
            tracing::warn!(%error, kind, "an event could not be told");
        }
        self.ring();
    }

    /// There may be something new.
    pub fn ring(&self) {
        self.wake.notify_one();
    }

    /// Opens a session that hears what happens in these rooms.
    pub async fn open(&self, account: &str, rooms: Vec<String>) -> Result<String> {
        let listener = Listener { id: format!("session-{}", fresh_id()), account: account.to_owned(), rooms };
        self.ledger.admit(&listener, SESSIONS).await?;
        Ok(listener.id)
    }

    /// The rooms of a session of this account.
    pub async fn rooms(&self, session: &str, account: &str) -> Result<Option<Vec<String>>> {
        let listener = self.ledger.admitted(session).await?;
        Ok(listener.filter(|listener| listener.account == account).map(|listener| listener.rooms))
    }

    /// Passes on what was told since the last look; at the first one, what can still be told again.
    pub async fn look(&self) -> Result<()> {
        let mut last = self.last.lock().await;
        let mut after = match *last {
            Some(last) => last,
            None => self.ledger.last_told().await?.saturating_sub(REPLAY as u64),
        };
        loop {
            let told = self.ledger.told(after, AT_ONCE).await?;
            for (number, telling) in &told {
                self.events.relay(*number, telling);
                after = *number;
            }
            *last = Some(after);
            if told.len() < AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Looks until `stop`.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(error) = self.look().await {
                tracing::warn!(%error, "events of other daemons cannot be told right now");
            }
            tokio::select! {
                () = self.wake.notified() => {}
                () = tokio::time::sleep(PACE) => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
        }
    }
}
