//! When a daemon works: on what hooks ask for at once, on both phases at its start, hourly, and when somebody asks.
//!
//! Owns the clock of that, and that one process of a machine does it. Never holds up a turn: both go on side by side, and
//! trouble of the one does not cut off what the other is at.
//! Start at [`Runner::stand_by`].

use crate::runner::Runner;
use crate::seat::Seat;
use loci_ledger::Result;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often a daemon looks for jobs: one small read.
const LOOK: Duration = Duration::from_millis(500);
/// How often it asks for the seat that another process has, and for jobs that the ledger could not tell.
const AGAIN: Duration = Duration::from_secs(2);
/// How long the phases rest after trouble: a run looks at every session.
const REST: Duration = Duration::from_secs(60);
/// How often both phases run by themselves.
const HOURLY: Duration = Duration::from_secs(3600);
/// What waits may be left to somebody else, so that a run which finds it there does not follow upon the other.
const BETWEEN: Duration = Duration::from_secs(5);

impl Runner {
    /// Does jobs as they come, for as long as it runs: for a daemon. Waits while somebody else has the seat.
    pub async fn stand_by(&self, home: &Path) {
        loop {
            match Seat::take(home).await {
                Ok(Some(_seat)) => {
                    tokio::join!(self.turns(), self.hours());
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "the pipeline cannot take its seat; it tries again"),
            }
            sleep(AGAIN).await;
        }
    }

    /// What hooks ask for, without an end.
    async fn turns(&self) {
        loop {
            let wait = self.turn().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "jobs of turns cannot be done; it is tried again");
                AGAIN
            });
            sleep(wait).await;
        }
    }

    /// Does what is due; says how long to wait for more.
    async fn turn(&self) -> Result<Duration> {
        match self.next(None).await? {
            Some(wait) if wait.is_zero() => self.work(None).await.map(|_| Duration::ZERO),
            wait => Ok(wait.unwrap_or(LOOK).min(LOOK)),
        }
    }

    /// The two phases, without an end.
    async fn hours(&self) {
        let mut last = None;
        loop {
            let wait = match self.hour(&mut last).await {
                Ok(()) => LOOK,
                Err(error) => {
                    tracing::warn!(%error, "the phases stumbled; they run again in a minute");
                    REST
                }
            };
            sleep(wait).await;
        }
    }

    /// Runs both phases if it is time, or if somebody asked; `last` is when that was done last.
    async fn hour(&self, last: &mut Option<Instant>) -> Result<()> {
        let since = last.map(|last| last.elapsed());
        let hour = since.is_none_or(|since| since >= HOURLY);
        let asked = since.is_some_and(|since| since >= BETWEEN) && self.phases_wait().await?;
        if hour || asked {
            self.pass_unattended().await?;
            *last = Some(Instant::now());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
