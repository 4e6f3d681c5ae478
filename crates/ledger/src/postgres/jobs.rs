//! The jobs topic on PostgreSQL: one row a job, its claims counted in the row: the count is the fencing token.
//!
//! Invariant: claim_is_fenced. Whoever claims a job again gets a higher token, and the old one settles nothing.
//! The row of a job keeps its writers apart; only who asks for a job that may not be there yet needs a subject.

mod settle;

use super::bells::ring;
use super::clock::now;
use super::codec::now;
use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::jobs::claims;
use crate::rows::jobs::{job, job_columns, select_job};
use crate::span::micros;
use crate::{Claim, Job, JobEnd, JobStatus, Jobs, Wanted};
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::{PgConnection, query, query_as, query_scalar};
use std::borrow::Cow;
use std::time::Duration;

/// What is to be claimed, by kinds as `$1` and a project or none as `$2`.
macro_rules! to_do {
    () => {
        "status IN ('pending', 'running', 'error') AND kind = ANY($1) AND ($2::text IS NULL OR project = $2)"
    };
}

#[async_trait]
impl Jobs for Postgres {
    async fn enqueue_job(&self, wanted: &Wanted, at: Timestamp) -> crate::Result<bool> {
        let Wanted { kind, key, project, payload, mark } = wanted;
        writing!(self, Subject::of("job", &[kind, project, key]), Durability::Full, |db| {
            let sql = select_job!("WHERE kind = $1 AND project = $2 AND key = $3 FOR UPDATE");
            let asked = query(sql).bind(codec::text(kind)).bind(codec::text(project)).bind(codec::text(key));
            let known = codec::first(asked.fetch_optional(&mut *db).await?, job)?;
            let last = known.as_ref().map_or(0, |job| job.asked);
            let asks = mark.unwrap_or(last + 1).max(last);
            let put = match &known {
                None => query(
                    "INSERT INTO jobs (kind, key, project, payload, status, attempts, asked, done, token, tally,
                       created_at, updated_at)
                     VALUES ($4, $5, $6, $1, 'pending', 0, $2, 0, 0, 0, $3, $3)",
                )
                .bind(codec::text(payload))
                .bind(codec::number(asks))
                .bind(at.as_microsecond())
                .bind(codec::text(kind))
                .bind(codec::text(key))
                .bind(codec::text(project)),
                Some(known) => match known.status {
                    JobStatus::Pending | JobStatus::Running | JobStatus::Error => {
                        query("UPDATE jobs SET payload = $1, asked = $2 WHERE id = $3")
                            .bind(codec::text(payload))
                            .bind(codec::number(asks))
                            .bind(codec::number(known.id))
                    }
                    JobStatus::Done | JobStatus::Exhausted if asks <= last => return Ok(false),
                    JobStatus::Done | JobStatus::Exhausted => query(
                        "UPDATE jobs SET payload = $1, asked = $2, status = 'pending', attempts = 0, error = NULL,
                           until = NULL, updated_at = $3 WHERE id = $4",
                    )
                    .bind(codec::text(payload))
                    .bind(codec::number(asks))
                    .bind(at.as_microsecond())
                    .bind(codec::number(known.id)),
                },
            };
            put.execute(&mut *db).await?;
            ring(db, "jobs").await?;
            Ok(true)
        })
    }

    async fn claim_job(&self, claim: &Claim<'_>, at: Timestamp) -> crate::Result<Option<Job>> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let now = now(db).await?;
            loop {
                let Some((id, attempts)) = next(db, claim, now).await? else { return Ok(None) };
                if attempts < i64::from(claims(claim.tries)) {
                    let take = query(concat!(
                        "UPDATE jobs SET status = 'running', attempts = attempts + 1, owner = $2, token = token + 1,
                           until = $3, updated_at = $4 WHERE id = $1 RETURNING ",
                        job_columns!()
                    ));
                    let until = now.saturating_add(micros(claim.lasts));
                    let take = take.bind(id).bind(codec::text(claim.owner)).bind(until).bind(at.as_microsecond());
                    return Ok(Some(job(&take.fetch_one(&mut *db).await?)?));
                }
                let end = query(
                    "UPDATE jobs SET status = 'exhausted', error = coalesce(error, 'cut_off'), owner = NULL,
                       until = NULL, updated_at = $2 WHERE id = $1",
                );
                end.bind(id).bind(at.as_microsecond()).execute(&mut *db).await?;
            }
        })
    }

    async fn renew_job(&self, id: u64, token: u64, lasts: Duration) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let renew = query(concat!(
                "UPDATE jobs SET until = ",
                now!(),
                " + $3 WHERE id = $1 AND token = $2 AND status = 'running'"
            ));
            let renew = renew.bind(codec::number(id)).bind(codec::number(token)).bind(micros(lasts));
            Ok(renew.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn settle_job(&self, job: &Job, end: &JobEnd, tries: u32, at: Timestamp) -> crate::Result<bool> {
        writing!(self, settle::subject(end), Durability::Full, |db| { settle::settle(db, job, end, tries, at).await })
    }

    async fn job(&self, id: u64) -> crate::Result<Option<Job>> {
        asking!(self, |db| {
            let asked = query(select_job!("WHERE id = $1")).bind(codec::number(id));
            codec::first(asked.fetch_optional(&mut *db).await?, job)
        })
    }

    async fn jobs(&self, project: Option<&str>, limit: usize) -> crate::Result<Vec<Job>> {
        asking!(self, |db| {
            let sql = select_job!(
                "WHERE $1::text IS NULL OR project = $1 ORDER BY status = 'done', updated_at DESC, id DESC LIMIT $2"
            );
            let asked = query(sql).bind(codec::maybe_text(project)).bind(codec::limit(limit));
            codec::all(&asked.fetch_all(&mut *db).await?, job)
        })
    }

    async fn jobs_of(&self, kind: &str, project: Option<&str>) -> crate::Result<Vec<Job>> {
        asking!(self, |db| {
            let sql = select_job!("WHERE kind = $1 AND ($2::text IS NULL OR project = $2)");
            let asked = query(sql).bind(codec::text(kind)).bind(codec::maybe_text(project));
            codec::all(&asked.fetch_all(&mut *db).await?, job)
        })
    }

    async fn running_jobs(&self) -> crate::Result<Vec<Job>> {
        asking!(self, |db| {
            let asked = query(select_job!("WHERE status = 'running' ORDER BY id"));
            codec::all(&asked.fetch_all(&mut *db).await?, job)
        })
    }

    async fn next_job(&self, kinds: &[&str], project: Option<&str>) -> crate::Result<Option<Duration>> {
        asking!(self, |db| {
            let sql = concat!("SELECT min(greatest(coalesce(until, 0) - ", now!(), ", 0)) FROM jobs WHERE ", to_do!());
            let asked = query_scalar(sql).bind(list(kinds)).bind(codec::maybe_text(project));
            let wait: Option<i64> = asked.fetch_one(&mut *db).await?;
            Ok(wait.map(|wait| Duration::from_micros(wait.unsigned_abs())))
        })
    }

    async fn retry_job(&self, id: u64, at: Timestamp) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let retry = query(
                "UPDATE jobs SET status = 'pending', attempts = 0, until = NULL, updated_at = $2
                 WHERE id = $1 AND (status IN ('error', 'exhausted') OR status = 'pending' AND until IS NOT NULL)",
            );
            let retry = retry.bind(codec::number(id)).bind(at.as_microsecond());
            let retried = retry.execute(&mut *db).await?.rows_affected() > 0;
            if retried {
                ring(db, "jobs").await?;
            }
            Ok(retried)
        })
    }

    async fn cancel_job(&self, id: u64, at: Timestamp) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let cancel = query(
                "UPDATE jobs SET status = 'exhausted', error = 'cancelled', token = token + 1, owner = NULL,
                   until = NULL, updated_at = $2
                 WHERE id = $1 AND status IN ('pending', 'running', 'error')",
            );
            let cancel = cancel.bind(codec::number(id)).bind(at.as_microsecond());
            Ok(cancel.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn unseat_jobs(&self, kinds: &[&str], at: Timestamp) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let unseat = query(
                "UPDATE jobs SET status = 'pending', attempts = greatest(attempts - 1, 0), token = token + 1,
                   owner = NULL, until = NULL, updated_at = $2
                 WHERE status = 'running' AND kind = ANY($1)",
            );
            let unseat = unseat.bind(list(kinds)).bind(at.as_microsecond());
            let unseated = unseat.execute(&mut *db).await?.rows_affected();
            if unseated > 0 {
                ring(db, "jobs").await?;
            }
            Ok(unseated)
        })
    }

    async fn take_tally(&self, kind: &str, project: &str, key: &str) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            // Most have none, and then no row is written.
            let take = query_scalar(
                "WITH told AS (SELECT id, tally FROM jobs
                   WHERE kind = $1 AND project = $2 AND key = $3 AND tally > 0 FOR UPDATE)
                 UPDATE jobs SET tally = 0 FROM told WHERE jobs.id = told.id RETURNING told.tally",
            );
            let take = take.bind(codec::text(kind)).bind(codec::text(project)).bind(codec::text(key));
            let told: Option<i64> = take.fetch_optional(&mut *db).await?;
            Ok(codec::counted(told.unwrap_or(0))?)
        })
    }

    async fn drop_jobs(&self, before: Timestamp) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let drop = query("DELETE FROM jobs WHERE status = 'done' AND tally = 0 AND updated_at < $1");
            Ok(drop.bind(before.as_microsecond()).execute(&mut *db).await?.rows_affected())
        })
    }
}

