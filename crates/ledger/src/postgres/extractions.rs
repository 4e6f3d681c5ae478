//! The extractions topic on PostgreSQL: one row a session, and one a project that counts its changes.
//!
//! Who keeps a row, or takes it away with its session or its project, has the project's sessions to itself.

use super::engine::{Durability, asking, reading, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, sessions};
use crate::rows::extractions::{extraction, handbook, select_extraction, telling, watermark};
use crate::{Cleared, Extraction, Extractions, Handbook, LOCAL, Snapshot, Watermark};
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::{PgConnection, Row, query, query_as, query_scalar};
use std::borrow::Cow;

#[async_trait]
impl Extractions for Postgres {
    async fn watermarks(&self) -> crate::Result<Vec<Watermark>> {
        asking!(self, |db| {
            let asked = query("SELECT project, session, mark, kept_at FROM extractions");
            codec::all(&asked.fetch_all(&mut *db).await?, watermark)
        })
    }

    async fn snapshot(&self, project: &str, limit: usize) -> crate::Result<Snapshot> {
        reading!(self, |db| {
            let project = codec::text(project);
            let state = query_as("SELECT changed, made FROM handbooks WHERE project = $1").bind(&*project);
            let (changed, made) = state.fetch_optional(&mut *db).await?.unwrap_or((0_i64, 0_i64));
            let told = query(select_extraction!(
                "WHERE project = $1 AND ",
                telling!(),
                " ORDER BY said_at DESC, session LIMIT $2"
            ));
            let told = told.bind(&*project).bind(codec::limit(limit)).fetch_all(&mut *db).await?;
            let extractions = codec::all(&told, extraction)?;
            let all = query_scalar(concat!("SELECT count(*) FROM extractions WHERE project = $1 AND ", telling!()));
            let all: i64 = all.bind(&*project).fetch_one(&mut *db).await?;
            let left_out = all.unsigned_abs().saturating_sub(extractions.len() as u64);
            Ok(Snapshot { changed: changed.unsigned_abs(), made: made.unsigned_abs(), extractions, left_out })
        })
    }

    async fn handbooks(&self) -> crate::Result<Vec<Handbook>> {
        asking!(self, |db| {
            let asked = query(concat!(
                "SELECT project, coalesce(changed, 0), coalesce(made, 0), made_at, coalesce(something, 0),
                   coalesce(nothing, 0)
                 FROM handbooks FULL JOIN
                   (SELECT project, count(*) FILTER (WHERE ",
                telling!(),
                ") AS something, count(*) FILTER (WHERE NOT ",
                telling!(),
                ") AS nothing FROM extractions GROUP BY project) AS counted USING (project)
                 ORDER BY project"
            ));
            codec::all(&asked.fetch_all(&mut *db).await?, handbook)
        })
    }

    async fn mark_stale(&self, project: &str) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| { changed(db, project).await })
    }

    async fn redact_extractions(&self, texts: &[String], instead: &str) -> crate::Result<Vec<String>> {
        writing!(self, Subject::table("extractions"), Durability::Full, |db| { redact(db, texts, instead).await })
    }

    async fn clear_extractions(&self, project: &str, kinds: &[&str]) -> crate::Result<Cleared> {
        writing!(self, sessions::subject(LOCAL, project), Durability::Full, |db| {
            let project = codec::text(project);
            let kinds: Vec<Cow<'_, str>> = kinds.iter().map(|kind| codec::text(kind)).collect();
            // The jobs first: who is settling one is waited for, and who comes later has nothing to settle.
            let jobs = query("DELETE FROM jobs WHERE project = $1 AND kind = ANY($2)").bind(&*project).bind(kinds);
            let jobs = jobs.execute(&mut *db).await?.rows_affected();
            query("DELETE FROM handbooks WHERE project = $1").bind(&*project).execute(&mut *db).await?;
            let gone = query("DELETE FROM extractions WHERE project = $1").bind(&*project).execute(&mut *db).await?;
            Ok(Cleared { extractions: gone.rows_affected(), jobs })
        })
    }
}

