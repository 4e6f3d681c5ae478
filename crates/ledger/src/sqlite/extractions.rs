//! The extractions topic on SQLite: one row a session, and one a project that counts its changes.
//!
//! Texts that go are overwritten (`secure_delete`), like those of sessions.

use super::engine::Durability;
use super::salvage::Table;
use super::sessions::overwriting;
use super::{Result, Sqlite, codec};
use crate::columns::Columns;
use crate::rows::extractions::{extraction, handbook, select_extraction, telling, watermark};
use crate::{Cleared, Extraction, Extractions, Handbook, LOCAL, Snapshot, Watermark};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

/// What is kept of a damaged ledger: a session that was read is not paid for twice.
pub(super) const SALVAGED: [Table; 2] = [
    Table {
        select: select_extraction!(),
        key: "id",
        insert: "INSERT OR IGNORE INTO extractions
                   (project, session, mark, kept_at, said_at, at, slug, summary, raw_memory)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        proof: |row| extraction(row).map(drop),
    },
    Table {
        select: "SELECT project, changed, made, made_at FROM handbooks",
        key: "project",
        insert: "INSERT OR IGNORE INTO handbooks VALUES (?1, ?2, ?3, ?4)",
        proof: |row| row.count(1).and(row.count(2)).map(drop),
    },
];

#[async_trait]
impl Extractions for Sqlite {
    async fn watermarks(&self) -> crate::Result<Vec<Watermark>> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT project, session, mark, kept_at FROM extractions")?;
            codec::all(statement.query([])?, watermark)
        })
        .await
    }

    async fn snapshot(&self, project: &str, limit: usize) -> crate::Result<Snapshot> {
        let project = project.to_owned();
        self.read(move |db| {
            let mut state = db.prepare_cached("SELECT changed, made FROM handbooks WHERE project = ?1")?;
            let (changed, made) =
                state.query_row([&project], |row| Ok((row.get(0)?, row.get(1)?))).optional()?.unwrap_or((0_i64, 0_i64));
            let mut statement = db.prepare_cached(select_extraction!(
                "WHERE project = ?1 AND ",
                telling!(),
                " ORDER BY said_at DESC, session LIMIT ?2"
            ))?;
            let extractions = codec::all(statement.query(params![project, codec::limit(limit)])?, extraction)?;
            let sql = concat!("SELECT count(*) FROM extractions WHERE project = ?1 AND ", telling!());
            let all: i64 = db.prepare_cached(sql)?.query_row([&project], |row| row.get(0))?;
            let left_out = all.unsigned_abs().saturating_sub(extractions.len() as u64);
            Ok(Snapshot { changed: changed.unsigned_abs(), made: made.unsigned_abs(), extractions, left_out })
        })
        .await
    }

    async fn handbooks(&self) -> crate::Result<Vec<Handbook>> {
        self.read(|db| {
            let sql = concat!(
                "SELECT p.project, coalesce(changed, 0), coalesce(made, 0), made_at,
                   (SELECT count(*) FROM extractions e WHERE e.project = p.project AND ",
                telling!(),
                "),
                   (SELECT count(*) FROM extractions e WHERE e.project = p.project AND NOT ",
                telling!(),
                ")
                 FROM (SELECT project FROM handbooks UNION SELECT project FROM extractions) p
                 LEFT JOIN handbooks h ON h.project = p.project ORDER BY p.project"
            );
            codec::all(db.prepare_cached(sql)?.query([])?, handbook)
        })
        .await
    }

    async fn mark_stale(&self, project: &str) -> crate::Result<u64> {
        let project = project.to_owned();
        self.write(Durability::Full, move |tx| changed(tx, &project)).await
    }

    async fn redact_extractions(&self, texts: &[String], instead: &str) -> crate::Result<Vec<String>> {
        let (texts, instead) = (texts.to_vec(), instead.to_owned());
        self.write(Durability::Full, move |tx| overwriting(tx, || redact(tx, &texts, &instead))).await
    }

    async fn clear_extractions(&self, project: &str, kinds: &[&str]) -> crate::Result<Cleared> {
        let (project, kinds) = (project.to_owned(), kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>());
        self.write(Durability::Full, move |tx| {
            overwriting(tx, || {
                let mut jobs = 0;
                for kind in &kinds {
                    jobs += tx
                        .prepare_cached("DELETE FROM jobs WHERE project = ?1 AND kind = ?2")?
                        .execute([&project, kind])? as u64;
                }
                tx.prepare_cached("DELETE FROM handbooks WHERE project = ?1")?.execute([&project])?;
                let gone = tx.prepare_cached("DELETE FROM extractions WHERE project = ?1")?.execute([&project])?;
                Ok(Cleared { extractions: gone as u64, jobs })
            })
        })
        .await
    }
}

/// Keeps what a session came to, if the session is there.
pub(super) fn keep(db: &Connection, made: &Extraction) -> Result<()> {
    let mut there = db.prepare_cached(
        "SELECT 1 FROM sessions s JOIN talkers t ON t.id = s.talker
         WHERE account = ?1 AND project = ?2 AND name = ?3",
    )?;
    if !there.exists([LOCAL, &made.project, &made.session])? {
        return Ok(());
    }
    let sql = concat!("SELECT ", telling!(), " FROM extractions WHERE project = ?1 AND session = ?2");
    let mut before = db.prepare_cached(sql)?;
    let said: Option<bool> = before.query_row([&made.project, &made.session], |row| row.get(0)).optional()?;
    overwriting(db, || {
        db.prepare_cached(
            "INSERT INTO extractions (project, session, mark, kept_at, said_at, at, slug, summary, raw_memory)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (project, session) DO UPDATE SET mark = excluded.mark, kept_at = excluded.kept_at,
               said_at = excluded.said_at, at = excluded.at, slug = excluded.slug, summary = excluded.summary,
               raw_memory = excluded.raw_memory",
        )?
        .execute(params![
            made.project,
            made.session,
            codec::number(made.mark),
            made.kept_at.as_microsecond(),
            made.said_at.as_microsecond(),
            made.at.as_microsecond(),
            made.slug,
            made.summary,
            made.raw_memory,
        ])?;
        Ok(())
    })?;
    if said == Some(true) || !made.is_nothing() {
        changed(db, &made.project)?;
    }
    Ok(())
}

/// Notes up to which change a handbook was made.
pub(super) fn made(db: &Connection, project: &str, upto: u64, at: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO handbooks (project, changed, made, made_at) VALUES (?1, ?2, ?2, ?3)
         ON CONFLICT (project) DO UPDATE SET made = max(made, ?2), made_at = ?3",
    )?
    .execute(params![project, codec::number(upto), at.as_microsecond()])?;
    Ok(())
}

