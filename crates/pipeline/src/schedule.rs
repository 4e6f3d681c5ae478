//! When a daemon works: on what hooks ask for at once, on both phases at its start, hourly, and when somebody asks.
//!
//! Owns the clock of that, and that one process of a machine does it. Never holds up a turn: both go on side by side.
//! Start at [`Runner::stand_by`].

use crate::pass::Quietly;
use crate::runner::Runner;
use crate::seat::Seat;
use loci_ledger::Result;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a daemon looks for jobs: one small read.
const LOOK: Duration = Duration::from_millis(500);
/// How often it asks for the seat that another process has.
const AGAIN: Duration = Duration::from_secs(2);
/// How often both phases run by themselves.
const HOURLY: Duration = Duration::from_secs(3600);
/// What waits may be left to somebody else, so that a run which finds it there does not follow upon the other.
const BETWEEN: Duration = Duration::from_secs(5);

impl Runner {
    /// Does jobs as they come, for as long as it runs: for a daemon. Waits while somebody else has the seat.
    pub async fn stand_by(&self, home: &Path) {
        loop {
            if let Ok(Some(_seat)) = Seat::take(home).await
                && let Err(error) = tokio::try_join!(self.turns(), self.hours())
            {
                tracing::warn!(%error, "the pipeline stumbled; it tries again");
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// What hooks ask for.
    async fn turns(&self) -> Result<()> {
        loop {
            match self.next(None).await? {
                Some(wait) if wait.is_zero() => drop(self.work(None).await?),
                wait => tokio::time::sleep(wait.unwrap_or(LOOK).min(LOOK)).await,
            }
        }
    }

    /// The two phases.
    async fn hours(&self) -> Result<()> {
        let mut last: Option<Instant> = None;
        loop {
            let since = last.map(|last| last.elapsed());
            let hour = since.is_none_or(|since| since >= HOURLY);
            let asked = since.is_some_and(|since| since >= BETWEEN) && self.phases_wait().await?;
            if hour || asked {
                self.pass(None, Arc::new(Quietly)).await?;
                last = Some(Instant::now());
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}
