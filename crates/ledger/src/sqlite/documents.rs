//! Rows of files with their words, and what follows them on the root's row.
//!
//! Invariant: search_row_is_never_reused. A rewritten file gets a new number, so that postings which the search index
//! has not merged away yet can never be read as another text's.

use super::Result;
use super::{codec, filing, numbers};
use crate::tokens;
use loci_domain::row::DocumentRow;
use rusqlite::{Connection, OptionalExtension, params};

/// By how much the sums on a root's row change, and whether its generation does.
#[derive(Debug, Default)]
pub(super) struct Tally {
    files: i64,
    cards: i64,
    documents: bool,
    /// The last number that was given out.
    newest: Option<i64>,
}

impl Tally {
    /// Brings the root's row up to date.
    pub(super) fn apply(&self, db: &Connection, root: i64) -> Result<()> {
        // A number is taken only when none was: words are gathered by the range of their numbers (`filing.rs`).
        let generation = match self.newest {
            _ if !self.documents => None,
            Some(newest) => Some(newest),
            None => Some(numbers::next(db)?),
        };
        if self.files != 0 || generation.is_some() {
            db.prepare_cached(
                "UPDATE roots SET files = files + ?2, cards = cards + ?3, generation = coalesce(?4, generation)
                 WHERE id = ?1",
            )?
            .execute(params![root, self.files, self.cards, generation])?;
        }
        Ok(())
    }

    fn add(&mut self, times: i64, card: bool) {
        self.files += times;
        self.cards += times * i64::from(card);
        self.documents |= card;
    }
}

/// Removes a file's row and words, if there are any; says where it had come from.
pub(super) fn forget(db: &Connection, root: i64, path: &str, tally: &mut Tally) -> Result<Option<String>> {
    let mut statement = db.prepare_cached(
        "DELETE FROM documents WHERE root = ?1 AND path = ?2
         RETURNING coalesce(words, id), origin, name IS NOT NULL, name_words + description_words + body_words",
    )?;
    let gone = statement.query_row(params![root, path], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
    let Some((number, origin, card, words)) = gone.optional()? else { return Ok(None) };
    tally.add(-1, card);
    let words: i64 = words;
    if words > 0 {
        filing::remove(db, number)?;
    }
    Ok(Some(origin))
}

/// Writes a file's row and words; what is on record of its origin stays.
pub(super) fn keep(db: &Connection, root: i64, row: &DocumentRow, tally: &mut Tally) -> Result<()> {
    let origin = forget(db, root, row.path.as_str(), tally)?;
    let words = [&row.search.name, &row.search.description, &row.search.body].map(|text| tokens::count(text));
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
    let number = db.last_insert_rowid();
    tally.add(1, card.is_some());
    tally.newest = Some(number);
    if words != [0; 3] {
        filing::add(db, root, number, &row.search)?;
    }
    Ok(())
}

/// Notes another stamp for the same bytes.
pub(super) fn restamp(db: &Connection, root: i64, path: &str, stamp: &str) -> Result<()> {
    db.prepare_cached("UPDATE documents SET stamp = ?3 WHERE root = ?1 AND path = ?2")?
        .execute(params![root, path, stamp])?;
    Ok(())
}

/// Gives a file that moved a new number, so that whoever knows it by its old one sees the move. Its vectors go along;
/// so do its words as long as they wait to be filed, and from then on they stay under the number that they have.
pub(super) fn renumber(db: &Connection, root: i64, path: &str, tally: &mut Tally) -> Result<()> {
    let mut statement =
        db.prepare_cached("SELECT id FROM documents WHERE root = ?1 AND path = ?2 AND name IS NOT NULL")?;
    let Some(old) = statement.query_row(params![root, path], |row| row.get(0)).optional()? else { return Ok(()) };
    let (old, new): (i64, i64) = (old, numbers::next(db)?);
    let waits = filing::renumber(db, old, new)?;
    db.prepare_cached(
        "UPDATE documents SET id = ?2, words = CASE WHEN ?3 THEN NULL ELSE coalesce(words, id) END WHERE id = ?1",
    )?
    .execute(params![old, new, waits])?;
    tally.documents = true;
    tally.newest = Some(new);
    Ok(())
}
