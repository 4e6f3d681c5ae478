//! The kinds of jobs; this is their list.

pub mod consolidate;
pub mod distil;
pub mod extract_turn;

use crate::settings::Terms;
use loci_ledger::JobEnd;
use loci_memory::Error;
use loci_memory::asked::{Spent, Unanswered};
use std::time::Duration;

/// What hooks ask for at the end of a turn: done as soon as somebody can.
pub const TURNS: [&str; 1] = [extract_turn::KIND];

/// The two phases: done by a run as a whole.
pub const PHASES: [&str; 2] = [distil::KIND, consolidate::KIND];

/// How a job of a turn is held.
pub(crate) const TURN: Terms = Terms { lease: Duration::from_secs(120), beat: Duration::from_secs(30), tries: 3 };

/// How a job of a phase ended, and what it cost.
pub(crate) struct Ended {
    pub end: JobEnd,
    pub spent: Spent,
}

/// How long to wait after so many tries: half a minute, two minutes, eight.
pub(crate) fn pause(attempts: u32) -> Duration {
    Duration::from_secs(30) * 4_u32.saturating_pow(attempts.saturating_sub(1).min(4))
}

/// A question without an answer: the next day is waited for, everything else is a failure.
fn unanswered(why: Unanswered, pause: Duration) -> JobEnd {
    match why {
        Unanswered::Spent => JobEnd::Later(until_midnight()),
        why => JobEnd::Failed(why.to_string(), pause),
    }
}

/// What a job's row says of a verb that failed: a word and no more, since a verb's own words may name what is purged later.
/// A person's own prompt is named with what is wrong in it, for nobody else can mend that.
fn told(error: &Error) -> String {
    match error {
        Error::Prompt { .. } => format!("{}: {error}", error.code()),
        error => error.code().to_owned(),
    }
}

/// Until the next UTC day, on which models may be asked again.
fn until_midnight() -> Duration {
    const DAY: i64 = 86_400;
    let left = DAY - jiff::Timestamp::now().as_second().rem_euclid(DAY);
    Duration::from_secs(left.unsigned_abs())
}
