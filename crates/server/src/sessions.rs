//! Sessions of the daemon: a name to hear events under. They hold no talk, and no list shows them.

use loci_store::store::fresh_id;
use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;

/// Sessions at once; the first ones go.
const KEPT: usize = 10_000;

#[derive(Default)]
struct Known {
    names: HashSet<String>,
    order: VecDeque<String>,
}

/// The sessions that were opened since the daemon started.
#[derive(Default)]
pub struct Sessions(Mutex<Known>);

impl Sessions {
    /// Opens a session.
    pub fn open(&self) -> String {
        let name = format!("session-{}", fresh_id());
        if let Ok(mut known) = self.0.lock() {
            if known.order.len() >= KEPT
                && let Some(first) = known.order.pop_front()
            {
                known.names.remove(&first);
            }
            known.names.insert(name.clone());
            known.order.push_back(name.clone());
        }
        name
    }

    /// Whether there is such a session.
    pub fn has(&self, name: &str) -> bool {
        self.0.lock().is_ok_and(|known| known.names.contains(name))
    }
}
