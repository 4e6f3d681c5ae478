//! The search index: which documents of a place hold which words, and how often.
//!
//! Text arrives already cut into tokens (`domain::words`), so every engine finds the same.
//! Scores are not made here: `memory::recall` ranks, so that ranking is the same on every engine.

use super::Result;
use async_trait::async_trait;
use loci_domain::change::Place;
use loci_domain::path::EntryPath;

/// How often one term stands in one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which document.
    pub path: EntryPath,
    /// Which of the asked terms, by position.
    pub term: usize,
    /// Times in the name.
    pub name: u32,
    /// Times in the description.
    pub description: u32,
    /// Times in the body.
    pub body: u32,
}

/// How much there is to search in a place: what a score needs beside the candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Documents, those that cannot be read as such left out.
    pub documents: u64,
    /// Tokens in all names.
    pub name: u64,
    /// Tokens in all descriptions.
    pub description: u64,
    /// Tokens in all bodies.
    pub body: u64,
}

/// Finding documents by their words.
#[async_trait]
pub trait Search {
    /// Every (document, term) pair of a place in which the term occurs, in the order of the terms; none for an unknown place.
    ///
    /// Terms are single tokens and are never parsed as a query; ASCII letters match in either case.
    async fn candidates(&self, place: &Place, terms: &[String]) -> Result<Vec<Candidate>>;

    /// The sums over all documents of a place; constant time, all zero for an unknown place.
    async fn sizes(&self, place: &Place) -> Result<Sizes>;
}
