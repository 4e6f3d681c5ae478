//! One run of one task: asked of the worker, watched, and brought to an end.

use super::Lane;
use crate::acp::host::{Gone, Worker};
use crate::acp::verbs;
use crate::acp::wire::{self, Ask, Trouble};
use loci_domain::change::GroupId;
use loci_ledger::{Lease, Task, TaskEnd, TaskKind, TaskStatus};
use loci_memory::Result;
use loci_session::records::now;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a running task may go on when the daemon is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// How often a running task is looked after: is it still wanted, is the lane still ours.
const WATCH: Duration = Duration::from_secs(1);

/// How a run ended.
enum End {
    Done(Value),
    Failed(Trouble),
    /// Its client does not want it any more.
    Cancelled,
    /// The daemon stops; whoever starts next does it.
    HandedBack,
    /// Another daemon has the lane now, and settles this run.
    Lost,
}

/// What the wait for an answer came to.
enum Waited {
    Heard(std::result::Result<std::result::Result<Value, Value>, Gone>),
    Over(End),
}

impl Lane {
    /// Runs a task that was started; `false` when the lane must be left.
    pub(super) async fn perform(
        &self,
        task: &Task,
        run: &GroupId,
        lease: &mut Lease,
        worker: &mut Option<Worker>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<bool> {
        let start = Instant::now();
        let end = self.attempt(task, run, lease, worker, stop).await?;
        let word = match &end {
            End::Done(_) => "completed",
            End::Failed(_) => "failed",
            End::Cancelled => "cancelled",
            End::HandedBack => "handed_back",
            End::Lost => "lost",
        };
        let duration_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(target: "daemon.task", kind = task.kind.word(), status = word, duration_ms);
        let over = match end {
            End::Lost => return Ok(false),
            End::Done(result) => {
                if self.end(task, run, TaskEnd::Completed(result.to_string())).await? {
                    self.tell(task, &result).await;
                    return Ok(true);
                }
                None
            }
            End::Failed(trouble) => Some(TaskEnd::Failed(trouble.code, trouble.text)),
            End::Cancelled => None,
            End::HandedBack => {
                self.memory.withdraw(run).await?;
                self.ledger.requeue_task(&task.id, run, task.cuts, now()).await?;
                return Ok(false);
            }
        };
        // First the changes go, then the end is told: who reads it finds memory as it was.
        self.memory.withdraw(run).await?;
        let told = match over {
            Some(end) => self.end(task, run, end).await?,
            None => false,
        };
        if !told {
            self.ledger.settle_run(&task.id, run).await?;
        }
        Ok(true)
    }

    /// Puts the end of a run on record; `false` = it was cancelled meanwhile.
    pub(super) async fn end(&self, task: &Task, run: &GroupId, end: TaskEnd) -> Result<bool> {
        let status = match end {
            TaskEnd::Completed(_) => TaskStatus::Completed,
            TaskEnd::Failed(..) => TaskStatus::Failed,
        };
        let ended = self.ledger.finish_task(&task.id, run, &end, now(), self.settings.room.kept).await?;
        if ended {
            self.metrics.task(task.kind, status);
        }
        Ok(ended)
    }

    /// Tells the sessions, if something really changed.
    async fn tell(&self, task: &Task, result: &Value) {
        let scopes = &result["touchedScopes"];
        if scopes.as_array().is_none_or(Vec::is_empty) {
            return;
        }
        let data = json!({
            "scope": "managed",
            "source": format!("workspace_memory_{}", task.kind.word()),
            "taskId": task.id,
            "touchedScopes": scopes,
        });
        self.herald.tell(&self.room, "memory_changed", &data, task.client.as_deref()).await;
    }

    async fn attempt(
        &self,
        task: &Task,
        run: &GroupId,
        lease: &mut Lease,
        kept: &mut Option<Worker>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<End> {
        if kept.as_mut().is_some_and(Worker::has_ended) {
            *kept = None;
        }
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => match Worker::start(&self.spawn).await {
                Ok(worker) => worker,
                Err(error) => {
                    tracing::error!(%error, "no worker could be started");
                    return Ok(End::Failed(crashed()));
                }
            },
        };
        self.ledger.note_worker(&task.id, run, &worker.owner).await?;
        let params = serde_json::to_value(self.ask(task, run)).unwrap_or_default();
        let waited = self.wait(task, lease, worker.ask(wire::method(task.kind), &params), stop).await?;
        Ok(match waited {
            Waited::Heard(Ok(Ok(result))) => {
                *kept = Some(worker);
                End::Done(result)
            }
            Waited::Heard(Ok(Err(error))) => {
                let trouble = wire::trouble(&error, task.kind);
                // A verb that was dropped on its way is not trusted with the next task.
                match trouble == verbs::timeout(task.kind) {
                    true => worker.kill().await,
                    false => *kept = Some(worker),
                }
                End::Failed(trouble)
            }
            Waited::Heard(Err(gone)) => {
                tracing::error!(%gone, "a worker crashed");
                worker.kill().await;
                End::Failed(crashed())
            }
            Waited::Over(end) => {
                worker.kill().await;
                end
            }
        })
    }

    /// Waits for the answer, the time limit, a cancel, the end of the workspace or the daemon, or the loss of the lane.
    async fn wait(
        &self,
        task: &Task,
        lease: &mut Lease,
        asked: impl Future<Output = std::result::Result<std::result::Result<Value, Value>, Gone>>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Waited> {
        let mut asked = std::pin::pin!(asked);
        let late = Instant::now() + self.settings.task;
        let mut renewed = Instant::now();
        let mut leave: Option<Instant> = None;
        loop {
            let now = Instant::now();
            if now >= late {
                return Ok(Waited::Over(End::Failed(verbs::timeout(task.kind))));
            }
            if leave.is_some_and(|leave| now >= leave) {
                return Ok(Waited::Over(End::HandedBack));
            }
            let until = [Some(late), leave, Some(now + WATCH)].into_iter().flatten().min().unwrap_or(late);
            tokio::select! {
                heard = &mut asked => return Ok(Waited::Heard(heard)),
                () = self.cancelled.notified() => {}
                _ = stop.wait_for(|stop| *stop), if leave.is_none() => leave = Some(Instant::now() + GRACE),
                () = tokio::time::sleep_until(until.into()) => {}
            }
            let status = self.ledger.task(&self.key, &task.id).await?.map(|task| task.status);
            if status == Some(TaskStatus::Cancelled) {
                return Ok(Waited::Over(End::Cancelled));
            }
            if self.is_removed().await? {
                return Ok(Waited::Over(End::Failed(self.parting().trouble())));
            }
            if renewed.elapsed() >= self.settings.lease / 3 {
                match self.ledger.renew_lease(lease, self.settings.lease).await? {
                    Some(longer) => *lease = longer,
                    None => return Ok(Waited::Over(End::Lost)),
                }
                renewed = Instant::now();
            }
        }
    }

    fn ask(&self, task: &Task, run: &GroupId) -> Ask {
        let words = task.words.clone();
        let (content, query) = match task.kind {
            TaskKind::Remember => (words, None),
            TaskKind::Forget => (None, words),
            TaskKind::Dream => (None, None),
        };
        Ask {
            content,
            query,
            context_mode: task.mode.clone(),
            scope: task.scope.clone(),
            group: Some(run.0.clone()),
            seconds: Some(self.settings.child.as_secs()),
        }
    }
}

fn crashed() -> Trouble {
    Trouble::new("worker_crashed", "the worker went away while it was at this task")
}
