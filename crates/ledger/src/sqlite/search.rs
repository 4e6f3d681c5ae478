//! The search topic on SQLite: FTS5 keeps the postings, its vocabulary table gives them back term by term.
//!
//! Writes are gathered and filed some dozens of documents at a time (`filing.rs`); vectors are in `vectors.rs`.
//! No query language is involved: a term is compared as a value, so nothing in it can be read as an operator.

use super::engine::Durability;
use super::numbers::Numbers;
use super::{Result, Sqlite, codec, filing, phrase, roots, vectors};
use crate::rows::search::{card, searched, searched_columns};
use crate::{Posting, Search, Searched, Vectors};
use async_trait::async_trait;
use loci_domain::change::Place;
use loci_domain::row::Card;
use rusqlite::{Connection, params};
use std::collections::HashMap;

#[async_trait]
impl Search for Sqlite {
    async fn generation(&self, place: &Place) -> crate::Result<u64> {
        let place = place.clone();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached("SELECT generation FROM roots WHERE place = ?1")?;
            Ok(codec::first(statement.query([&place.0])?, |row| numbers.read(row, 0))?.unwrap_or(0))
        })
        .await
    }

    async fn searched(&self, place: &Place, after: u64) -> crate::Result<Vec<Searched>> {
        let place = place.clone();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached(concat!(
                "SELECT ",
                searched_columns!(),
                " FROM documents INDEXED BY documents_numbers
                 WHERE root = (SELECT id FROM roots WHERE place = ?1) AND name IS NOT NULL AND id > ?2 ORDER BY id"
            ))?;
            let rows = statement.query(params![place.0, numbers.write(after)])?;
            codec::all(rows, |row| searched(row, numbers.read(row, 0)?))
        })
        .await
    }

    async fn cards(&self, place: &Place, numbers: &[u64]) -> crate::Result<Vec<(u64, Card)>> {
        let (place, asked) = (place.clone(), numbers.to_vec());
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached(
                "SELECT name, description, kind FROM documents
                 WHERE id = ?2 AND root = (SELECT id FROM roots WHERE place = ?1) AND name IS NOT NULL",
            )?;
            let mut cards = Vec::with_capacity(asked.len());
            for number in asked {
                let rows = statement.query(params![place.0, numbers.write(number)])?;
                cards.extend(codec::first(rows, |row| Ok((number, card(row, 0)?)))?);
            }
            Ok(cards)
        })
        .await
    }

    async fn numbers(&self, place: &Place) -> crate::Result<Vec<u64>> {
        let place = place.clone();
        self.read(move |db| {
            let numbers = Numbers::of(db)?;
            let mut statement = db.prepare_cached(
                "SELECT id FROM documents INDEXED BY documents_numbers
                 WHERE root = (SELECT id FROM roots WHERE place = ?1) AND name IS NOT NULL ORDER BY id",
            )?;
            codec::all(statement.query([&place.0])?, |row| numbers.read(row, 0))
        })
        .await
    }

    async fn postings(&self, place: &Place, terms: &[String]) -> crate::Result<Vec<Posting>> {
        let (place, terms) = (place.clone(), terms.to_vec());
        self.read(move |db| postings(db, &place, &terms)).await
    }

    async fn phrase(&self, place: &Place, tokens: &[String]) -> crate::Result<Vec<u64>> {
        let (place, tokens) = (place.clone(), tokens.to_vec());
        self.read(move |db| phrase::find(db, &place, &tokens)).await
    }

    async fn vectors(&self, place: &Place, embedder: &str, after: u64, most: usize) -> crate::Result<Vec<Vectors>> {
        let (place, embedder) = (place.clone(), embedder.to_owned());
        self.read(move |db| vectors::after(db, &place, &embedder, after, most)).await
    }

    async fn keep_vectors(&self, embedder: &str, vectors: &[Vectors]) -> crate::Result<()> {
        let (embedder, vectors) = (embedder.to_owned(), vectors.to_vec());
        self.write(Durability::Normal, move |tx| vectors::keep(tx, &embedder, &vectors)).await
    }
}

fn postings(db: &Connection, place: &Place, terms: &[String]) -> Result<Vec<Posting>> {
    let Some(root) = roots::find(db, place)? else { return Ok(Vec::new()) };
    // The tokenizer folds ASCII letters, so the terms must be folded too.
    let terms: Vec<String> = terms.iter().map(|term| term.to_ascii_lowercase()).collect();
    let numbers = Numbers::of(db)?;
    let mut found = Vec::new();
    for (text, term) in terms.iter().zip(0..=u16::MAX) {
        filed(db, numbers, (term, &format!("{root}x{text}")), &mut found)?;
    }
    let dead = filing::dead(db, numbers)?;
    if !dead.is_empty() {
        found.retain(|posting| dead.binary_search(&posting.number).is_err());
    }
    let moved = moved(db, numbers, root)?;
    if !moved.is_empty() {
        found.iter_mut().for_each(|posting| posting.number = *moved.get(&posting.number).unwrap_or(&posting.number));
    }
    found.extend(filing::fresh(db, numbers, root, &terms)?);
    found.sort_unstable_by_key(|posting| (posting.term, posting.number));
    Ok(found)
}

/// Postings of a term in what is filed. Its rows come document by document, one for each occurrence;
/// counting them here takes half the time of GROUP BY.
fn filed(db: &Connection, numbers: Numbers, (term, text): (u16, &str), found: &mut Vec<Posting>) -> Result<()> {
    let mut postings = db.prepare_cached("SELECT doc, col FROM postings WHERE term = ?1")?;
    let mut rows = postings.query([text])?;
    let mut current: Option<Posting> = None;
    while let Some(row) = rows.next()? {
        let number = numbers.read(row, 0)?;
        if current.is_none_or(|posting| posting.number != number) {
            found.extend(current.replace(Posting { number, term, times: [0; 3] }));
        }
        if let Some(posting) = &mut current {
            let field = match row.get_ref(1)?.as_bytes().map_err(rusqlite::Error::from)? {
                b"name" => 0,
                b"description" => 1,
                _ => 2,
            };
            posting.times[field] += 1;
        }
    }
    found.extend(current);
    Ok(())
}

/// Numbers of documents that moved after their words were filed, by the number of their words.
pub(super) fn moved(db: &Connection, numbers: Numbers, root: i64) -> Result<HashMap<u64, u64>> {
    let mut statement = db.prepare_cached(
        "SELECT words, id FROM documents INDEXED BY documents_words WHERE root = ?1 AND words IS NOT NULL",
    )?;
    let pairs = codec::all(statement.query([root])?, |row| Ok((numbers.read(row, 0)?, numbers.read(row, 1)?)))?;
    Ok(pairs.into_iter().collect())
}
