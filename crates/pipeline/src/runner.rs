//! Claim, run, settle: in exactly one place, and only here are jobs logged.
//!
//! Owns how a worker goes through the queue. Never decides what a job does: that is in `jobs/<name>.rs`.
//! Start at [`Runner::work`] for what hooks ask for; a run of the two phases is [`Runner::pass`].

use crate::jobs::{TURN, TURNS, extract_turn};
use crate::rooms::Rooms;
use crate::settings::Terms;
use jiff::{SignedDuration, Timestamp};
use loci_ledger::{Claim, Job, JobEnd, Ledger, Result};
use loci_store::owner::Owner;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Days that a job which is done stays in the list.
const KEPT_DAYS: i64 = 14;

/// Does jobs.
#[derive(Clone)]
pub struct Runner {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) rooms: Arc<dyn Rooms>,
}

/// How many jobs came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Worked {
    /// Done.
    pub done: usize,
    /// Failed or given up.
    pub failed: usize,
}

/// Which jobs are claimed.
pub(crate) struct Wants<'a> {
    pub kinds: &'a [&'a str],
    pub project: Option<&'a str>,
    /// Jobs that are left to others.
    pub passed_over: &'a [u64],
    pub terms: Terms,
}

/// A claim, for who has to know whether it still holds.
pub(crate) struct Hold<'a> {
    ledger: &'a dyn Ledger,
    job: &'a Job,
    terms: Terms,
}

impl Hold<'_> {
    /// Renews the claim; `false` when it was lost.
    pub(crate) async fn renew(&self) -> Result<bool> {
        self.ledger.renew_job(self.job.id, self.job.token, self.terms.lease).await
    }

    /// Renews a claim for as long as it can be; ends when it was lost.
    async fn keep(&self) {
        loop {
            tokio::time::sleep(self.terms.beat).await;
            match self.renew().await {
                Ok(true) => {}
                Ok(false) => return,
                // A busy moment; the claim holds for a while yet.
                Err(error) => tracing::warn!(%error, "a claim could not be renewed"),
            }
        }
    }
}

impl Runner {
    /// A runner over this ledger, with memory from there.
    pub fn new(ledger: Arc<dyn Ledger>, rooms: Arc<dyn Rooms>) -> Runner {
        Runner { ledger, rooms }
    }

    /// How long until there is a job of a turn to do; `None` = there is none.
    pub async fn next(&self, project: Option<&str>) -> Result<Option<Duration>> {
        self.next_of(&TURNS, project).await
    }

    /// The same for any kinds.
    pub(crate) async fn next_of(&self, kinds: &[&str], project: Option<&str>) -> Result<Option<Duration>> {
        let running = self.ledger.running_jobs().await?;
        if running.iter().any(|job| kinds.contains(&job.kind.as_str()) && is_dead(job)) {
            return Ok(Some(Duration::ZERO));
        }
        self.ledger.next_job(kinds, project).await
    }

    /// Does all jobs of turns that are due, of one project or of all.
    pub async fn work(&self, project: Option<&str>) -> Result<Worked> {
        let mut worked = Worked::default();
        while let Some(job) = self.claim(&Wants { kinds: &TURNS, project, passed_over: &[], terms: TURN }).await? {
            let hold = self.hold(&job, TURN);
            let run = async { extract_turn::run(self.rooms.as_ref(), &job).await };
            match self.run_claimed(&job, TURN, &hold, run).await? {
                Some(JobEnd::Failed(..) | JobEnd::Hopeless(_)) => worked.failed += 1,
                Some(JobEnd::Later(_)) | None => {}
                Some(_) => worked.done += 1,
            }
        }
        let old = Timestamp::now().checked_sub(SignedDuration::from_hours(24 * KEPT_DAYS)).unwrap_or(Timestamp::MIN);
        self.ledger.drop_jobs(old).await?;
        Ok(worked)
    }

    /// Takes the job that has waited longest.
    pub(crate) async fn claim(&self, wants: &Wants<'_>) -> Result<Option<Job>> {
        let Wants { kinds, project, passed_over, terms } = *wants;
        let dead = self.dead().await?;
        let owner = Owner::this().to_string();
        let (lasts, tries) = (terms.lease, terms.tries);
        let claim = Claim { kinds, project, owner: &owner, lasts, tries, dead: &dead, passed_over };
        self.ledger.claim_job(&claim, Timestamp::now()).await
    }

    pub(crate) fn hold<'a>(&'a self, job: &'a Job, terms: Terms) -> Hold<'a> {
        Hold { ledger: self.ledger.as_ref(), job, terms }
    }

    /// Claims whose holders are known to be dead: nobody has to wait for their end.
    async fn dead(&self) -> Result<Vec<(u64, u64)>> {
        let running = self.ledger.running_jobs().await?;
        Ok(running.iter().filter(|job| is_dead(job)).map(|job| (job.id, job.token)).collect())
    }

    /// Runs a job while its claim is kept, and settles it; `None` = the claim was lost, and nothing of it counts.
    pub(crate) async fn run_claimed(
        &self,
        job: &Job,
        terms: Terms,
        hold: &Hold<'_>,
        run: impl Future<Output = JobEnd>,
    ) -> Result<Option<JobEnd>> {
        let start = Instant::now();
        let end = tokio::select! {
            end = run => end,
            // Somebody else has it now; what was begun here is dropped.
            () = hold.keep() => JobEnd::Later(Duration::ZERO),
        };
        let settled = self.ledger.settle_job(job, &end, terms.tries, Timestamp::now()).await?;
        let (status, error) = match &end {
            JobEnd::Done(_) | JobEnd::Distilled(_) | JobEnd::Made(_) => ("done", ""),
            JobEnd::Failed(error, _) => ("error", error.as_str()),
            JobEnd::Hopeless(error) => ("exhausted", error.as_str()),
            JobEnd::Later(_) => ("pending", ""),
        };
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(target: "memory.pipeline", kind = job.kind, status, error, settled, attempts = job.attempts,
            duration_ms = millis);
        Ok(settled.then_some(end))
    }
}

/// True when the holder of a claim is known to have died.
pub(crate) fn is_dead(job: &Job) -> bool {
    job.owner.as_deref().and_then(Owner::parse).is_some_and(|owner| owner.is_dead())
}
