//! Jobs, as far as they are the same in every engine: what a row says when a claim ends.

use crate::span::micros;
use crate::{Job, JobEnd, JobStatus};

/// How often a job may be claimed in all, for so many tries: a worker that was killed is not its job's fault, but one that
/// kills every worker must come to an end.
pub(crate) fn claims(tries: u32) -> u32 {
    tries.saturating_mul(4)
}

/// What a row says after a claim has ended.
pub(crate) struct After {
    pub status: JobStatus,
    pub attempts: u32,
    pub error: Option<String>,
    pub until: Option<i64>,
    pub done: u64,
    pub tally: u64,
}

/// What the claim `job` on `row` comes to, `now` in microseconds.
pub(crate) fn after(job: &Job, row: &Job, end: &JobEnd, tries: u32, now: i64) -> After {
    let soon = |wait| Some(now.saturating_add(micros(wait)));
    let failed = |status, error: &str, until| After {
        status,
        attempts: row.attempts,
        error: Some(error.to_owned()),
        until,
        done: row.done,
        tally: 0,
    };
    let done = |tally| match row.asked > job.asked {
        true => After { status: JobStatus::Pending, attempts: 0, error: None, until: None, done: job.asked, tally },
        false => {
            After { status: JobStatus::Done, attempts: row.attempts, error: None, until: None, done: job.asked, tally }
        }
    };
    match end {
        JobEnd::Done(tally) => done(*tally),
        JobEnd::Distilled(_) | JobEnd::Made(_) => done(0),
        JobEnd::Failed(error, _) if row.attempts >= tries => failed(JobStatus::Exhausted, error, None),
        JobEnd::Failed(error, wait) => failed(JobStatus::Error, error, soon(*wait)),
        JobEnd::Hopeless(error) => failed(JobStatus::Exhausted, error, None),
        JobEnd::Later(wait) => After {
            status: JobStatus::Pending,
            attempts: row.attempts.saturating_sub(1),
            error: row.error.clone(),
            until: soon(*wait),
            done: row.done,
            tally: 0,
        },
    }
}
