//! The end of a claim: the job's row and what came of it, in one step, and only for who holds the claim.

use super::find;
use crate::jobs::after;
use crate::sqlite::clock::now;
use crate::sqlite::{Result, codec, extractions};
use crate::{Job, JobEnd, JobStatus};
use jiff::Timestamp;
use rusqlite::{Transaction, params};

/// Ends a claim; `false` when it was lost.
pub(super) fn settle(tx: &Transaction<'_>, job: &Job, end: &JobEnd, tries: u32, at: Timestamp) -> Result<bool> {
    let id = codec::number(job.id);
    let Some(row) = find(tx, id)?.filter(|row| row.status == JobStatus::Running && row.token == job.token) else {
        return Ok(false);
    };
    match end {
        JobEnd::Distilled(extraction) => extractions::keep(tx, extraction)?,
        JobEnd::Made(upto) => extractions::made(tx, &job.project, *upto, at)?,
        _ => {}
    }
    let after = after(job, &row, end, tries, now(tx)?);
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
