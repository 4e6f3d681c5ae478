//! The sessions of clients over HTTP: whose each is, and how many there may be.
//!
//! Owns the bound: so many at once, the one that was silent longest goes for a new one. Idle ones end by themselves.
//! A session is known to who opened it alone; to everybody else it is not there.

use crate::guest::Guest;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who opened a session, and when they were last heard.
struct Held {
    owner: String,
    heard: Instant,
}

/// All sessions that are open.
pub(crate) struct Sessions {
    manager: Arc<LocalSessionManager>,
    most: usize,
    held: Mutex<HashMap<String, Held>>,
}

impl Sessions {
    /// At most so many, each for so long without a word.
    pub fn new(most: usize, idle: Duration) -> Sessions {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(idle);
        Sessions { manager: Arc::new(manager), most: most.max(1), held: Mutex::default() }
    }

    /// What the protocol keeps of them.
    pub fn manager(&self) -> Arc<LocalSessionManager> {
        Arc::clone(&self.manager)
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is a session of this guest; they are heard now.
    pub fn is_of(&self, id: &str, guest: &Guest) -> bool {
        match self.held().get_mut(id).filter(|held| held.owner == guest.name) {
            Some(held) => {
                held.heard = Instant::now();
                true
            }
            None => false,
        }
    }

    /// Takes note of a session that was opened; one that was silent longest makes room.
    pub async fn opened(&self, id: &str, guest: &Guest) {
        let open: Vec<String> = self.manager.sessions.read().await.keys().map(|id| id.to_string()).collect();
        let surplus = {
            let mut held = self.held();
            held.retain(|id, _| open.contains(id));
            held.insert(id.to_owned(), Held { owner: guest.name.clone(), heard: Instant::now() });
            let oldest = held.iter().min_by_key(|(_, held)| held.heard).map(|(id, _)| id.clone());
            oldest.filter(|_| held.len() > self.most).inspect(|id| {
                held.remove(id);
            })
        };
        if let Some(id) = surplus
            && let Err(error) = self.manager.close_session(&id.into()).await
        {
            tracing::warn!(%error, "a session that made room could not be closed");
        }
    }

    /// Forgets a session that its owner ended.
    pub fn ended(&self, id: &str) {
        self.held().remove(id);
    }

    /// Ends all of them.
    pub async fn close(&self) {
        let open: Vec<_> = self.manager.sessions.read().await.keys().cloned().collect();
        for id in open {
            let _ = self.manager.close_session(&id).await;
        }
    }
}
