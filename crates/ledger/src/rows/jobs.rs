//! Rows of jobs.

use crate::columns::Columns;
use crate::{Job, JobStatus, Result};

/// The columns of a job, in the order that [`job`] reads them.
macro_rules! job_columns {
    () => {
        "id, kind, key, project, payload, status, attempts, error, asked, done, owner, token, until, tally, \
         created_at, updated_at"
    };
}

/// Asks for jobs as [`job`] reads them.
macro_rules! select_job {
    ($rest:literal) => {
        concat!("SELECT ", $crate::rows::jobs::job_columns!(), " FROM jobs ", $rest)
    };
}
pub(crate) use {job_columns, select_job};

pub(crate) fn job(row: &impl Columns) -> Result<Job> {
    Ok(Job {
        id: row.count(0)?,
        kind: row.text(1)?,
        key: row.text(2)?,
        project: row.text(3)?,
        payload: row.text(4)?,
        status: row.word(5, JobStatus::from_word)?,
        attempts: row.small_count(6)?,
        error: row.maybe_text(7)?,
        asked: row.count(8)?,
        done: row.count(9)?,
        owner: row.maybe_text(10)?,
        token: row.count(11)?,
        until: row.maybe_time(12)?,
        tally: row.count(13)?,
        created_at: row.time(14)?,
        updated_at: row.time(15)?,
    })
}
