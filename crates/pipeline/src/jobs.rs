//! The kinds of jobs; this is their list.

pub mod extract_turn;

use crate::rooms::Rooms;
use loci_ledger::{Job, JobEnd, Ledger};
use std::time::Duration;

/// The words of all kinds.
pub const KINDS: [&str; 1] = [extract_turn::KIND];

/// How often a job is tried.
pub const TRIES: u32 = 3;

/// How long a claim holds unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(120);

/// Does a job of whatever kind.
pub(crate) async fn run(ledger: &dyn Ledger, rooms: &dyn Rooms, job: &Job) -> JobEnd {
    match job.kind.as_str() {
        extract_turn::KIND => extract_turn::run(ledger, rooms, job).await,
        // A newer Loci put it there.
        _ => JobEnd::Hopeless("unknown_kind".to_owned()),
    }
}

/// How long to wait after so many tries: half a minute, two minutes, eight.
pub(crate) fn pause(attempts: u32) -> Duration {
    Duration::from_secs(30) * 4_u32.saturating_pow(attempts.saturating_sub(1).min(4))
}
