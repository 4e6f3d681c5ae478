//! The jobs topic on SQLite: one row a job, its claims counted in the row: the count is the fencing token.
//!
//! Invariant: claim_is_fenced. Whoever claims a job again gets a higher token, and the old one settles nothing.

mod settle;

use super::clock::{NOW, now};
use super::engine::Durability;
use super::{Result, Sqlite, codec};
use crate::jobs::claims;
use crate::rows::jobs::{job, select_job};
use crate::span::micros;
use crate::{Claim, Job, JobEnd, JobStatus, Jobs, Wanted};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use std::time::Duration;

/// What is to be claimed, by kinds (JSON) as `?1` and a project or none as `?2`.
const TO_DO: &str = "status IN ('pending', 'running', 'error') AND kind IN (SELECT value FROM json_each(?1))
                     AND (?2 IS NULL OR project = ?2)";

#[async_trait]
impl Jobs for Sqlite {
    async fn enqueue_job(&self, wanted: &Wanted, at: Timestamp) -> crate::Result<bool> {
        let wanted = wanted.clone();
        self.write(Durability::Full, move |tx| {
            let Wanted { kind, key, project, payload, mark } = &wanted;
            let known = named(tx, kind, project, key)?;
            let last = known.as_ref().map_or(0, |job| job.asked);
            let asked = mark.unwrap_or(last + 1).max(last);
            let (asks, at) = (codec::number(asked), at.as_microsecond());
            let Some(known) = known else {
                tx.prepare_cached(
                    "INSERT INTO jobs (kind, key, project, payload, status, attempts, asked, done, token, tally,
                       created_at, updated_at)
                     VALUES (?1, ?2, ?3, ?4, 'pending', 0, ?5, 0, 0, 0, ?6, ?6)",
                )?
                .execute(params![kind, key, project, payload, asks, at])?;
                return Ok(true);
            };
            match known.status {
                JobStatus::Pending | JobStatus::Running | JobStatus::Error => {
                    tx.prepare_cached("UPDATE jobs SET payload = ?2, asked = ?3 WHERE id = ?1")?.execute(params![
                        codec::number(known.id),
                        payload,
                        asks
                    ])?;
                }
                JobStatus::Done | JobStatus::Exhausted if asked <= last => return Ok(false),
                JobStatus::Done | JobStatus::Exhausted => {
                    tx.prepare_cached(
                        "UPDATE jobs SET payload = ?2, asked = ?3, status = 'pending', attempts = 0, error = NULL,
                           until = NULL, updated_at = ?4 WHERE id = ?1",
                    )?
                    .execute(params![codec::number(known.id), payload, asks, at])?;
                }
            }
            Ok(true)
        })
        .await
    }

    async fn claim_job(&self, claim: &Claim<'_>, at: Timestamp) -> crate::Result<Option<Job>> {
        let (kinds, project, owner) = (list(claim.kinds), claim.project.map(str::to_owned), claim.owner.to_owned());
        let dead: Vec<String> = claim.dead.iter().map(|(id, token)| format!("\"{id}/{token}\"")).collect();
        let (dead, lasts, tries) = (format!("[{}]", dead.join(",")), micros(claim.lasts), claim.tries);
        let passed_over: Vec<String> = claim.passed_over.iter().map(u64::to_string).collect();
        let passed_over = format!("[{}]", passed_over.join(","));
        self.write(Durability::Full, move |tx| {
            let now = now(tx)?;
            let sql = format!(
                "SELECT id, attempts FROM jobs WHERE {TO_DO} AND id NOT IN (SELECT value FROM json_each(?5))
                   AND (status = 'pending' AND until IS NULL OR until <= ?3
                        OR status = 'running' AND id || '/' || token IN (SELECT value FROM json_each(?4)))
                 ORDER BY updated_at, id LIMIT 1"
            );
            loop {
                let next: Option<(i64, u32)> = tx
                    .prepare_cached(&sql)?
                    .query_row(params![kinds, project, now, dead, passed_over], |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()?;
                let Some((id, attempts)) = next else { return Ok(None) };
                if attempts < claims(tries) {
                    tx.prepare_cached(
                        "UPDATE jobs SET status = 'running', attempts = attempts + 1, owner = ?2, token = token + 1,
                           until = ?3, updated_at = ?4 WHERE id = ?1",
                    )?
                    .execute(params![
                        id,
                        owner,
                        now.saturating_add(lasts),
                        at.as_microsecond()
                    ])?;
                    return find(tx, id);
                }
                tx.prepare_cached(
                    "UPDATE jobs SET status = 'exhausted', error = coalesce(error, 'cut_off'), owner = NULL,
                       until = NULL, updated_at = ?2 WHERE id = ?1",
                )?
                .execute(params![id, at.as_microsecond()])?;
            }
        })
        .await
    }

    async fn renew_job(&self, id: u64, token: u64, lasts: Duration) -> crate::Result<bool> {
        let given = (codec::number(id), codec::number(token), micros(lasts));
        self.write(Durability::Full, move |tx| {
            let sql = format!("UPDATE jobs SET until = {NOW} + ?3 WHERE id = ?1 AND token = ?2 AND status = 'running'");
            Ok(tx.prepare_cached(&sql)?.execute(given)? > 0)
        })
        .await
    }

    async fn settle_job(&self, job: &Job, end: &JobEnd, tries: u32, at: Timestamp) -> crate::Result<bool> {
        let (job, end) = (job.clone(), end.clone());
        self.write(Durability::Full, move |tx| settle::settle(tx, &job, &end, tries, at)).await
    }

    async fn job(&self, id: u64) -> crate::Result<Option<Job>> {
        self.read(move |db| find(db, codec::number(id))).await
    }

    async fn jobs(&self, project: Option<&str>, limit: usize) -> crate::Result<Vec<Job>> {
        let project = project.map(str::to_owned);
        self.read(move |db| {
            let sql = select_job!(
                "WHERE ?1 IS NULL OR project = ?1 ORDER BY status = 'done', updated_at DESC, id DESC LIMIT ?2"
            );
            codec::all(db.prepare_cached(sql)?.query(params![project, codec::limit(limit)])?, job)
        })
        .await
    }

    async fn jobs_of(&self, kind: &str, project: Option<&str>) -> crate::Result<Vec<Job>> {
        let (kind, project) = (kind.to_owned(), project.map(str::to_owned));
        self.read(move |db| {
            let sql = select_job!("WHERE kind = ?1 AND (?2 IS NULL OR project = ?2)");
            codec::all(db.prepare_cached(sql)?.query(params![kind, project])?, job)
        })
        .await
    }

    async fn running_jobs(&self) -> crate::Result<Vec<Job>> {
        self.read(|db| {
            codec::all(db.prepare_cached(select_job!("WHERE status = 'running' ORDER BY id"))?.query([])?, job)
        })
        .await
    }

    async fn next_job(&self, kinds: &[&str], project: Option<&str>) -> crate::Result<Option<Duration>> {
        let (kinds, project) = (list(kinds), project.map(str::to_owned));
        self.read(move |db| {
            let sql = format!("SELECT min(max(coalesce(until, 0) - {NOW}, 0)) FROM jobs WHERE {TO_DO}");
            let wait: Option<i64> = db.prepare_cached(&sql)?.query_row(params![kinds, project], |row| row.get(0))?;
            Ok(wait.map(|wait| Duration::from_micros(wait.unsigned_abs())))
        })
        .await
    }

    async fn retry_job(&self, id: u64, at: Timestamp) -> crate::Result<bool> {
        self.write(Durability::Full, move |tx| {
            let mut retry = tx.prepare_cached(
                "UPDATE jobs SET status = 'pending', attempts = 0, until = NULL, updated_at = ?2
                 WHERE id = ?1 AND (status IN ('error', 'exhausted') OR status = 'pending' AND until IS NOT NULL)",
            )?;
            Ok(retry.execute(params![codec::number(id), at.as_microsecond()])? > 0)
        })
        .await
    }

    async fn cancel_job(&self, id: u64, at: Timestamp) -> crate::Result<bool> {
        self.write(Durability::Full, move |tx| {
            let mut cancel = tx.prepare_cached(
                "UPDATE jobs SET status = 'exhausted', error = 'cancelled', token = token + 1, owner = NULL,
                   until = NULL, updated_at = ?2
                 WHERE id = ?1 AND status IN ('pending', 'running', 'error')",
            )?;
            Ok(cancel.execute(params![codec::number(id), at.as_microsecond()])? > 0)
        })
        .await
    }

    async fn unseat_jobs(&self, kinds: &[&str], at: Timestamp) -> crate::Result<u64> {
        let kinds = list(kinds);
        self.write(Durability::Full, move |tx| {
            let mut unseat = tx.prepare_cached(
                "UPDATE jobs SET status = 'pending', attempts = max(attempts - 1, 0), token = token + 1, owner = NULL,
                   until = NULL, updated_at = ?2
                 WHERE status = 'running' AND kind IN (SELECT value FROM json_each(?1))",
            )?;
            Ok(unseat.execute(params![kinds, at.as_microsecond()])? as u64)
        })
        .await
    }

    async fn take_tally(&self, kind: &str, project: &str, key: &str) -> crate::Result<u64> {
        let (kind, project, key) = (kind.to_owned(), project.to_owned(), key.to_owned());
        // Most have none, and a look costs no write.
        let (k, p, n) = (kind.clone(), project.clone(), key.clone());
        let waits = self.read(move |db| Ok(named(db, &k, &p, &n)?.is_some_and(|job| job.tally > 0))).await?;
        if !waits {
            return Ok(0);
        }
        self.write(Durability::Full, move |tx| {
            let Some(job) = named(tx, &kind, &project, &key)? else { return Ok(0) };
            tx.prepare_cached("UPDATE jobs SET tally = 0 WHERE id = ?1")?.execute([codec::number(job.id)])?;
            Ok(job.tally)
        })
        .await
    }

    async fn drop_jobs(&self, before: Timestamp) -> crate::Result<u64> {
        self.write(Durability::Full, move |tx| {
            let mut drop =
                tx.prepare_cached("DELETE FROM jobs WHERE status = 'done' AND tally = 0 AND updated_at < ?1")?;
            Ok(drop.execute([before.as_microsecond()])? as u64)
        })
        .await
    }
}

/// Words as JSON, for one statement whatever their number.
fn list(kinds: &[&str]) -> String {
    let quoted: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
    format!("[{}]", quoted.join(","))
}

fn find(db: &Connection, id: i64) -> Result<Option<Job>> {
    let mut statement = db.prepare_cached(select_job!("WHERE id = ?1"))?;
    codec::first(statement.query([id])?, job)
}

fn named(db: &Connection, kind: &str, project: &str, key: &str) -> Result<Option<Job>> {
    let mut statement = db.prepare_cached(select_job!("WHERE kind = ?1 AND project = ?2 AND key = ?3"))?;
    codec::first(statement.query([kind, project, key])?, job)
}
