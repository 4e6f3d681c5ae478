//! The lane: memory tasks of one workspace, one at a time, in the order in which they came.
//!
//! Owns a task from its acceptance to its end: the queue is in the ledger, so it outlives the daemon; a lease decides which
//! daemon runs it; the work itself is done by a child process (`acp`).
//! Never keeps half of a task: whatever ends one early, its changes are taken back by their journal group.
//! Start at [`Lane::run`]; one task's way is in `lane/attempt.rs`.
//!
//! Invariant: lane_is_serial. Invariant: accepted_task_ends.

mod attempt;
mod ids;
mod lanes;
mod orphan;
mod removed;
mod workers;

pub use lanes::Lanes;
pub use workers::Workers;

use crate::acp::host::{Spawn, Worker};
use crate::herald::Herald;
use crate::metrics::Metrics;
use ids::uuid;
use loci_domain::change::GroupId;
use loci_domain::secrets;
use loci_ledger::{CancelledTask, Lease, Ledger, Room, Task, TaskKind, TaskStatus};
use loci_memory::upkeep::Held;
use loci_memory::{Memory, Result};
use loci_session::records::now;
use loci_store::store::fresh_id;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use workers::Seat;

/// How often a daemon looks for tasks that another one left behind.
const LOOK: Duration = Duration::from_secs(5);

/// How often it asks again for a lane that another daemon runs.
const AGAIN: Duration = Duration::from_millis(300);

/// Limits of a lane.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `lane.pending`, `lane.pending_upkeep` and `lane.kept`.
    pub room: Room,
    /// `lane.task_seconds`: then the worker is killed.
    pub task: Duration,
    /// `lane.child_seconds`: then the worker gives up by itself.
    pub child: Duration,
    /// `lane.child_idle_seconds`: then a worker without work goes.
    pub idle: Duration,
    /// `lane.lease_seconds`.
    pub lease: Duration,
}

/// What a client asks for.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What is to be done.
    pub kind: TaskKind,
    /// For whom.
    pub client: Option<String>,
    /// With what.
    pub words: Option<String>,
    /// `workspace` or `clean`.
    pub mode: Option<String>,
    /// `user` or `project`.
    pub scope: Option<String>,
}

/// What all lanes of a daemon share.
#[derive(Clone)]
pub struct Shared {
    /// The rows.
    pub ledger: Arc<dyn Ledger>,
    /// Limits.
    pub settings: Settings,
    /// Who tells.
    pub herald: Arc<Herald>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// How many of them work at once.
    pub workers: Arc<Workers>,
}

/// The tasks of one workspace.
pub struct Lane {
    key: String,
    /// Where its events are heard.
    room: String,
    memory: Memory,
    ledger: Arc<dyn Ledger>,
    spawn: Spawn,
    settings: Settings,
    herald: Arc<Herald>,
    metrics: Arc<Metrics>,
    workers: Arc<Workers>,
    /// Something is to be done.
    wake: Notify,
    /// A running task may have been cancelled.
    cancelled: Notify,
    /// What it belongs to is about to go.
    closing: AtomicBool,
    /// What it belonged to is gone.
    over: AtomicBool,
}

/// What a look at the lane came to.
enum Round {
    /// Nothing is left to do.
    Idle,
    /// Another daemon is at it.
    Elsewhere,
}

impl Lane {
    /// The lane of the workspace whose memory this is.
    pub fn new(key: String, room: String, memory: Memory, spawn: Spawn, shared: Shared) -> Lane {
        let Shared { ledger, settings, herald, metrics, workers } = shared;
        let (wake, cancelled) = (Notify::new(), Notify::new());
        let (closing, over) = (AtomicBool::new(false), AtomicBool::new(false));
        Lane { key, room, memory, ledger, spawn, settings, herald, metrics, workers, wake, cancelled, closing, over }
    }

    /// Accepts a task, unless the lane is full. Secrets are taken out first: the lane is on disk.
    pub async fn post(&self, wanted: Wanted) -> Result<Option<Task>> {
        let now = now();
        let task = Task {
            id: format!("{}-{}", wanted.kind.word(), uuid()),
            lane: self.key.clone(),
            kind: wanted.kind,
            client: wanted.client,
            words: wanted.words.map(|words| secrets::redact(&words).into_owned()),
            mode: wanted.mode,
            scope: wanted.scope,
            status: TaskStatus::Queued,
            end: None,
            cuts: 0,
            run: None,
            worker: None,
            created_at: now,
            updated_at: now,
        };
        if !self.ledger.enqueue_task(&task, self.settings.room).await? {
            return Ok(None);
        }
        self.wake.notify_one();
        Ok(Some(task))
    }

    /// A task, if it is of this kind and belongs to this client.
    pub async fn task(&self, kind: TaskKind, id: &str, client: Option<&str>) -> Result<Option<Task>> {
        let task = self.ledger.task(&self.key, id).await?;
        Ok(task.filter(|task| task.kind == kind && task.client.as_deref() == client))
    }

