//! The lanes of a daemon: its own, and one for each account and workspace that asks, as long as there is something to do.
//!
//! Owns which lane a request is for, and that a lane with tasks that nobody here runs, of an earlier life of the daemon too,
//! runs again.
//! A lane's key says whose it is, so that it can be opened from its tasks alone.

use super::removed::{self, Closed};
use super::{LOOK, Lane, Shared};
use crate::acp::host::Spawn;
use loci_domain::workspace::{Storage, Workspace};
use loci_ledger::{Card, Holding, Task};
use loci_memory::Result;
use loci_session::{Hall, Halls};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

type Workers = Arc<dyn Fn(&Hall) -> Spawn + Send + Sync>;

/// All lanes.
pub struct Lanes {
    own: Arc<Lane>,
    others: Mutex<HashMap<String, Arc<Lane>>>,
    /// Lanes that nobody runs yet.
    idle: Mutex<Vec<Arc<Lane>>>,
    wake: Notify,
    shared: Shared,
    halls: Arc<dyn Halls>,
    workers: Workers,
}

impl Lanes {
    /// The daemon's own lane; others are opened when they are asked for.
    pub fn new(own: Lane, shared: Shared, halls: Arc<dyn Halls>, workers: Workers) -> Lanes {
        let own = Arc::new(own);
        let idle = Mutex::new(vec![Arc::clone(&own)]);
        Lanes { own, others: Mutex::default(), idle, wake: Notify::new(), shared, halls, workers }
    }

    /// The daemon's own lane.
    pub fn own(&self) -> &Arc<Lane> {
        &self.own
    }

    /// The lane of an account's own memory.
    pub fn of_account(&self, account: &str) -> Arc<Lane> {
        self.open(format!("account:{account}"), account.to_owned(), &Hall::of(account, None))
    }

    /// The lane of a workspace.
    pub fn of_workspace(&self, account: &str, workspace: &str, storage: &Storage) -> Arc<Lane> {
        self.open(key_of(account, workspace), workspace.to_owned(), &Hall::of_tasks(account, workspace, storage))
    }

