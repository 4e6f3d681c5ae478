//! The evidence topic on SQLite: a row for each document that names something, and one for each thing.

use super::{Result, Sqlite, codec};
use crate::Evidences;
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::evidence::{Evidence, Kind, Thing};
use loci_domain::path::EntryPath;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The columns that [`gathered`] reads.
macro_rules! select_evidence {
    ($rest:literal) => {
        concat!(
            "SELECT e.path, e.digest, e.project, kind, name, file, t.digest, stamp
             FROM evidence e JOIN evidence_things t ON t.evidence = e.id ",
            $rest
        )
    };
}

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

/// Rows of one document after the other.
fn gathered(mut rows: rusqlite::Rows<'_>) -> Result<Vec<Evidence>> {
    let mut all: Vec<Evidence> = Vec::new();
    while let Some(row) = rows.next()? {
        let path = codec::path(row, 0)?;
        if all.last().is_none_or(|last| last.path != path) {
            all.push(Evidence { path, digest: codec::digest(row, 1)?, project: row.get(2)?, things: Vec::new() });
        }
        let thing = thing(row)?;
        all.last_mut().into_iter().for_each(|last| last.things.push(thing.clone()));
    }
    Ok(all)
}

fn thing(row: &Row<'_>) -> Result<Thing> {
    Ok(Thing {
        kind: codec::word(row, 3, Kind::from_word)?,
        name: row.get(4)?,
        file: codec::path(row, 5)?,
        digest: codec::digest(row, 6)?,
        stamp: row.get(7)?,
    })
}

/// Keeps evidence in place of that of other bytes; that of the same bytes stays.
pub(super) fn keep(db: &Connection, identity: &Identity, evidence: &Evidence) -> Result<()> {
    let path = evidence.path.as_str();
    let mut known = db.prepare_cached("SELECT digest FROM evidence WHERE identity = ?1 AND path = ?2")?;
    let known = known.query_row([&identity.0, path], |row| Ok(codec::digest(row, 0))).optional()?.transpose()?;
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
