//! The end of a claim: the job's row and what came of it, in one step, and only for who holds the claim.

use crate::jobs::after;
use crate::postgres::bells::ring;
use crate::postgres::clock::now;
use crate::postgres::subject::Subject;
use crate::postgres::{Result, codec, extractions, sessions};
use crate::rows::jobs::{job as read, select_job};
use crate::{Job, JobEnd, JobStatus, LOCAL};
use jiff::Timestamp;
use sqlx::{PgConnection, query};

/// What a session came to is kept only while the session is there: nobody may drop it meanwhile.
pub(super) fn subject(end: &JobEnd) -> Subject {
    match end {
        JobEnd::Distilled(extraction) => sessions::subject(LOCAL, &extraction.project),
        _ => Subject::none(),
    }
}

/// Ends a claim; `false` when it was lost.
pub(super) async fn settle(db: &mut PgConnection, job: &Job, end: &JobEnd, tries: u32, at: Timestamp) -> Result<bool> {
    // From here on the claim is nobody else's: whoever wants to take it over waits for this row.
    let sql = select_job!("WHERE id = $1 AND token = $2 AND status = 'running' FOR UPDATE");
    let held = query(sql).bind(codec::number(job.id)).bind(codec::number(job.token)).fetch_optional(&mut *db).await?;
    let Some(row) = codec::first(held, read)? else { return Ok(false) };
    match end {
        JobEnd::Distilled(extraction) => extractions::keep(db, extraction).await?,
        JobEnd::Made(upto) => extractions::made(db, &job.project, *upto, at).await?,
        _ => {}
    }
    let after = after(job, &row, end, tries, now(db).await?);
    let update = query(
        "UPDATE jobs SET status = $2, attempts = $3, error = $4, until = $5, done = $6, tally = tally + $7,
           owner = NULL, updated_at = $8 WHERE id = $1",
    );
    update
        .bind(codec::number(job.id))
        .bind(after.status.word())
        .bind(i64::from(after.attempts))
        .bind(codec::maybe_text(after.error.as_deref()))
        .bind(after.until)
        .bind(codec::number(after.done))
        .bind(codec::number(after.tally))
        .bind(at.as_microsecond())
        .execute(&mut *db)
        .await?;
    if after.status == JobStatus::Pending {
        ring(db, "jobs").await?;
    }
    Ok(true)
}
