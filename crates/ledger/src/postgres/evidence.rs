//! The evidence topic on PostgreSQL: a row for each document that names something, and one for each thing.

use super::engine::asking;
use super::{Postgres, Result, codec};
use crate::Evidences;
use crate::columns::Columns;
use crate::rows::evidence::{gather, select_evidence};
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::evidence::{Evidence, Thing};
use loci_domain::path::EntryPath;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};
use std::collections::HashMap;

#[async_trait]
impl Evidences for Postgres {
    async fn evidence(&self, identity: &Identity) -> crate::Result<Vec<Evidence>> {
        asking!(self, |db| {
            let ask = sqlx::query(select_evidence!("WHERE identity = $1 ORDER BY e.path, place"));
            gathered(&ask.bind(codec::text(&identity.0)).fetch_all(&mut *db).await?)
        })
    }

    async fn evidence_of(&self, identity: &Identity, path: &EntryPath) -> crate::Result<Option<Evidence>> {
        asking!(self, |db| {
            let ask = sqlx::query(select_evidence!("WHERE identity = $1 AND e.path = $2 ORDER BY place"));
            let ask = ask.bind(codec::text(&identity.0)).bind(path.as_str());
            Ok(gathered(&ask.fetch_all(&mut *db).await?)?.pop())
        })
    }
}

fn gathered(rows: &[PgRow]) -> Result<Vec<Evidence>> {
    let mut all = Vec::new();
    for row in rows {
        gather(&mut all, row)?;
    }
    Ok(all)
}

/// Keeps evidence in place of that of other bytes; that of the same bytes stays.
pub(super) async fn keep(db: &mut PgConnection, identity: &Identity, evidence: &[Evidence]) -> Result<()> {
    if evidence.is_empty() {
        return Ok(());
    }
    // One document has one; of several the last one counts.
    let new: HashMap<&str, &Evidence> = evidence.iter().map(|found| (found.path.as_str(), found)).collect();
    let paths: Vec<&str> = new.keys().copied().collect();
    let rows = sqlx::query("SELECT path, digest FROM evidence WHERE identity = $1 AND path = ANY($2)")
        .bind(codec::text(&identity.0))
        .bind(paths)
        .fetch_all(&mut *db)
        .await?;
    let mut known = HashMap::new();
    for row in &rows {
        known.insert(row.borrowed_text(0)?, row.digest(1)?);
    }
    let new: Vec<&Evidence> =
        new.into_values().filter(|found| known.get(found.path.as_str()) != Some(&found.digest)).collect();
    let stale: Vec<&str> =
        new.iter().map(|found| found.path.as_str()).filter(|path| known.contains_key(path)).collect();
    if !stale.is_empty() {
        forget(db, identity, &stale).await?;
    }
    let new: Vec<&Evidence> = new.into_iter().filter(|found| !found.things.is_empty()).collect();
    if new.is_empty() { Ok(()) } else { insert(db, identity, &new).await }
}

async fn insert(db: &mut PgConnection, identity: &Identity, new: &[&Evidence]) -> Result<()> {
    let rows = sqlx::query(
        "INSERT INTO evidence (identity, path, digest, project)
         SELECT $1, path, digest, project FROM unnest($2::text[], $3::bytea[], $4::text[]) AS found (path, digest, project)
         RETURNING path, id",
    )
    .bind(codec::text(&identity.0))
    .bind(new.iter().map(|found| found.path.as_str()).collect::<Vec<_>>())
    .bind(new.iter().map(|found| found.digest.as_bytes()).collect::<Vec<_>>())
    .bind(new.iter().map(|found| codec::text(&found.project)).collect::<Vec<_>>())
    .fetch_all(&mut *db)
    .await?;
    let mut numbers: HashMap<&str, i64> = HashMap::new();
    for row in &rows {
        numbers.insert(row.try_get(0)?, row.try_get(1)?);
    }
    let things: Vec<(i64, i64, &Thing)> = new
        .iter()
        .filter_map(|found| Some((*numbers.get(found.path.as_str())?, &found.things)))
        .flat_map(|(number, things)| (0..).zip(things).map(move |(place, thing)| (number, place, thing)))
        .collect();
    sqlx::query(
        "INSERT INTO evidence_things (evidence, place, kind, name, file, digest, stamp)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[])",
    )
    .bind(things.iter().map(|(number, _, _)| *number).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, place, _)| *place).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, _, thing)| thing.kind.word()).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, _, thing)| codec::text(&thing.name)).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, _, thing)| thing.file.as_str()).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, _, thing)| thing.digest.as_bytes()).collect::<Vec<_>>())
    .bind(things.iter().map(|(_, _, thing)| codec::text(&thing.stamp)).collect::<Vec<_>>())
    .execute(db)
    .await?;
    Ok(())
}

/// Moves what documents rest on; nothing may be known of `to`.
pub(super) async fn rename(db: &mut PgConnection, identity: &Identity, from: &[&str], to: &[&str]) -> Result<()> {
    sqlx::query(
        "UPDATE evidence e SET path = moved.target FROM unnest($2::text[], $3::text[]) AS moved (path, target)
         WHERE identity = $1 AND e.path = moved.path",
    )
    .bind(codec::text(&identity.0))
    .bind(from)
    .bind(to)
    .execute(db)
    .await?;
    Ok(())
}

/// Forgets what documents rest on.
pub(super) async fn forget(db: &mut PgConnection, identity: &Identity, paths: &[&str]) -> Result<()> {
    sqlx::query("DELETE FROM evidence WHERE identity = $1 AND path = ANY($2)")
        .bind(codec::text(&identity.0))
        .bind(paths)
        .execute(db)
        .await?;
    Ok(())
}

/// Forgets all of an identity.
pub(super) async fn forget_all(db: &mut PgConnection, identity: &Identity) -> Result<()> {
    sqlx::query("DELETE FROM evidence WHERE identity = $1").bind(codec::text(&identity.0)).execute(db).await?;
    Ok(())
}
