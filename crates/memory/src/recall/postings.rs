//! Which documents of a shelf have a word: asked of the ledger once, and then remembered.
//!
//! The words that cost most to look up are the common ones, and those are asked for again and again.
//! Forgotten with the shelf, which lasts until a document changes.

use super::shelf::Shelf;
use crate::Result;
use loci_store::record::Record;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Pairs of word and document that are remembered: four megabytes.
const MOST: usize = 500_000;

/// How often a word stands in one document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    /// Which document of the shelf.
    pub document: u32,
    /// Times in name, description and body; more than 255 make no difference.
    pub times: [u8; 3],
}

/// What is remembered.
#[derive(Default)]
pub(super) struct Postings(Mutex<Known>);

#[derive(Default)]
struct Known {
    by_word: HashMap<String, Arc<[Posting]>>,
    pairs: usize,
}

impl Shelf {
    /// For each term, the documents that have it.
    pub async fn postings(&self, record: &dyn Record, terms: &[String]) -> Result<Vec<Arc<[Posting]>>> {
        let mut found: Vec<Option<Arc<[Posting]>>> = {
            let known = self.postings.0.lock().unwrap_or_else(PoisonError::into_inner);
            terms.iter().map(|term| known.by_word.get(term).cloned()).collect()
        };
        let unknown: Vec<usize> = (0..terms.len()).filter(|at| found[*at].is_none()).collect();
        if !unknown.is_empty() {
            let words: Vec<String> = unknown.iter().map(|at| terms[*at].clone()).collect();
            let mut fresh = vec![Vec::new(); words.len()];
            for posting in record.postings(&self.place, &words).await? {
                if let Some(document) = self.position(posting.number) {
                    let times = posting.times.map(|times| u8::try_from(times).unwrap_or(u8::MAX));
                    fresh[usize::from(posting.term)].push(Posting { document: document as u32, times });
                }
            }
            let mut known = self.postings.0.lock().unwrap_or_else(PoisonError::into_inner);
            for ((at, word), postings) in unknown.into_iter().zip(words).zip(fresh) {
                let postings: Arc<[Posting]> = postings.into();
                known.keep(word, Arc::clone(&postings));
                found[at] = Some(postings);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }
}

impl Known {
    fn keep(&mut self, word: String, postings: Arc<[Posting]>) {
        // A word costs its own bytes too, also one that nobody has.
        self.pairs += postings.len() + 16;
        if self.pairs > MOST {
            self.by_word.clear();
            self.pairs = postings.len() + 16;
        }
        self.by_word.insert(word, postings);
    }
}