/// Keeps what a session came to, if the session is there.
pub(super) async fn keep(db: &mut PgConnection, made: &Extraction) -> Result<()> {
    let (project, session) = (codec::text(&made.project), codec::text(&made.session));
    let before = query(concat!(
        "SELECT ",
        telling!(),
        " FROM sessions s JOIN talkers t ON t.id = s.talker
           LEFT JOIN extractions e ON e.project = t.project AND e.session = s.name
         WHERE account = $1 AND t.project = $2 AND s.name = $3"
    ));
    let before = before.bind(LOCAL).bind(&*project).bind(&*session).fetch_optional(&mut *db).await?;
    let Some(before) = before else { return Ok(()) };
    let said: Option<bool> = before.try_get(0)?;
    let keep = query(
        "INSERT INTO extractions (project, session, mark, kept_at, said_at, at, slug, summary, raw_memory)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (project, session) DO UPDATE SET mark = excluded.mark, kept_at = excluded.kept_at,
           said_at = excluded.said_at, at = excluded.at, slug = excluded.slug, summary = excluded.summary,
           raw_memory = excluded.raw_memory",
    );
    keep.bind(&*project)
        .bind(&*session)
        .bind(codec::number(made.mark))
        .bind(made.kept_at.as_microsecond())
        .bind(made.said_at.as_microsecond())
        .bind(made.at.as_microsecond())
        .bind(codec::maybe_text(made.slug.as_deref()))
        .bind(codec::text(&made.summary))
        .bind(codec::text(&made.raw_memory))
        .execute(&mut *db)
        .await?;
    if said == Some(true) || !made.is_nothing() {
        changed(db, &made.project).await?;
    }
    Ok(())
}

/// Notes up to which change a handbook was made.
pub(super) async fn made(db: &mut PgConnection, project: &str, upto: u64, at: Timestamp) -> Result<()> {
    let note = query(
        "INSERT INTO handbooks (project, changed, made, made_at) VALUES ($1, $2, $2, $3)
         ON CONFLICT (project) DO UPDATE SET made = greatest(handbooks.made, $2), made_at = $3",
    );
    note.bind(codec::text(project)).bind(codec::number(upto)).bind(at.as_microsecond()).execute(db).await?;
    Ok(())
}

/// Takes the row of a session away, by the session's number.
pub(super) async fn drop_of(db: &mut PgConnection, session: i64) -> Result<()> {
    let drop = query_as(concat!(
        "DELETE FROM extractions WHERE (project, session) IN
           (SELECT project, name FROM sessions s JOIN talkers t ON t.id = s.talker WHERE s.id = $1 AND account = $2)
         RETURNING project, ",
        telling!()
    ));
    let gone: Option<(String, bool)> = drop.bind(session).bind(LOCAL).fetch_optional(&mut *db).await?;
    match gone {
        Some((project, true)) => changed(db, &project).await.map(|_| ()),
        _ => Ok(()),
    }
}

async fn redact(db: &mut PgConnection, texts: &[String], instead: &str) -> Result<Vec<String>> {
    let mut projects: Vec<String> = Vec::new();
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let update = query_scalar(
            "UPDATE extractions SET raw_memory = replace(raw_memory, $1, $2), summary = replace(summary, $1, $2),
               slug = NULL
             WHERE strpos(raw_memory, $1) > 0 OR strpos(summary, $1) > 0 OR strpos(slug, $1) > 0 RETURNING project",
        );
        let update = update.bind(codec::text(text)).bind(codec::text(instead));
        projects.extend(update.fetch_all(&mut *db).await?);
    }
    projects.sort();
    projects.dedup();
    for project in &projects {
        changed(db, project).await?;
    }
    Ok(projects)
}

async fn changed(db: &mut PgConnection, project: &str) -> Result<u64> {
    let count = query_scalar(
        "INSERT INTO handbooks (project, changed, made) VALUES ($1, 1, 0)
         ON CONFLICT (project) DO UPDATE SET changed = handbooks.changed + 1 RETURNING changed",
    );
    Ok(codec::counted(count.bind(codec::text(project)).fetch_one(db).await?)?)
}