    fn open(&self, key: String, room: String, hall: &Hall) -> Arc<Lane> {
        let make = || {
            let (memory, spawn) = (self.halls.open(hall), (self.workers)(hall));
            Arc::new(Lane::new(key.clone(), room, memory, spawn, self.shared.clone()))
        };
        let Ok(mut others) = self.others.lock() else { return make() };
        if let Some(known) = others.get(&key) {
            return Arc::clone(known);
        }
        let lane = make();
        others.insert(key, Arc::clone(&lane));
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(Arc::clone(&lane));
        }
        self.wake.notify_one();
        lane
    }

    /// How many tasks wait or run, in all lanes.
    pub async fn pending(&self) -> Result<usize> {
        let mut pending = self.own.pending().await?;
        let others: Vec<Arc<Lane>> =
            self.others.lock().map(|others| others.values().cloned().collect()).unwrap_or_default();
        for lane in others {
            pending += lane.pending().await?;
        }
        Ok(pending)
    }

    /// Ends a workspace's lane: what waits or runs fails, and takes its changes back. What comes while the answer is held
    /// fails too; after that the workspace's record decides.
    pub async fn close_workspace(&self, account: &str, workspace: &str, storage: &Storage) -> Result<Closed> {
        self.close(self.of_workspace(account, workspace, storage)).await
    }

    /// The same for an account: its own lane, and those of its workspaces.
    pub async fn close_account(&self, account: &str) -> Result<Vec<Closed>> {
        let mut closed = vec![self.close(self.of_account(account)).await?];
        for card in self.shared.ledger.holdings(Holding::Workspace, account).await? {
            let id = card.id.clone();
            closed.push(self.close_workspace(account, &id, &read(Some(card))).await?);
        }
        Ok(closed)
    }

    async fn close(&self, lane: Arc<Lane>) -> Result<Closed> {
        let closed = Closed::new(lane);
        if !self.is_quiet_soon(closed.lane()).await? {
            // A lane that another daemon runs is told by the ledger.
            for id in self.shared.ledger.pending_ids(&closed.lane().key).await? {
                closed.lane().cancel(&id).await?;
            }
            self.is_quiet_soon(closed.lane()).await?;
        }
        Ok(closed)
    }

    /// A worker that was in the middle of a change is given a moment to be ended.
    async fn is_quiet_soon(&self, lane: &Lane) -> Result<bool> {
        for _ in 0..100 {
            let pending = lane.pending().await?;
            if pending == 0 && self.shared.ledger.unsettled_tasks(&lane.key).await?.is_empty() {
                return Ok(true);
            }
            tokio::time::sleep(LOOK / 100).await;
        }
        Ok(false)
    }

    /// A task that ended with its workspace, for whoever still waits for it.
    pub async fn left(&self, account: &str, workspace: &str, id: &str) -> Result<Option<Task>> {
        let task = self.shared.ledger.task(&key_of(account, workspace), id).await?;
        Ok(task.filter(removed::ended))
    }

    /// Runs all lanes until `stop` says so, those with tasks of an earlier life too.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        let (mut running, mut looks) = (JoinSet::new(), tokio::time::interval(LOOK));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !*stop.borrow() {
            let idle: Vec<Arc<Lane>> = self.idle.lock().map(|mut idle| idle.drain(..).collect()).unwrap_or_default();
            for lane in idle {
                let stop = stop.clone();
                running.spawn(async move {
                    lane.run(stop).await;
                    lane
                });
            }
            let look = tokio::select! {
                () = self.wake.notified() => false,
                Some(rested) = running.join_next() => {
                    match rested {
                        Ok(lane) => self.rest(lane),
                        Err(error) => tracing::error!(%error, "a lane came to a bad end"),
                    }
                    false
                }
                _ = looks.tick() => true,
                _ = stop.wait_for(|stop| *stop) => false,
            };
            if look {
                self.look().await;
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Opens the lanes that have tasks and that nobody here runs.
    async fn look(&self) {
        match self.shared.ledger.busy_lanes().await {
            Ok(keys) => {
                for key in &keys {
                    if self.known(key).is_none() {
                        self.revive(key).await;
                    }
                }
            }
            Err(error) => tracing::error!(%error, "tasks of workspaces wait until the ledger answers"),
        }
    }

    /// Forgets a lane that had nothing to do for long; what is asked of it later opens it anew. One that somebody has in
    /// hand goes on: they may be about to give it a task.
    fn rest(&self, lane: Arc<Lane>) {
        let Ok(mut others) = self.others.lock() else { return };
        // The map's and this one. Nobody gets another but through the map, whose lock is held.
        if others.contains_key(&lane.key) && Arc::strong_count(&lane) == 2 {
            others.remove(&lane.key);
            return;
        }
        drop(others);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(lane);
        }
        self.wake.notify_one();
    }

    fn known(&self, key: &str) -> Option<Arc<Lane>> {
        self.others.lock().ok().and_then(|others| others.get(key).cloned())
    }

    /// Another daemon did something to a lane.
    pub async fn ring(&self, key: &str) {
        if key == self.own.key {
            return self.own.ring();
        }
        match self.known(key) {
            Some(lane) => lane.ring(),
            None => self.revive(key).await,
        }
    }

    /// It is not known which lanes others did something to.
    pub async fn ring_all(&self) {
        self.own.ring();
        match self.shared.ledger.busy_lanes().await {
            Ok(keys) => {
                for key in &keys {
                    self.ring(key).await;
                }
            }
            Err(error) => tracing::warn!(%error, "lanes of other daemons are looked at later"),
        }
    }

    /// Opens a lane from its key alone; those of other projects are run by their own daemons.
    async fn revive(&self, key: &str) {
        if let Some(account) = account_of(key) {
            self.of_account(account);
        } else if let Some((account, workspace)) = workspace_of(key) {
            self.of_workspace(account, workspace, &self.storage_of(account, workspace).await);
        }
    }

    /// Where the files of a workspace lie; those of one that is gone lie nowhere, and its tasks end by themselves.
    async fn storage_of(&self, account: &str, workspace: &str) -> Storage {
        read(self.shared.ledger.holding(Holding::Workspace, account, workspace).await.ok().flatten())
    }
}

/// Where the files of a workspace's record lie.
fn read(card: Option<Card>) -> Storage {
    let body = card.and_then(|card| serde_json::from_str(&card.body).ok());
    body.and_then(|body| Workspace::read(&body).ok()).map_or(Storage::Local, |workspace| workspace.storage)
}

fn key_of(account: &str, workspace: &str) -> String {
    format!("workspace:{account}:{workspace}")
}

/// The account of a lane, if it is an account's own.
pub fn account_of(key: &str) -> Option<&str> {
    key.strip_prefix("account:").filter(|rest| !rest.contains(':'))
}

/// The account and the workspace of a lane, if it is a workspace's.
pub fn workspace_of(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("workspace:")?.split_once(':')
}

#[cfg(test)]
mod tests;
