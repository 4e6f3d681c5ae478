//! The sessions topic on SQLite: rows of sessions and messages; `sessions/chunks.rs` keeps where their words stand.
//!
//! Everything that goes is overwritten (`secure_delete`), and a session that is dropped is also taken out of the log.

mod chunks;

use super::engine::Durability;
use super::numbers::Numbers;
use super::{Result, Sqlite, codec, extractions};
use crate::columns::Columns;
use crate::rows::sessions::{kept, message, select_message, select_session};
use crate::sessions::whole;
use crate::{Chunk, Error, Heard, Kept, Message, Said, Session, Sessions, Whose};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};

#[async_trait]
impl Sessions for Sqlite {
    async fn say(&self, session: &Session, from: u64, maker: &str, messages: &[Said]) -> crate::Result<()> {
        let (session, maker, messages) = (session.clone(), maker.to_owned(), messages.to_vec());
        self.write(Durability::Full, move |tx| overwriting(tx, || say(tx, &session, from, &maker, &messages))).await
    }

    async fn sessions(&self, account: &str) -> crate::Result<Vec<Kept>> {
        let account = account.to_owned();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement =
                db.prepare_cached(select_session!("WHERE account = ?1 ORDER BY at DESC, name, project"))?;
            codec::all(statement.query([account])?, |row| kept(row, numbers.read(row, 0)?))
        })
        .await
    }

    async fn session(&self, whose: &Whose, id: &str) -> crate::Result<Option<Kept>> {
        let (whose, id) = (whose.clone(), id.to_owned());
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement =
                db.prepare_cached(select_session!("WHERE account = ?1 AND project = ?2 AND name = ?3"))?;
            let rows = statement.query(params![whose.account, whose.project, id])?;
            codec::first(rows, |row| kept(row, numbers.read(row, 0)?))
        })
        .await
    }

    async fn marks(&self, whose: &Whose, id: &str) -> crate::Result<Vec<u64>> {
        let (whose, id) = (whose.clone(), id.to_owned());
        self.read(move |db| {
            let Some((session, _)) = find(db, &whose, &id)? else { return Ok(Vec::new()) };
            let mut statement =
                db.prepare_cached("SELECT position, mark FROM messages WHERE session = ?1 ORDER BY position")?;
            codec::all(statement.query([session])?, |row| Ok((row.count(0)?, row.number(1)?))).map(whole)
        })
        .await
    }

    async fn messages(&self, session: u64, from: u64, limit: usize) -> crate::Result<Vec<Message>> {
        self.read(move |db| {
            let session = Numbers::of(db)?.write(session);
            let mut statement =
                db.prepare_cached(select_message!("WHERE session = ?1 AND position >= ?2 ORDER BY position LIMIT ?3"))?;
            codec::all(statement.query(params![session, codec::number(from), codec::limit(limit)])?, message)
        })
        .await
    }

    async fn drop_session(&self, session: u64) -> crate::Result<bool> {
        let dropped = self
            .write(Durability::Full, move |tx| {
                let session = Numbers::of(tx)?.write(session);
                overwriting(tx, || drop_session(tx, session))
            })
            .await?;
        if dropped {
            self.write_back_log().await?;
        }
        Ok(dropped)
    }

    async fn said(&self, account: &str, text: &str) -> crate::Result<Vec<(u64, u64)>> {
        let (account, text) = (account.to_owned(), text.to_owned());
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached(
                "SELECT m.session, m.position
                 FROM messages m JOIN sessions s ON s.id = m.session JOIN talkers t ON t.id = s.talker
                 WHERE account = ?1 AND (instr(lower(content), lower(?2)) > 0 OR instr(lower(calls), lower(?2)) > 0) ORDER BY 1, 2",
            )?;
            codec::all(statement.query([account, text])?, |row| Ok((numbers.read(row, 0)?, row.count(1)?)))
        })
        .await
    }

    async fn talk(&self, whose: &Whose) -> crate::Result<u64> {
        let whose = whose.clone();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement =
                db.prepare_cached("SELECT generation FROM talkers WHERE account = ?1 AND project = ?2")?;
            let rows = statement.query([&whose.account, &whose.project])?;
            Ok(codec::first(rows, |row| numbers.read(row, 0))?.unwrap_or(0))
        })
        .await
    }

    async fn chunk_numbers(&self, whose: &Whose) -> crate::Result<Vec<u64>> {
        let whose = whose.clone();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached(
                "SELECT id FROM chunks WHERE talker = (SELECT id FROM talkers WHERE account = ?1 AND project = ?2)
                 ORDER BY session, first",
            )?;
            codec::all(statement.query([whose.account, whose.project])?, |row| numbers.read(row, 0))
        })
        .await
    }

    async fn chunks(&self, whose: &Whose, after: u64, limit: usize) -> crate::Result<Vec<Chunk>> {
        let whose = whose.clone();
        self.read(move |db| chunks::after(db, talker(db, &whose)?, after, limit)).await
    }

    async fn heard(&self, whose: &Whose, terms: &[String]) -> crate::Result<Vec<Heard>> {
        let (whose, terms) = (whose.clone(), terms.to_vec());
        self.read(move |db| chunks::heard(db, talker(db, &whose)?, &terms)).await
    }
}

