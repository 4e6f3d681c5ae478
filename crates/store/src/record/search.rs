//! The search index: what a ranker needs to know of the documents of a place.
//!
//! Text arrives already cut into tokens (`domain::words`), so every engine finds the same.
//! Scores are not made here: `memory::recall` ranks, so that ranking is the same on every engine.
//!
//! A document's *number* is its version in the index: a rewrite or a move takes a new one, higher than all before it in
//! any place, and none is ever used again; not by a place that was dropped and came back, and not by a new ledger in
//! the place of a lost one. So whoever keeps documents in memory needs only those above the highest number it has,
//! and which ones are left.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Place;
use loci_domain::document::Kind;
use loci_domain::path::EntryPath;
use loci_domain::row::Card;

/// A document as a ranker sees it, and no more: a process that asks one question reads them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    /// Its number.
    pub number: u64,
    /// Which file.
    pub path: EntryPath,
    /// What kind of fact it holds.
    pub kind: Kind,
    /// When the file was last changed.
    pub updated_at: Timestamp,
    /// How many tokens its name, description and body have.
    pub words: [u32; 3],
}

/// How often one term stands in one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The document's number.
    pub number: u64,
    /// Which of the asked terms, by position.
    pub term: u16,
    /// Times in name, description and body.
    pub times: [u32; 3],
}

/// A document's vectors, as the embedder that made them packs them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vectors {
    /// The document's number.
    pub number: u64,
    /// One vector an entry, back to back.
    pub packed: Vec<u8>,
}

/// Finding documents by their words and vectors. Files that cannot be read as documents do not occur here.
#[async_trait]
pub trait Search {
    /// A mark that differs whenever a document of the place came, changed, moved or went; constant time, 0 for an unknown place.
    ///
    /// Never one that the place had before. Whatever else is recorded (use, pins, acceptance, the journal, vectors, files
    /// that are no documents, other places) leaves it as it is.
    async fn generation(&self, place: &Place) -> Result<u64>;

    /// The documents of a place with a number above `after`, by number.
    async fn searched(&self, place: &Place, after: u64) -> Result<Vec<Searched>>;

    /// The faces of these documents of a place, in the order of `numbers`; those that are not there are left out.
    async fn cards(&self, place: &Place, numbers: &[u64]) -> Result<Vec<(u64, Card)>>;

    /// The numbers of all documents of a place, ascending.
    async fn numbers(&self, place: &Place) -> Result<Vec<u64>>;

    /// Every (document, term) pair of a place in which the term occurs, in the order of the terms and then by number;
    /// none for an unknown place.
    ///
    /// Terms are single tokens and are never parsed as a query; ASCII letters match in either case.
    /// Those behind the 65,536th are not looked for.
    async fn postings(&self, place: &Place, terms: &[String]) -> Result<Vec<Posting>>;

    /// The documents of a place that have these tokens in a row, nothing between them, in their name, their description or their
    /// body, by number; none for no tokens.
    ///
    /// Tokens are as in [`Search::postings`]. Those behind the 32nd are not looked for.
    async fn phrase(&self, place: &Place, tokens: &[String]) -> Result<Vec<u64>>;

    /// The vectors that this embedder made for documents of a place with a number above `after`, by number, the first
    /// `most` of them; a document that moved has them under its new one.
    async fn vectors(&self, place: &Place, embedder: &str, after: u64, most: usize) -> Result<Vec<Vectors>>;

    /// Keeps vectors of an embedder, in place of those that it made for the same number; those of a number that went
    /// meanwhile are dropped, and vectors go with their document. May be lost with the power: they can be made again.
    async fn keep_vectors(&self, embedder: &str, vectors: &[Vectors]) -> Result<()>;
}
