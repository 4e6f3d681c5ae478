//! The recalls topic on SQLite: receipts by the order of keeping, sessions by when they last were of use.

use super::engine::Durability;
use super::sessions::overwriting;
use super::{Result, Sqlite, codec};
use crate::columns::Columns;
use crate::{Recalls, SESSIONS_REMEMBERED};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

#[async_trait]
impl Recalls for Sqlite {
    async fn keep_receipt(&self, id: &str, at: Timestamp, body: &str, most: u64) -> crate::Result<()> {
        let (id, body) = (id.to_owned(), body.to_owned());
        self.write(Durability::Normal, move |tx| keep_receipt(tx, &id, at, &body, most)).await
    }

    async fn receipt(&self, id: &str) -> crate::Result<Option<String>> {
        let id = id.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT body FROM receipts WHERE id = ?1")?;
            Ok(statement.query_row([id], |row| row.get(0)).optional()?)
        })
        .await
    }

    async fn receipts_of(&self, text: &str, most: u64) -> crate::Result<Vec<String>> {
        let text = text.to_owned();
        self.read(move |db| {
            let sql = "SELECT body FROM receipts WHERE instr(body, ?1) > 0 ORDER BY seq DESC LIMIT ?2";
            let mut statement = db.prepare_cached(sql)?;
            codec::all(statement.query(params![text, codec::number(most)])?, |row| row.text(0))
        })
        .await
    }

    async fn drop_receipts_of(&self, text: &str) -> crate::Result<u64> {
        let text = text.to_owned();
        let drop = move |tx: &Connection| {
            let sql = "DELETE FROM receipts WHERE instr(body, ?1) > 0";
            overwriting(tx, || Ok(tx.prepare_cached(sql)?.execute([text])? as u64))
        };
        let dropped = self.write(Durability::Full, move |tx| drop(tx)).await?;
        if dropped > 0 {
            self.write_back_log().await?;
        }
        Ok(dropped)
    }

    async fn show(&self, session: &str, paths: &[String], at: Timestamp) -> crate::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let (session, paths) = (session.to_owned(), paths.to_vec());
        self.write(Durability::Normal, move |tx| show(tx, &session, &paths, at)).await
    }

    async fn shown(&self, session: &str) -> crate::Result<Vec<String>> {
        let session = session.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT path FROM shown WHERE showing = (SELECT id FROM showings WHERE session = ?1) ORDER BY path",
            )?;
            codec::all(statement.query([session])?, |row| row.text(0))
        })
        .await
    }

    async fn forget_shown(&self, session: &str) -> crate::Result<()> {
        let session = session.to_owned();
        self.write(Durability::Normal, move |tx| {
            tx.prepare_cached("DELETE FROM showings WHERE session = ?1")?.execute([session])?;
            Ok(())
        })
        .await
    }

    async fn keep_segment(&self, session: &str, block: &str, at: Timestamp) -> crate::Result<()> {
        let (session, block) = (session.to_owned(), block.to_owned());
        self.write(Durability::Normal, move |tx| keep_segment(tx, &session, &block, at)).await
    }

    async fn segment(&self, session: &str) -> crate::Result<Option<String>> {
        let session = session.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT block FROM segments WHERE session = ?1")?;
            Ok(statement.query_row([session], |row| row.get(0)).optional()?)
        })
        .await
    }
}

/// The range of the numbers says how many receipts there are at most; only dropping some leaves gaps.
fn keep_receipt(db: &Connection, id: &str, at: Timestamp, body: &str, most: u64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO receipts (id, at, body) VALUES (?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body",
    )?
    .execute(params![id, at.as_microsecond(), body])?;
    db.prepare_cached("DELETE FROM receipts WHERE seq <= (SELECT max(seq) FROM receipts) - ?1")?
        .execute([codec::number(most)])?;
    Ok(())
}

fn show(db: &Connection, session: &str, paths: &[String], at: Timestamp) -> Result<()> {
    let mut statement = db.prepare_cached(
        "INSERT INTO showings (session, at) VALUES (?1, ?2)
         ON CONFLICT (session) DO UPDATE SET at = max(at, excluded.at) RETURNING id",
    )?;
    let showing: i64 = statement.query_row(params![session, at.as_microsecond()], |row| row.get(0))?;
    let mut note = db.prepare_cached("INSERT INTO shown (showing, path) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?;
    for path in paths {
        note.execute(params![showing, path])?;
    }
    db.prepare_cached(
        "DELETE FROM showings WHERE id IN (
           SELECT id FROM showings ORDER BY at, id LIMIT max(0, (SELECT count(*) FROM showings) - ?1))",
    )?
    .execute([SESSIONS_REMEMBERED])?;
    Ok(())
}

fn keep_segment(db: &Connection, session: &str, block: &str, at: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO segments (session, at, block) VALUES (?1, ?2, ?3)
         ON CONFLICT (session) DO UPDATE SET at = max(at, excluded.at), block = excluded.block",
    )?
    .execute(params![session, at.as_microsecond(), block])?;
    db.prepare_cached(
        "DELETE FROM segments WHERE id IN (
           SELECT id FROM segments ORDER BY at, id LIMIT max(0, (SELECT count(*) FROM segments) - ?1))",
    )?
    .execute([SESSIONS_REMEMBERED])?;
    Ok(())
}
