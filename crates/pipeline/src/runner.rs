//! Claim, run, settle: in exactly one place, and only here are jobs logged.
//!
//! Owns how a worker goes through the queue. Never decides what a job does: that is in `jobs/<name>.rs`.
//! Start at [`Runner::work`].

use crate::jobs::{self, KINDS, LEASE, TRIES};
use crate::rooms::Rooms;
use crate::seat::Seat;
use jiff::{SignedDuration, Timestamp};
use loci_ledger::{Claim, Job, JobEnd, Ledger, Result};
use loci_store::owner::Owner;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a daemon looks for jobs: one small read.
const LOOK: Duration = Duration::from_millis(500);
/// How often it asks for the seat that another process has.
const AGAIN: Duration = Duration::from_secs(2);

/// Days that a job which is done stays in the list.
const KEPT_DAYS: i64 = 14;

/// Does jobs.
#[derive(Clone)]
pub struct Runner {
    ledger: Arc<dyn Ledger>,
    rooms: Arc<dyn Rooms>,
}

/// How many jobs came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Worked {
    /// Done.
    pub done: usize,
    /// Failed or given up.
    pub failed: usize,
}

impl Runner {
    /// A runner over this ledger, with memory from there.
    pub fn new(ledger: Arc<dyn Ledger>, rooms: Arc<dyn Rooms>) -> Runner {
        Runner { ledger, rooms }
    }

    /// How long until there is something to do; `None` = there is nothing.
    pub async fn next(&self, project: Option<&str>) -> Result<Option<Duration>> {
        if !self.dead().await?.is_empty() {
            return Ok(Some(Duration::ZERO));
        }
        self.ledger.next_job(&KINDS, project).await
    }

    /// Does all that is due, of one project or of all.
    pub async fn work(&self, project: Option<&str>) -> Result<Worked> {
        let mut worked = Worked::default();
        while let Some(job) = self.claim(project).await? {
            match self.one(&job).await? {
                JobEnd::Done(_) => worked.done += 1,
                JobEnd::Failed(..) | JobEnd::Hopeless(_) => worked.failed += 1,
                JobEnd::Later(_) => {}
            }
        }
        let old = Timestamp::now().checked_sub(SignedDuration::from_hours(24 * KEPT_DAYS)).unwrap_or(Timestamp::MIN);
        self.ledger.drop_jobs(old).await?;
        Ok(worked)
    }

    /// Does jobs as they come, for as long as it runs: for a daemon. Waits while somebody else has the seat.
    pub async fn stand_by(&self, home: &Path) {
        loop {
            if let Err(error) = self.sit(home).await {
                tracing::warn!(%error, "the pipeline stumbled; it tries again");
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn sit(&self, home: &Path) -> Result<()> {
        let Ok(Some(_seat)) = Seat::take(home).await else { return Ok(()) };
        loop {
            match self.next(None).await? {
                Some(wait) if wait.is_zero() => drop(self.work(None).await?),
                wait => tokio::time::sleep(wait.unwrap_or(LOOK).min(LOOK)).await,
            }
        }
    }

    async fn claim(&self, project: Option<&str>) -> Result<Option<Job>> {
        let dead = self.dead().await?;
        let owner = Owner::this().to_string();
        let claim = Claim { kinds: &KINDS, project, owner: &owner, lasts: LEASE, tries: TRIES, dead: &dead };
        self.ledger.claim_job(&claim, Timestamp::now()).await
    }

    /// Claims whose holders are known to be dead: nobody has to wait for their end.
    async fn dead(&self) -> Result<Vec<(u64, u64)>> {
        let running = self.ledger.running_jobs().await?;
        let is_dead = |job: &Job| job.owner.as_deref().and_then(Owner::parse).is_some_and(|owner| owner.is_dead());
        Ok(running.iter().filter(|job| is_dead(job)).map(|job| (job.id, job.token)).collect())
    }

    async fn one(&self, job: &Job) -> Result<JobEnd> {
        let start = Instant::now();
        let end = tokio::select! {
            end = jobs::run(self.ledger.as_ref(), self.rooms.as_ref(), job) => end,
            // Somebody else has it now; what was begun here is dropped.
            lost = self.keep(job) => {
                lost?;
                JobEnd::Later(Duration::ZERO)
            }
        };
        let settled = self.ledger.settle_job(job, &end, TRIES, Timestamp::now()).await?;
        let (status, error) = match &end {
            JobEnd::Done(_) => ("done", ""),
            JobEnd::Failed(error, _) => ("error", error.as_str()),
            JobEnd::Hopeless(error) => ("exhausted", error.as_str()),
            JobEnd::Later(_) => ("pending", ""),
        };
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(target: "memory.pipeline", kind = job.kind, status, error, settled, attempts = job.attempts,
            duration_ms = millis);
        Ok(end)
    }

    /// Renews a claim for as long as it can be; ends when it was lost.
    async fn keep(&self, job: &Job) -> Result<()> {
        loop {
            tokio::time::sleep(LEASE / 4).await;
            match self.ledger.renew_job(job.id, job.token, LEASE).await {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // A busy moment; the claim holds for a while yet.
                Err(error) => tracing::warn!(%error, "a claim could not be renewed"),
            }
        }
    }
}
