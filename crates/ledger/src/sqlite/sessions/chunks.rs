//! Chunks: where the words of messages stand, and their vectors.
//!
//! The last chunk of a session is open as long as it is not full: what comes is put together with it under a new number.

use super::super::numbers::Numbers;
use super::super::{Result, codec};
use crate::{CHUNK, Chunk, Heard, Said};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// Bytes of a term's code.
const CODE: usize = 6;
/// Bytes of a message in `measures`.
const MEASURE: usize = 3;

/// A chunk on its way.
#[derive(Debug, Default)]
struct Open {
    first: i64,
    maker: String,
    measures: Vec<u8>,
    vectors: Vec<u8>,
    terms: BTreeMap<u64, Vec<u8>>,
}

/// Puts messages behind the first `from` ones of a session.
pub(super) fn put(db: &Connection, talker: i64, session: i64, from: i64, maker: &str, messages: &[Said]) -> Result<()> {
    let mut open = Open::at(from, maker);
    let mut last = db.prepare_cached(
        "SELECT id, first, maker, measures, terms, vectors FROM chunks WHERE session = ?1 ORDER BY first DESC LIMIT 1",
    )?;
    loop {
        let mut rows = last.query([session])?;
        let Some(row) = rows.next()? else { break };
        let (number, first, count): (i64, i64, usize) = (row.get(0)?, row.get(1)?, blob(row, 3)?.len() / MEASURE);
        let left = usize::try_from(from - first).unwrap_or(0);
        let joins = left < CHUNK && row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)? == maker;
        if left > count || left == count && (!joins || messages.is_empty()) {
            break;
        }
        let found = Open::read(db, talker, row)?;
        drop(rows);
        found.remove(db, talker, number)?;
        if first < from {
            let rest = found.cut(left);
            if joins {
                open = rest;
            } else {
                // Made by other rules: it stays by itself, until whoever knows the rules makes it anew.
                rest.write(db, talker, session)?;
            }
            break;
        }
    }
    for said in messages {
        if open.count() == CHUNK {
            let next = open.first + codec::limit(CHUNK);
            open.write(db, talker, session)?;
            open = Open::at(next, maker);
        }
        open.push(said);
    }
    if open.count() > 0 { open.write(db, talker, session) } else { Ok(()) }
}

/// Removes all chunks of a session.
pub(super) fn remove(db: &Connection, talker: i64, session: i64) -> Result<()> {
    put(db, talker, session, 0, "", &[])
}

/// See [`crate::Sessions::chunks`].
pub(super) fn after(db: &Connection, talker: i64, after: u64) -> Result<Vec<Chunk>> {
    let numbers = Numbers::of(db)?;
    let mut statement = db.prepare_cached(
        "SELECT id, session, first, maker, measures, vectors FROM chunks WHERE talker = ?1 AND id > ?2 ORDER BY id",
    )?;
    codec::all(statement.query([talker, numbers.write(after)])?, |row| {
        let measures = blob(row, 4)?.as_chunks::<MEASURE>().0.iter();
        Ok(Chunk {
            number: numbers.read(row, 0)?,
            session: numbers.read(row, 1)?,
            first: codec::count(row, 2)?,
            maker: row.get(3)?,
            measures: measures.map(|[low, high, asks]| (u16::from_le_bytes([*low, *high]), *asks != 0)).collect(),
            vectors: row.get(5)?,
        })
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
            let places = blob(row, 1)?.as_chunks::<2>().0.iter().map(|[place, times]| (*place, *times)).collect();
            heard.push(Heard { chunk: numbers.read(row, 0)?, term, places });
        }
    }
    Ok(heard)
}

impl Open {
    fn at(first: i64, maker: &str) -> Open {
        Open { first, maker: maker.to_owned(), ..Open::default() }
    }

    /// From the row of the statement in [`put`].
    fn read(db: &Connection, talker: i64, row: &Row<'_>) -> Result<Open> {
        let number: i64 = row.get(0)?;
        let mut places =
            db.prepare_cached("SELECT places FROM spoken WHERE talker = ?1 AND term = ?2 AND chunk = ?3")?;
        let mut terms = BTreeMap::new();
        for term in blob(row, 4)?.as_chunks::<CODE>().0 {
            let term = term.iter().fold(0, |term, byte| term << 8 | u64::from(*byte));
            let mut rows = places.query(params![talker, column(term), number])?;
            if let Some(row) = rows.next()? {
                terms.insert(term, row.get(0)?);
            }
        }
        Ok(Open { first: row.get(1)?, maker: row.get(2)?, measures: row.get(3)?, vectors: row.get(5)?, terms })
    }

    fn count(&self) -> usize {
        self.measures.len() / MEASURE
    }

    /// Only its first messages.
    fn cut(mut self, left: usize) -> Open {
        let (count, left) = (self.count().max(1), left.min(self.count()));
        let each = self.vectors.len() / count;
        self.vectors.truncate(each * left);
        self.measures.truncate(MEASURE * left);
        self.terms.retain(|_, places| {
            *places = places
                .as_chunks::<2>()
                .0
                .iter()
                .filter(|[place, _]| usize::from(*place) < left)
                .flatten()
                .copied()
                .collect();
            !places.is_empty()
        });
        self
    }

    fn push(&mut self, said: &Said) {
        let place = u8::try_from(self.count()).unwrap_or(u8::MAX);
        let mut times: BTreeMap<&str, u8> = BTreeMap::new();
        let mut words: u16 = 0;
        for term in said.words.split_ascii_whitespace() {
            let times = times.entry(term).or_default();
            *times = times.saturating_add(1);
            words = words.saturating_add(1);
        }
        for (term, times) in times {
            self.terms.entry(code(term)).or_default().extend([place, times]);
        }
        self.measures.extend(words.to_le_bytes());
        self.measures.push(u8::from(said.asks));
        self.vectors.extend(&said.vector);
    }

    fn write(self, db: &Connection, talker: i64, session: i64) -> Result<()> {
        let terms: Vec<u8> = self.terms.keys().flat_map(|term| term.to_be_bytes().into_iter().skip(8 - CODE)).collect();
        db.prepare_cached(
            "INSERT INTO chunks (talker, session, first, maker, measures, terms, vectors) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![talker, session, self.first, self.maker, self.measures, terms, self.vectors])?;
        let number = db.last_insert_rowid();
        let mut insert =
            db.prepare_cached("INSERT INTO spoken (talker, term, chunk, places) VALUES (?1, ?2, ?3, ?4)")?;
        for (term, places) in &self.terms {
            insert.execute(params![talker, column(*term), number, places])?;
        }
        Ok(())
    }

    fn remove(&self, db: &Connection, talker: i64, number: i64) -> Result<()> {
        let mut gone = db.prepare_cached("DELETE FROM spoken WHERE talker = ?1 AND term = ?2 AND chunk = ?3")?;
        for term in self.terms.keys() {
            gone.execute(params![talker, column(*term), number])?;
        }
        db.prepare_cached("DELETE FROM chunks WHERE id = ?1")?.execute([number])?;
        Ok(())
    }
}

fn blob<'a>(row: &'a Row<'_>, at: usize) -> Result<&'a [u8]> {
    Ok(row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from)?)
}

/// A term in 48 bits (FNV-1a, folded). Two words that share a code are found for one another, once in hundreds of
/// millions of pairs.
fn code(term: &str) -> u64 {
    let mix = |code: u64, byte: u8| (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let code = term.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    (code ^ (code >> 48)) & 0xffff_ffff_ffff
}

fn column(code: u64) -> i64 {
    code.cast_signed()
}
