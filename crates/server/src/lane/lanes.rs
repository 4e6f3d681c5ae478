//! The lanes of a daemon: its own, and one for each account and workspace that asks.
//!
//! Owns which lane a request is for, and that a lane with tasks of an earlier life of the daemon runs again.
//! A lane's key says whose it is, so that it can be opened from its tasks alone.

use super::{LOOK, Lane, Shared};
use crate::acp::host::Spawn;
use loci_memory::Result;
use loci_session::{Hall, Halls};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

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
    pub fn of_workspace(&self, account: &str, workspace: &str) -> Arc<Lane> {
        let key = format!("workspace:{account}:{workspace}");
        self.open(key, workspace.to_owned(), &Hall::of_tasks(account, workspace))
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

    /// Ends a workspace's lane: what waits or runs is cancelled, and takes its changes back.
    pub async fn close_workspace(&self, account: &str, workspace: &str) -> Result<()> {
        let lane = self.of_workspace(account, workspace);
        for id in self.shared.ledger.pending_ids(&lane.key).await? {
            lane.cancel(&id).await?;
        }
        // A worker that was in the middle of a change is given a moment to be ended.
        for _ in 0..100 {
            if self.shared.ledger.unsettled_tasks(&lane.key).await?.is_empty() {
                break;
            }
            tokio::time::sleep(LOOK / 100).await;
        }
        Ok(())
    }

    /// Runs all lanes until `stop` says so, those with tasks of an earlier life too.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        match self.shared.ledger.busy_lanes().await {
            Ok(keys) => keys.iter().for_each(|key| self.revive(key)),
            Err(error) => tracing::error!(%error, "tasks of workspaces wait until somebody asks there again"),
        }
        let mut running = JoinSet::new();
        while !*stop.borrow() {
            let idle: Vec<Arc<Lane>> = self.idle.lock().map(|mut idle| idle.drain(..).collect()).unwrap_or_default();
            for lane in idle {
                let stop = stop.clone();
                running.spawn(async move { lane.run(stop).await });
            }
            tokio::select! {
                () = self.wake.notified() => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
        }
        running.join_all().await;
    }

    /// Opens a lane from its key alone; those of other projects are run by their own daemons.
    fn revive(&self, key: &str) {
        if let Some(account) = key.strip_prefix("account:").filter(|rest| !rest.contains(':')) {
            self.of_account(account);
        } else if let Some((account, workspace)) = key.strip_prefix("workspace:").and_then(|rest| rest.split_once(':'))
        {
            self.of_workspace(account, workspace);
        }
    }
}