/// Takes the row of a session away, by the session's number in here.
pub(super) fn drop_of(db: &Connection, session: i64) -> Result<()> {
    let sql = concat!(
        "DELETE FROM extractions WHERE (project, session) IN
           (SELECT project, name FROM sessions s JOIN talkers t ON t.id = s.talker WHERE s.id = ?1 AND account = ?2)
         RETURNING project, ",
        telling!()
    );
    let gone: Option<(String, bool)> =
        db.prepare_cached(sql)?.query_row(params![session, LOCAL], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    match gone {
        Some((project, true)) => changed(db, &project).map(drop),
        _ => Ok(()),
    }
}

fn redact(db: &Connection, texts: &[String], instead: &str) -> Result<Vec<String>> {
    let mut projects = Vec::new();
    let mut update = db.prepare_cached(
        "UPDATE extractions SET raw_memory = replace(raw_memory, ?1, ?2), summary = replace(summary, ?1, ?2), slug = NULL
         WHERE instr(raw_memory, ?1) > 0 OR instr(summary, ?1) > 0 OR instr(slug, ?1) > 0 RETURNING project",
    )?;
    for text in texts.iter().filter(|text| !text.is_empty()) {
        projects.extend(codec::all(update.query([text, instead])?, |row| row.text(0))?);
    }
    projects.sort();
    projects.dedup();
    projects.iter().try_for_each(|project| changed(db, project).map(drop))?;
    Ok(projects)
}

fn changed(db: &Connection, project: &str) -> Result<u64> {
    let mut count = db.prepare_cached(
        "INSERT INTO handbooks (project, changed, made) VALUES (?1, 1, 0)
         ON CONFLICT (project) DO UPDATE SET changed = changed + 1 RETURNING changed",
    )?;
    let changed: i64 = count.query_row([project], |row| row.get(0))?;
    Ok(changed.unsigned_abs())
}
