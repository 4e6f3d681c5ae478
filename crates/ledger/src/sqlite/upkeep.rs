//! The upkeep topic on SQLite.

use super::engine::Durability;
use super::{Result, Sqlite, codec};
use crate::columns::Columns;
use crate::rows::upkeep::{cursor, proposal, request, request_columns};
use crate::{Cursor, Proposal, Request, Upkeep};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use rusqlite::{Connection, params};

#[async_trait]
impl Upkeep for Sqlite {
    async fn cursor(&self, of: &Identity, session: &str) -> crate::Result<Option<Cursor>> {
        let (of, session) = (of.clone(), session.to_owned());
        self.read(move |db| {
            let mut statement =
                db.prepare_cached("SELECT processed, at FROM cursors WHERE identity = ?1 AND session = ?2")?;
            Ok(codec::first(statement.query([&of.0, &session])?, |row| Ok(cursor(row, &session)))?.flatten())
        })
        .await
    }

    async fn set_cursor(&self, of: &Identity, cursor: &Cursor) -> crate::Result<()> {
        let (of, cursor) = (of.clone(), cursor.clone());
        self.write(Durability::Full, move |tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO cursors VALUES (?1, ?2, ?3, ?4)")?.execute(params![
                of.0,
                cursor.session,
                codec::number(cursor.processed),
                cursor.updated_at.as_microsecond()
            ])?;
            Ok(())
        })
        .await
    }

    async fn read_since(&self, of: &Identity, since: Option<Timestamp>) -> crate::Result<Vec<String>> {
        let (of, since) = (of.clone(), since.map_or(i64::MIN, Timestamp::as_microsecond));
        self.read(move |db| {
            let mut statement =
                db.prepare_cached("SELECT session FROM cursors WHERE identity = ?1 AND at > ?2 ORDER BY session")?;
            codec::all(statement.query(params![of.0, since])?, |row| row.text(0))
        })
        .await
    }

    async fn queue(&self, of: &Identity, request: &Request) -> crate::Result<Option<Request>> {
        let (of, request) = (of.clone(), request.clone());
        self.write(Durability::Full, move |tx| {
            let before = waiting(tx, &of)?;
            tx.prepare_cached("INSERT OR REPLACE INTO requests VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(params![
                of.0,
                request.session,
                request.source,
                request.format,
                request.at.as_microsecond()
            ])?;
            Ok(before)
        })
        .await
    }

    async fn unqueue(&self, of: &Identity) -> crate::Result<Option<Request>> {
        // Most of the time nothing waits, and a write would cost a sync of the disk for nothing.
        if self.queued(of).await?.is_none() {
            return Ok(None);
        }
        let of = of.clone();
        self.write(Durability::Full, move |tx| {
            let taken = waiting(tx, &of)?;
            tx.prepare_cached("DELETE FROM requests WHERE identity = ?1")?.execute([&of.0])?;
            Ok(taken)
        })
        .await
    }

    async fn queued(&self, of: &Identity) -> crate::Result<Option<Request>> {
        let of = of.clone();
        self.read(move |db| waiting(db, &of)).await
    }

    async fn propose(&self, of: &Identity, proposal: &Proposal) -> crate::Result<()> {
        let (of, proposal) = (of.clone(), proposal.clone());
        self.write(Durability::Full, move |tx| {
            tx.prepare_cached(
                "INSERT OR REPLACE INTO proposals (identity, id, at, summary, body) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                of.0,
                proposal.id,
                proposal.at.as_microsecond(),
                proposal.summary,
                proposal.body
            ])?;
            Ok(())
        })
        .await
    }

    async fn proposals(&self, of: &Identity) -> crate::Result<Vec<Proposal>> {
        let of = of.clone();
        self.read(move |db| {
            let mut statement =
                db.prepare_cached("SELECT id, at, summary, body FROM proposals WHERE identity = ?1 ORDER BY seq")?;
            codec::all(statement.query([of.0])?, proposal)
        })
        .await
    }

    async fn drop_proposal(&self, of: &Identity, id: &str) -> crate::Result<bool> {
        let (of, id) = (of.clone(), id.to_owned());
        self.write(Durability::Full, move |tx| {
            let mut drop = tx.prepare_cached("DELETE FROM proposals WHERE identity = ?1 AND id = ?2")?;
            Ok(drop.execute(params![of.0, id])? > 0)
        })
        .await
    }

    async fn drop_proposals(&self) -> crate::Result<u64> {
        self.write(Durability::Full, |tx| Ok(tx.execute("DELETE FROM proposals", [])? as u64)).await
    }
}

fn waiting(db: &Connection, of: &Identity) -> Result<Option<Request>> {
    let sql = concat!("SELECT ", request_columns!(), " FROM requests WHERE identity = ?1");
    codec::first(db.prepare_cached(sql)?.query([&of.0])?, request)
}