/// The job to be claimed next and how often it was tried; its row is this transaction's from here on.
async fn next(db: &mut PgConnection, claim: &Claim<'_>, now: i64) -> Result<Option<(i64, i64)>> {
    macro_rules! ready {
        ($lock:literal) => {
            concat!(
                "SELECT id, attempts FROM jobs WHERE ",
                to_do!(),
                " AND id <> ALL($6) AND (status = 'pending' AND until IS NULL OR until <= $3
                    OR status = 'running' AND (id, token) IN (SELECT * FROM unnest($4::bigint[], $5::bigint[])))
                  ORDER BY updated_at, id LIMIT 1 FOR UPDATE ",
                $lock
            )
        };
    }
    // Two nodes claim two jobs at once. A job whose row somebody has at this moment may still be there to be claimed
    // afterwards, so whoever found nothing else waits for it.
    for sql in [ready!("SKIP LOCKED"), ready!("")] {
        let asked = query_as(sql).bind(list(claim.kinds)).bind(codec::maybe_text(claim.project)).bind(now);
        let (ids, tokens): (Vec<i64>, Vec<i64>) =
            claim.dead.iter().map(|(id, token)| (codec::number(*id), codec::number(*token))).unzip();
        let passed_over: Vec<i64> = claim.passed_over.iter().map(|id| codec::number(*id)).collect();
        let found = asked.bind(ids).bind(tokens).bind(passed_over).fetch_optional(&mut *db).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn list<'a>(words: &[&'a str]) -> Vec<Cow<'a, str>> {
    words.iter().map(|word| codec::text(word)).collect()
}
