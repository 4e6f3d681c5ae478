//! The search topic on SQLite: FTS5 keeps the postings, its vocabulary table gives them back term by term.
//!
//! No query language is involved: a term is compared as a value, so nothing in it can be read as an operator.

use super::{Sqlite, codec, roots};
use super::Result;
use crate::{Candidate, Search, Sizes};
use async_trait::async_trait;
use loci_domain::change::Place;
use loci_domain::path::EntryPath;
use loci_domain::row::SearchText;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

#[async_trait]
impl Search for Sqlite {
    async fn candidates(&self, place: &Place, terms: &[String]) -> crate::Result<Vec<Candidate>> {
        let (place, terms) = (place.clone(), terms.to_vec());
        self.read(move |db| candidates(db, &place, &terms)).await
    }

    async fn sizes(&self, place: &Place) -> crate::Result<Sizes> {
        let place = place.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT cards, name_words, description_words, body_words FROM roots WHERE place = ?1",
            )?;
            let mut rows = statement.query([&place.0])?;
            let Some(row) = rows.next()? else { return Ok(Sizes::default()) };
            Ok(Sizes {
                documents: codec::count(row, 0)?,
                name: codec::count(row, 1)?,
                description: codec::count(row, 2)?,
                body: codec::count(row, 3)?,
            })
        })
        .await
    }
}

/// How many tokens a text has.
pub(super) fn words(text: &str) -> i64 {
    codec::limit(text.split_ascii_whitespace().count())
}

/// Adds a document's words.
pub(super) fn add(db: &Connection, root: i64, document: i64, text: &SearchText) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO words (rowid, name, description, body) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        document,
        coded(root, &text.name),
        coded(root, &text.description),
        coded(root, &text.body)
    ])?;
    Ok(())
}

/// Removes a document's words.
pub(super) fn remove(db: &Connection, document: i64) -> Result<()> {
    db.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([document])?;
    Ok(())
}

/// Each token with its root's number in front: `12xmemory`.
fn coded(root: i64, text: &str) -> String {
    let code = format!("{root}x");
    let mut coded = String::with_capacity(text.len() * 2);
    for token in text.split_ascii_whitespace() {
        if !coded.is_empty() {
            coded.push(' ');
        }
        coded.push_str(&code);
        coded.push_str(token);
    }
    coded
}

fn candidates(db: &Connection, place: &Place, terms: &[String]) -> Result<Vec<Candidate>> {
    let Some(root) = roots::find(db, place)? else { return Ok(Vec::new()) };
    let mut paths = Paths { db, known: HashMap::new() };
    let mut found = Vec::new();
    // The rows of a term come document by document. One row stands for one occurrence; counting them here is cheaper
    // than GROUP BY.
    let mut postings = db.prepare_cached("SELECT doc, col FROM postings WHERE term = ?1")?;
    for (term, text) in terms.iter().enumerate() {
        // The tokenizer folds ASCII letters, so the term must be folded too.
        let mut rows = postings.query([format!("{root}x{}", text.to_ascii_lowercase())])?;
        let mut current: Option<(i64, Candidate)> = None;
        while let Some(row) = rows.next()? {
            let document: i64 = row.get(0)?;
            if current.as_ref().is_none_or(|(before, _)| *before != document) {
                found.extend(current.take().map(|(_, candidate)| candidate));
                let Some(path) = paths.of(document)? else { continue };
                current =
                    Some((document, Candidate { path, term, name: 0, description: 0, body: 0 }));
            }
            if let Some((_, candidate)) = &mut current {
                match row.get_ref(1)?.as_bytes().map_err(rusqlite::Error::from)? {
                    b"name" => candidate.name += 1,
                    b"description" => candidate.description += 1,
                    _ => candidate.body += 1,
                }
            }
        }
        found.extend(current.map(|(_, candidate)| candidate));
    }
    Ok(found)
}

/// Paths by document, asked for once each: the same document has many of the terms.
struct Paths<'a> {
    db: &'a Connection,
    known: HashMap<i64, Option<EntryPath>>,
}

impl Paths<'_> {
    /// `None` = the document went, and its postings wait to be merged away.
    fn of(&mut self, document: i64) -> Result<Option<EntryPath>> {
        if let Some(known) = self.known.get(&document) {
            return Ok(known.clone());
        }
        let mut statement = self.db.prepare_cached("SELECT path FROM documents WHERE id = ?1")?;
        let path = statement
            .query_row([document], |row| Ok(codec::path(row, 0)))
            .optional()?
            .transpose()?;
        self.known.insert(document, path.clone());
        Ok(path)
    }
}
