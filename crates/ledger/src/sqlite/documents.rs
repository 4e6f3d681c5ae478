//! Rows of files with their words, and the sums on the root's row that follow them.
//!
//! Invariant: search_row_is_never_reused. A rewritten file gets a new number, so that postings which the search index
//! has not merged away yet can never be read as another text's.

use super::Result;
use super::{codec, filing};
use loci_domain::row::DocumentRow;
use rusqlite::{Connection, OptionalExtension, params};

/// By how much the sums on a root's row change.
#[derive(Debug, Default)]
pub(super) struct Tally {
    files: i64,
    cards: i64,
    name: i64,
    description: i64,
    body: i64,
}

impl Tally {
    /// Brings the root's row up to date.
    pub(super) fn apply(&self, db: &Connection, root: i64) -> Result<()> {
        db.prepare_cached(
            "UPDATE roots SET files = files + ?2, cards = cards + ?3, name_words = name_words + ?4,
               description_words = description_words + ?5, body_words = body_words + ?6 WHERE id = ?1",
        )?
        .execute(params![root, self.files, self.cards, self.name, self.description, self.body])?;
        Ok(())
    }

    fn add(&mut self, times: i64, card: bool, words: [i64; 3]) {
        self.files += times;
        self.cards += times * i64::from(card);
        self.name += times * words[0];
        self.description += times * words[1];
        self.body += times * words[2];
    }
}

/// Removes a file's row and words, if there are any; says where it had come from.
pub(super) fn forget(db: &Connection, root: i64, path: &str, tally: &mut Tally) -> Result<Option<String>> {
    let mut statement = db.prepare_cached(
        "DELETE FROM documents WHERE root = ?1 AND path = ?2
         RETURNING id, origin, name IS NOT NULL, name_words, description_words, body_words",
    )?;
    let gone = statement.query_row(params![root, path], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, [row.get(3)?, row.get(4)?, row.get(5)?]))
    });
    let Some((id, origin, card, words)) = gone.optional()? else { return Ok(None) };
    tally.add(-1, card, words);
    if words != [0; 3] {
        filing::remove(db, id)?;
    }
    Ok(Some(origin))
}

/// Writes a file's row and words; what is on record of its origin stays.
pub(super) fn keep(db: &Connection, root: i64, row: &DocumentRow, tally: &mut Tally) -> Result<()> {
    let origin = forget(db, root, row.path.as_str(), tally)?;
    let words = [&row.search.name, &row.search.description, &row.search.body].map(|text| filing::words(text));
    let card = row.card.as_ref();
    db.prepare_cached(
        "INSERT INTO documents (root, path, stamp, digest, bytes, updated_at, origin, name, description, kind,
           name_words, description_words, body_words, line)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        root,
        row.path.as_str(),
        row.stamp,
        row.digest.as_bytes(),
        codec::number(row.bytes),
        row.updated_at.as_microsecond(),
        origin.as_deref().unwrap_or(row.origin.word()),
        card.map(|card| &card.name),
        card.map(|card| &card.description),
        card.map(|card| codec::kind_word(card.kind)),
        words[0],
        words[1],
        words[2],
        row.line,
    ])?;
    tally.add(1, card.is_some(), words);
    if words != [0; 3] {
        filing::add(db, root, db.last_insert_rowid(), &row.search)?;
    }
    Ok(())
}