    /// The tasks of a client, newest first.
    pub async fn tasks(&self, client: Option<&str>) -> Result<Vec<Task>> {
        Ok(self.ledger.tasks(&self.key, client, self.settings.room.kept).await?)
    }

    /// How many wait or run.
    pub async fn pending(&self) -> Result<usize> {
        Ok(self.ledger.pending_tasks(&self.key).await?)
    }

    /// Cancels a task that the caller may see.
    pub async fn cancel(&self, id: &str) -> Result<CancelledTask> {
        let cancelled = self.ledger.cancel_task(&self.key, id, now()).await?;
        if let CancelledTask::Now(task) = &cancelled {
            self.metrics.task(task.kind, TaskStatus::Cancelled);
            self.cancelled.notify_one();
            self.wake.notify_one();
        }
        Ok(cancelled)
    }

    /// Something may be to be done, or not to be done any more.
    fn ring(&self) {
        self.cancelled.notify_one();
        self.wake.notify_one();
    }

    /// Runs tasks until `stop` says so, or until there was nothing to do for so long that it need not be kept.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        let (mut worker, mut seat): (Option<Worker>, Option<Seat>) = (None, None);
        let (mut idle, mut quiet) = (Instant::now(), Instant::now());
        while !*stop.borrow() {
            let round = self.round(&mut worker, &mut seat, &mut stop, &mut idle).await;
            let nothing = matches!(round, Ok(Round::Idle));
            let wait = match round {
                Ok(Round::Idle) => LOOK.min(self.settings.idle.saturating_sub(idle.elapsed())),
                Ok(Round::Elsewhere) => AGAIN,
                Err(error) => {
                    tracing::error!(%error, "the lane stumbled; it tries again");
                    AGAIN * 5
                }
            };
            if !nothing {
                quiet = Instant::now();
            }
            if idle.elapsed() >= self.settings.idle
                && let Some(tired) = worker.take()
            {
                tired.dismiss().await;
            }
            let over = self.over.swap(false, Ordering::AcqRel);
            if nothing && (over || quiet.max(idle).elapsed() >= self.settings.idle.max(LOOK)) {
                break;
            }
            let wait = if wait.is_zero() { LOOK } else { wait };
            let wanted = tokio::select! {
                () = self.wake.notified() => false,
                () = self.workers.wanted(), if seat.is_some() => true,
                _ = stop.wait_for(|stop| *stop) => false,
                () = tokio::time::sleep(wait) => false,
            };
            if wanted && let Some(idle) = worker.take() {
                idle.dismiss().await;
            }
            if worker.is_none() {
                seat = None;
            }
        }
        if let Some(worker) = worker {
            worker.dismiss().await;
        }
    }

    /// Does all that there is to do, if the lane is ours.
    async fn round(
        &self,
        worker: &mut Option<Worker>,
        seat: &mut Option<Seat>,
        stop: &mut watch::Receiver<bool>,
        idle: &mut Instant,
    ) -> Result<Round> {
        let quiet = self.ledger.pending_tasks(&self.key).await? == 0;
        if quiet && self.ledger.unsettled_tasks(&self.key).await?.is_empty() {
            return Ok(Round::Idle);
        }
        if seat.is_none() {
            *seat = tokio::select! {
                seat = self.workers.seat() => seat,
                _ = stop.wait_for(|stop| *stop) => return Ok(Round::Idle),
            };
        }
        let mut hold = match self.memory.hold(&format!("lane:{}", self.key), self.settings.lease).await? {
            Held::Mine(hold) => hold,
            Held::Here | Held::Elsewhere => return Ok(Round::Elsewhere),
        };
        let done = self.with_lease(&mut hold.lease, worker, stop).await;
        hold.let_go().await;
        *idle = Instant::now();
        done.map(|()| Round::Idle)
    }

    async fn with_lease(
        &self,
        lease: &mut Lease,
        worker: &mut Option<Worker>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<()> {
        for task in self.ledger.unsettled_tasks(&self.key).await? {
            self.settle_cut_off(task).await?;
        }
        while !*stop.borrow() {
            // A lane of short tasks may be longer than a lease.
            match self.ledger.renew_lease(lease, self.settings.lease).await? {
                Some(longer) => *lease = longer,
                None => break,
            }
            let (gone, run) = (self.is_removed().await?, GroupId(fresh_id()));
            let Some(task) = self.ledger.start_task(&self.key, &run, now()).await? else { break };
            if gone {
                // It has done nothing yet, so there is nothing to take back.
                self.end(&task, &run, self.parting().end()).await?;
                continue;
            }
            if !self.perform(&task, &run, lease, worker, stop).await? {
                break;
            }
        }
        Ok(())
    }
}