fn say(db: &Connection, session: &Session, from: u64, maker: &str, messages: &[Said]) -> Result<()> {
    let talker = ensure_talker(db, &session.whose)?;
    let (number, had) = match find(db, &session.whose, &session.id)? {
        Some(found) => found,
        None => {
            db.prepare_cached(
                "INSERT INTO sessions (talker, name, format, at, kept_at, messages) VALUES (?1, ?2, '', 0, 0, 0)",
            )?
            .execute(params![talker, session.id])?;
            (db.last_insert_rowid(), 0)
        }
    };
    let first = codec::number(from);
    if first > had {
        return Err(Error::Missing(format!("message {from} of the session {}", session.id)).into());
    }
    if first < had {
        db.prepare_cached("DELETE FROM messages WHERE session = ?1 AND position >= ?2")?.execute([number, first])?;
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO messages (session, position, name, role, at, mark, calls, content)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (Said { message, .. }, position) in messages.iter().zip(first..) {
        insert.execute(params![
            number,
            position,
            message.id,
            message.role.word(),
            message.at.map(|at| at.as_microsecond()),
            message.mark.cast_signed(),
            message.calls,
            message.content,
        ])?;
    }
    chunks::put(db, talker, number, first, maker, messages)?;
    db.prepare_cached("UPDATE sessions SET format = ?2, at = ?3, kept_at = ?4, messages = ?5 WHERE id = ?1")?.execute(
        params![
            number,
            session.format,
            session.at.as_microsecond(),
            session.kept_at.as_microsecond(),
            first + codec::limit(messages.len()),
        ],
    )?;
    entitle(db, number, &session.title)?;
    changed(db, talker)
}

fn entitle(db: &Connection, session: i64, title: &str) -> Result<()> {
    if title.is_empty() {
        db.prepare_cached("DELETE FROM titles WHERE session = ?1")?.execute([session])?;
    } else {
        let put = "INSERT INTO titles (session, title) VALUES (?1, ?2)
                   ON CONFLICT (session) DO UPDATE SET title = excluded.title";
        db.prepare_cached(put)?.execute(params![session, title])?;
    }
    Ok(())
}

fn drop_session(db: &Connection, session: i64) -> Result<bool> {
    let mut known = db.prepare_cached("SELECT talker FROM sessions WHERE id = ?1")?;
    let Some(talker) = known.query_row([session], |row| row.get(0)).optional()? else { return Ok(false) };
    chunks::remove(db, talker, session)?;
    extractions::drop_of(db, session)?;
    db.prepare_cached("DELETE FROM messages WHERE session = ?1")?.execute([session])?;
    entitle(db, session, "")?;
    db.prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([session])?;
    changed(db, talker)?;
    Ok(true)
}

/// Runs with what is deleted being overwritten; what the connection did before is set again.
pub(super) fn overwriting<T>(db: &Connection, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let before: i64 = db.query_row("PRAGMA secure_delete", [], |row| row.get(0))?;
    let set = |to: i64| db.query_row(&format!("PRAGMA secure_delete = {to}"), [], |_| Ok(()));
    set(1)?;
    let value = work();
    set(before)?;
    value
}

/// The session's number and how many messages it has.
fn find(db: &Connection, whose: &Whose, id: &str) -> Result<Option<(i64, i64)>> {
    let mut statement = db.prepare_cached(
        "SELECT id, messages FROM sessions
         WHERE talker = (SELECT id FROM talkers WHERE account = ?1 AND project = ?2) AND name = ?3",
    )?;
    let found = statement.query_row(params![whose.account, whose.project, id], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// 0, which nobody has, for an unknown one.
fn talker(db: &Connection, whose: &Whose) -> Result<i64> {
    let mut statement = db.prepare_cached("SELECT id FROM talkers WHERE account = ?1 AND project = ?2")?;
    let found = statement.query_row([&whose.account, &whose.project], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(0))
}

fn ensure_talker(db: &Connection, whose: &Whose) -> Result<i64> {
    db.prepare_cached("INSERT INTO talkers (account, project) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute([&whose.account, &whose.project])?;
    talker(db, whose)
}

fn changed(db: &Connection, talker: i64) -> Result<()> {
    db.prepare_cached("UPDATE talkers SET generation = generation + 1 WHERE id = ?1")?.execute([talker])?;
    Ok(())
}
