//! Words on their way into the search index.
//!
//! A write to FTS5 costs some 75 µs before the first word and again when its segments merge, so documents are gathered
//! in `fresh_words` (and those to take away in `dead_words`) and filed together. Nothing waits for that:
//! a search counts the fresh ones itself, and leaves out the dead ones.

use super::numbers::Numbers;
use super::{Result, codec};
use crate::{Posting, tokens};
use loci_domain::row::SearchText;
use rusqlite::{Connection, params};
use std::collections::HashMap;

/// How many documents are gathered: a search reads all of them.
const GATHERED: i64 = 32;

/// Adds a document's words.
pub(super) fn add(db: &Connection, root: i64, document: i64, text: &SearchText) -> Result<()> {
    db.prepare_cached("INSERT INTO fresh_words (document, root, name, description, body) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![document, root, text.name, text.description, text.body])?;
    Ok(())
}

/// Removes a document's words.
pub(super) fn remove(db: &Connection, document: i64) -> Result<()> {
    if db.prepare_cached("DELETE FROM fresh_words WHERE document = ?1")?.execute([document])? == 0 {
        db.prepare_cached("INSERT INTO dead_words (document) VALUES (?1)")?.execute([document])?;
    }
    Ok(())
}

/// Gives a document that was gathered another number; `false` = it was not.
pub(super) fn renumber(db: &Connection, old: i64, new: i64) -> Result<bool> {
    let mut statement = db.prepare_cached("UPDATE fresh_words SET document = ?2 WHERE document = ?1")?;
    Ok(statement.execute([old, new])? > 0)
}

/// Files what was gathered, when it is enough.
pub(super) fn file_some(db: &Connection) -> Result<()> {
    // Numbers of documents only grow, so their range is a cheap upper bound of how many there are.
    let mut statement = db.prepare_cached(
        "SELECT coalesce((SELECT max(document) FROM fresh_words) - (SELECT min(document) FROM fresh_words), 0),
           coalesce((SELECT max(seq) FROM dead_words), 0)",
    )?;
    let (fresh, dead): (i64, i64) = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if fresh >= GATHERED || dead >= GATHERED { file_all(db) } else { Ok(()) }
}

/// Files everything that was gathered.
pub(super) fn file_all(db: &Connection) -> Result<()> {
    db.prepare_cached("DELETE FROM words WHERE rowid IN (SELECT document FROM dead_words)")?.execute([])?;
    db.prepare_cached("DELETE FROM dead_words")?.execute([])?;
    let mut fresh = db.prepare_cached("SELECT document, root, name, description, body FROM fresh_words")?;
    let mut add = db.prepare_cached("INSERT INTO words (rowid, name, description, body) VALUES (?1, ?2, ?3, ?4)")?;
    let mut rows = fresh.query([])?;
    while let Some(row) = rows.next()? {
        let root = row.get(1)?;
        let field = |at| row.get_ref(at).and_then(|text| Ok(coded(root, text.as_str()?)));
        add.execute(params![row.get::<_, i64>(0)?, field(2)?, field(3)?, field(4)?])?;
    }
    db.prepare_cached("DELETE FROM fresh_words")?.execute([])?;
    Ok(())
}

/// Documents whose words are filed and wait to be taken away, by number.
pub(super) fn dead(db: &Connection, numbers: Numbers) -> Result<Vec<u64>> {
    let mut statement = db.prepare_cached("SELECT document FROM dead_words ORDER BY document")?;
    codec::all(statement.query([])?, |row| numbers.read(row, 0))
}

/// Counts the terms, which are in lower case, in what was gathered.
pub(super) fn fresh(db: &Connection, numbers: Numbers, root: i64, terms: &[String]) -> Result<Vec<Posting>> {
    let mut positions: HashMap<&str, Vec<u16>> = HashMap::new();
    for (term, position) in terms.iter().zip(0..=u16::MAX) {
        positions.entry(term).or_default().push(position);
    }
    let mut statement =
        db.prepare_cached("SELECT document, name, description, body FROM fresh_words WHERE root = ?1")?;
    let mut rows = statement.query([root])?;
    let mut postings = Vec::new();
    while let Some(row) = rows.next()? {
        let mut counted = vec![[0; 3]; terms.len()];
        for (field, column) in (1..4).enumerate() {
            let text = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
            for token in text.split_ascii_whitespace() {
                for position in positions.get(&*tokens::folded(token)).into_iter().flatten() {
                    counted[usize::from(*position)][field] += 1;
                }
            }
        }
        let number = numbers.read(row, 0)?;
        let hits = counted.into_iter().zip(0..=u16::MAX).filter(|(times, _)| *times != [0; 3]);
        postings.extend(hits.map(|(times, term)| Posting { number, term, times }));
    }
    Ok(postings)
}

/// Documents of what was gathered in which the tokens, which are in lower case, stand in a row.
pub(super) fn fresh_with(db: &Connection, numbers: Numbers, root: i64, tokens: &[String]) -> Result<Vec<u64>> {
    let mut statement =
        db.prepare_cached("SELECT document, name, description, body FROM fresh_words WHERE root = ?1")?;
    let mut rows = statement.query([root])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        for column in 1..4 {
            if tokens::in_a_row(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?, tokens) {
                found.push(numbers.read(row, 0)?);
                break;
            }
        }
    }
    Ok(found)
}

/// Each token with its root's number in front: `12xmemory`.
fn coded(root: i64, text: &str) -> String {
    let code = format!("{root}x");
    let mut coded = String::with_capacity(text.len() * 2);
    for token in text.split_ascii_whitespace() {
        coded.push_str(&code);
        coded.push_str(token);
        coded.push(' ');
    }
    coded
}
