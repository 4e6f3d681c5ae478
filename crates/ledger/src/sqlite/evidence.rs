//! The evidence topic on SQLite: a row for each document that names something, and one for each thing.

use super::{Result, Sqlite, codec};
use crate::Evidences;
use crate::columns::Columns;
use crate::rows::evidence::{gather, select_evidence};
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::evidence::{Evidence, Thing};
use loci_domain::path::EntryPath;
use rusqlite::{Connection, Rows, params};

#[async_trait]
impl Evidences for Sqlite {
    async fn evidence(&self, identity: &Identity) -> crate::Result<Vec<Evidence>> {
        let identity = identity.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_evidence!("WHERE identity = ?1 ORDER BY e.path, place"))?;
            gathered(statement.query([&identity.0])?)
        })
        .await
    }

    async fn evidence_of(&self, identity: &Identity, path: &EntryPath) -> crate::Result<Option<Evidence>> {
        let (identity, path) = (identity.clone(), path.clone());
        self.read(move |db| {
            let mut statement =
                db.prepare_cached(select_evidence!("WHERE identity = ?1 AND e.path = ?2 ORDER BY place"))?;
            Ok(gathered(statement.query([&identity.0, path.as_str()])?)?.pop())
        })
        .await
    }
}

fn gathered(mut rows: Rows<'_>) -> Result<Vec<Evidence>> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        gather(&mut all, row)?;
    }
    Ok(all)
}

/// Keeps evidence in place of that of other bytes; that of the same bytes stays.
pub(super) fn keep(db: &Connection, identity: &Identity, evidence: &Evidence) -> Result<()> {
    let path = evidence.path.as_str();
    let mut known = db.prepare_cached("SELECT digest FROM evidence WHERE identity = ?1 AND path = ?2")?;
    let known = codec::first(known.query([&identity.0, path])?, |row| row.digest(0))?;
    if known == Some(evidence.digest) {
        return Ok(());
    }
    if known.is_some() {
        forget(db, identity, path)?;
    }
    if evidence.things.is_empty() {
        return Ok(());
    }
    db.prepare_cached("INSERT INTO evidence (identity, path, digest, project) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![identity.0, path, evidence.digest.as_bytes(), evidence.project])?;
    let id = db.last_insert_rowid();
    let mut insert = db.prepare_cached("INSERT INTO evidence_things VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for (place, thing) in evidence.things.iter().enumerate() {
        let Thing { kind, name, file, digest, stamp } = thing;
        insert.execute(params![id, codec::limit(place), kind.word(), name, file.as_str(), digest.as_bytes(), stamp])?;
    }
    Ok(())
}

/// Moves what a document rests on; nothing may be known of `to`.
pub(super) fn rename(db: &Connection, identity: &Identity, from: &str, to: &str) -> Result<()> {
    db.prepare_cached("UPDATE evidence SET path = ?3 WHERE identity = ?1 AND path = ?2")?
        .execute(params![identity.0, from, to])?;
    Ok(())
}

/// Forgets what a document rests on.
pub(super) fn forget(db: &Connection, identity: &Identity, path: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM evidence WHERE identity = ?1 AND path = ?2")?.execute(params![identity.0, path])?;
    Ok(())
}

/// Forgets all of an identity.
pub(super) fn forget_all(db: &Connection, identity: &Identity) -> Result<()> {
    db.execute("DELETE FROM evidence WHERE identity = ?1", [&identity.0])?;
    Ok(())
}
