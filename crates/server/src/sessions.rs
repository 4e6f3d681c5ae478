//! Sessions of the daemon: a name to hear events under. They hold no talk, and no list shows them.

use loci_store::store::fresh_id;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

/// Sessions at once; the first ones go.
const KEPT: usize = 10_000;

#[derive(Default)]
struct Known {
    rooms: HashMap<String, Vec<String>>,
    order: VecDeque<String>,
}

/// The sessions that were opened since the daemon started.
#[derive(Default)]
pub struct Sessions(Mutex<Known>);

impl Sessions {
    /// Opens a session that hears what happens in these rooms; the first is its account's.
    pub fn open(&self, rooms: Vec<String>) -> String {
        let name = format!("session-{}", fresh_id());
        if let Ok(mut known) = self.0.lock() {
            if known.order.len() >= KEPT
                && let Some(first) = known.order.pop_front()
            {
                known.rooms.remove(&first);
            }
            known.rooms.insert(name.clone(), rooms);
            known.order.push_back(name.clone());
        }
        name
    }

    /// The rooms of a session of this account.
    pub fn rooms(&self, name: &str, account: &str) -> Option<Vec<String>> {
        let known = self.0.lock().ok()?;
        known.rooms.get(name).filter(|rooms| rooms.first().is_some_and(|first| first == account)).cloned()
    }
}
