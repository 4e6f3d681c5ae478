//! The end of a claim: the job's row and what came of it, in one step, and only for who holds the claim.

use super::{find, micros, now};
use crate::sqlite::{Result, Trouble, codec, extractions};
use crate::{Job, JobEnd, JobStatus};
use jiff::Timestamp;
use rusqlite::{Transaction, params};
use std::time::Duration;

/// What a row says after a claim has ended.
struct After {
    status: JobStatus,
    attempts: u32,
    error: Option<String>,
    until: Option<i64>,
    done: u64,
    tally: u64,
}

/// Ends a claim; `false` when it was lost.
pub(super) fn settle(tx: &Transaction<'_>, job: &Job, end: JobEnd, tries: u32, at: Timestamp) -> Result<bool> {
    let id = codec::number(job.id);
    let Some(row) = find(tx, id)?.filter(|row| row.status == JobStatus::Running && row.token == job.token) else {
        return Ok(false);
    };
    match &end {
        JobEnd::Distilled(extraction) => extractions::keep(tx, extraction)?,
        JobEnd::Made(upto) => extractions::made(tx, &job.project, *upto, at)?,
        _ => {}
    }
    let after = after(tx, job, row, end, tries)?;
    tx.prepare_cached(
        "UPDATE jobs SET status = ?2, attempts = ?3, error = ?4, until = ?5, done = ?6, tally = tally + ?7,
           owner = NULL, updated_at = ?8 WHERE id = ?1",
    )?
    .execute(params![
        id,
        after.status.word(),
        after.attempts,
        after.error,
        after.until,
        codec::number(after.done),
        codec::number(after.tally),
        at.as_microsecond()
    ])?;
    Ok(true)
}

fn after(tx: &Transaction<'_>, job: &Job, row: Job, end: JobEnd, tries: u32) -> Result<After> {
    let soon = |wait: Duration| Ok::<_, Trouble>(Some(now(tx)?.saturating_add(micros(wait))));
    let failed =
        |status, error, until| After { status, attempts: row.attempts, error, until, done: row.done, tally: 0 };
    let done = |tally| match row.asked > job.asked {
        true => After { status: JobStatus::Pending, attempts: 0, error: None, until: None, done: job.asked, tally },
        false => {
            After { status: JobStatus::Done, attempts: row.attempts, error: None, until: None, done: job.asked, tally }
        }
    };
    Ok(match end {
        JobEnd::Done(tally) => done(tally),
        JobEnd::Distilled(_) | JobEnd::Made(_) => done(0),
        JobEnd::Failed(error, _) if row.attempts >= tries => failed(JobStatus::Exhausted, Some(error), None),
        JobEnd::Failed(error, wait) => failed(JobStatus::Error, Some(error), soon(wait)?),
        JobEnd::Hopeless(error) => failed(JobStatus::Exhausted, Some(error), None),
        JobEnd::Later(wait) => After {
            status: JobStatus::Pending,
            attempts: row.attempts.saturating_sub(1),
            error: row.error.clone(),
            until: soon(wait)?,
            done: row.done,
            tally: 0,
        },
    })
}
