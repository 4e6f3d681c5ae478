//! Chunks on SQLite: where the words of messages stand, and their vectors. What a chunk is, `crate::sessions` knows.

use super::super::numbers::Numbers;
use super::super::{Result, codec};
use crate::columns::Columns;
use crate::rows::sessions::{chunk, select_chunk};
use crate::sessions::{self, Fate, Open, code, column};
use crate::{Chunk, Heard, Said};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// Puts messages behind the first `from` ones of a session.
pub(super) fn put(db: &Connection, talker: i64, session: i64, from: i64, maker: &str, messages: &[Said]) -> Result<()> {
    let mut open = Open::at(from, maker);
    let mut last = db.prepare_cached(
        "SELECT id, first, maker, measures, terms, vectors FROM chunks WHERE session = ?1 ORDER BY first DESC LIMIT 1",
    )?;
    loop {
        let mut rows = last.query([session])?;
        let Some(row) = rows.next()? else { break };
        let same_maker = row.borrowed_text(2)? == maker;
        let fate = sessions::fate(row.get(1)?, row.borrowed_bytes(3)?.len(), same_maker, from, messages);
        if fate == Fate::Stays {
            break;
        }
        let (number, found) = (row.get(0)?, read(db, talker, row)?);
        drop(rows);
        remove_one(db, talker, number, &found)?;
        match fate {
            Fate::Stays | Fate::Goes => {}
            Fate::Cut(left) => {
                write(db, talker, session, &found.cut(left))?;
                break;
            }
            Fate::Joins(left) => {
                open = found.cut(left);
                break;
            }
        }
    }
    sessions::fill(open, messages).try_for_each(|chunk| write(db, talker, session, &chunk))
}

/// Removes all chunks of a session.
pub(super) fn remove(db: &Connection, talker: i64, session: i64) -> Result<()> {
    put(db, talker, session, 0, "", &[])
}

/// See [`crate::Sessions::chunks`].
pub(super) fn after(db: &Connection, talker: i64, after: u64, limit: usize) -> Result<Vec<Chunk>> {
    let numbers = Numbers::of(db)?;
    let mut statement = db.prepare_cached(select_chunk!("WHERE talker = ?1 AND id > ?2 ORDER BY id LIMIT ?3"))?;
    codec::all(statement.query([talker, numbers.write(after), codec::limit(limit)])?, |row| {
        chunk(row, numbers.read(row, 0)?, numbers.read(row, 1)?)
    })
}

/// See [`crate::Sessions::heard`].
pub(super) fn heard(db: &Connection, talker: i64, terms: &[String]) -> Result<Vec<Heard>> {
    let numbers = Numbers::of(db)?;
    let mut statement =
        db.prepare_cached("SELECT chunk, places FROM spoken WHERE talker = ?1 AND term = ?2 ORDER BY chunk")?;
    let mut heard = Vec::new();
    for (text, term) in terms.iter().zip(0..=u16::MAX) {
        let mut rows = statement.query(params![talker, column(code(text))])?;
        while let Some(row) = rows.next()? {
            heard.push(Heard { chunk: numbers.read(row, 0)?, term, places: sessions::places(row.borrowed_bytes(1)?) });
        }
    }
    Ok(heard)
}

/// From the row of the statement in [`put`].
fn read(db: &Connection, talker: i64, row: &Row<'_>) -> Result<Open> {
    let number: i64 = row.get(0)?;
    let mut places = db.prepare_cached("SELECT places FROM spoken WHERE talker = ?1 AND term = ?2 AND chunk = ?3")?;
    let mut terms = BTreeMap::new();
    for term in sessions::codes(row.borrowed_bytes(4)?) {
        let mut rows = places.query(params![talker, column(term), number])?;
        if let Some(row) = rows.next()? {
            terms.insert(term, row.get(0)?);
        }
    }
    Ok(Open { first: row.get(1)?, maker: row.get(2)?, measures: row.get(3)?, vectors: row.get(5)?, terms })
}

fn write(db: &Connection, talker: i64, session: i64, chunk: &Open) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO chunks (talker, session, first, maker, measures, terms, vectors) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![talker, session, chunk.first, chunk.maker, chunk.measures, chunk.codes(), chunk.vectors])?;
    let number = db.last_insert_rowid();
    let mut insert = db.prepare_cached("INSERT INTO spoken (talker, term, chunk, places) VALUES (?1, ?2, ?3, ?4)")?;
    for (term, places) in &chunk.terms {
        insert.execute(params![talker, column(*term), number, places])?;
    }
    Ok(())
}

fn remove_one(db: &Connection, talker: i64, number: i64, chunk: &Open) -> Result<()> {
    let mut gone = db.prepare_cached("DELETE FROM spoken WHERE talker = ?1 AND term = ?2 AND chunk = ?3")?;
    for term in chunk.terms.keys() {
        gone.execute(params![talker, column(*term), number])?;
    }
    db.prepare_cached("DELETE FROM chunks WHERE id = ?1")?.execute([number])?;
    Ok(())
}
