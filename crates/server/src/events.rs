//! Live events: what happened, told to every session of the workspace, and again to who missed it.
//!
//! Owns their replay, and what happens to a listener that is too slow: it is told so and dropped,
//! since its memory is ours.

use axum::response::sse;
use futures_util::stream::{self, Stream};
use jiff::Timestamp;
use loci_ledger::Telling;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tokio::sync::{broadcast, watch};

/// Events that can be told again.
pub const REPLAY: usize = 8000;

/// Events that a listener may lag behind.
const BEHIND: usize = 1024;

/// One event, ready to be sent.
#[derive(Debug)]
struct Event {
    id: u64,
    /// Who is concerned; empty = everybody.
    room: String,
    kind: String,
    text: String,
}

struct Past {
    last: u64,
    events: VecDeque<Arc<Event>>,
}

/// The events of one workspace.
pub struct Events {
    past: Mutex<Past>,
    live: broadcast::Sender<Arc<Event>>,
    open: watch::Sender<bool>,
}

impl Events {
    /// Numbers go on from those of every earlier life of the daemon, so that who comes back is not taken for who has
    /// heard it all: a thousand events a millisecond are not told.
    pub fn new(now: Timestamp) -> Events {
        let events = Events::default();
        if let Ok(mut past) = events.past.lock() {
            past.last = u64::try_from(now.as_millisecond()).unwrap_or_default().saturating_mul(1000);
        }
        events
    }
}

impl Default for Events {
    fn default() -> Events {
        let past = Mutex::new(Past { last: 0, events: VecDeque::new() });
        Events { past, live: broadcast::channel(BEHIND).0, open: watch::channel(true).0 }
    }
}

impl Events {
    /// Passes on what a daemon told, this one or another: its number is the event's.
    pub fn relay(&self, number: u64, told: &Telling) {
        let data: Value = serde_json::from_str(&told.data).unwrap_or_default();
        let mut envelope = json!({"id": number, "v": 1, "type": told.kind, "data": data});
        if let Some(client) = &told.client {
            envelope["originatorClientId"] = client.as_str().into();
        }
        self.push(|_| Event {
            id: number,
            room: told.room.clone(),
            kind: told.kind.clone(),
            text: envelope.to_string(),
        });
    }

    /// Tells everybody just this, without an envelope, under the next number.
    pub fn pass(&self, kind: &str, data: &Value) {
        let (kind, text) = (kind.to_owned(), data.to_string());
        self.push(|last| Event { id: last + 1, room: String::new(), kind, text });
    }

    fn push(&self, event: impl FnOnce(u64) -> Event) {
        let Ok(mut past) = self.past.lock() else { return };
        let event = Arc::new(event(past.last));
        past.last = event.id;
        if past.events.len() >= REPLAY {
            past.events.pop_front();
        }
        past.events.push_back(Arc::clone(&event));
        // Under the lock, so that a new listener has each event once: from the past or live. Nobody may be listening.
        let _ = self.live.send(event);
    }

    /// Listens in these rooms: first what came after `last`, then what comes. A number that was not told yet is of another
    /// life of the daemon, and then all that is known comes.
    pub fn listen(
        &self,
        rooms: Vec<String>,
        last: Option<u64>,
    ) -> impl Stream<Item = Result<sse::Event, Infallible>> + use<> {
        let (missed, live) = match self.past.lock() {
            Ok(past) => {
                let after = last.map_or(past.last, |last| if last > past.last { 0 } else { last });
                let missed: VecDeque<_> = past.events.iter().filter(|event| event.id > after).cloned().collect();
                (missed, self.live.subscribe())
            }
            Err(_) => (VecDeque::new(), self.live.subscribe()),
        };
        let listener = Listener { rooms, missed, live, open: self.open.subscribe(), dropped: false };
        stream::unfold(listener, |mut listener| async move {
            let event = listener.next().await?;
            Some((Ok(event), listener))
        })
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.live.receiver_count()
    }

    /// Ends all streams.
    pub fn close(&self) {
        self.open.send_replace(false);
    }
}

struct Listener {
    rooms: Vec<String>,
    missed: VecDeque<Arc<Event>>,
    live: broadcast::Receiver<Arc<Event>>,
    open: watch::Receiver<bool>,
    dropped: bool,
}

impl Listener {
    async fn next(&mut self) -> Option<sse::Event> {
        while let Some(event) = self.missed.pop_front() {
            if self.concerns(&event) {
                return Some(shown(&event));
            }
        }
        while !self.dropped {
            let event = tokio::select! {
                event = self.live.recv() => event,
                _ = self.open.wait_for(|open| !open) => return None,
            };
            match event {
                Ok(event) if self.concerns(&event) => return Some(shown(&event)),
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(missed)) => {
                    self.dropped = true;
                    // Without an id: who comes back asks for what comes after the last one that it has seen.
                    let said = json!({"v": 1, "type": "slow_client", "data": {"missed": missed}});
                    return Some(sse::Event::default().event("slow_client").data(said.to_string()));
                }
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
        None
    }

    fn concerns(&self, event: &Event) -> bool {
        event.room.is_empty() || self.rooms.contains(&event.room)
    }
}

fn shown(event: &Event) -> sse::Event {
    sse::Event::default().id(event.id.to_string()).event(&event.kind).data(&event.text)
}

#[cfg(test)]
mod tests;
