//! What a reader gets of a document: an excerpt, and its part of the prompt block.

use super::question::Question;
use crate::list::{File, Trust};
use jiff::Timestamp;
use loci_domain::block::{RecallDoc, recall_block};
use loci_domain::entry::{self, Entry};
use loci_domain::path::EntryPath;
use loci_domain::{document, frontmatter, words};
use loci_llm::embedders::static_minilm::{StaticMinilm, similarity};

/// Characters of an excerpt.
const EXCERPT: usize = 300;
/// Entries of a document that are compared by their meaning.
const COMPARED: usize = 64;

/// A document on its way into the prompt.
pub(crate) struct Document {
    file: File,
    body: String,
    /// What it names that has changed or gone.
    drifted: Option<String>,
}

impl Document {
    pub(super) fn new(file: &File, text: &str, drifted: Option<String>) -> Document {
        let body = text.get(frontmatter::split(text).body).unwrap_or_default();
        Document { file: file.clone(), body: body.trim().to_owned(), drifted }
    }

    pub(super) fn path(&self) -> &str {
        &self.file.path
    }

    /// True when the prompt has only so many characters of a longer body.
    pub(super) fn is_cut(&self, doc_chars: usize) -> bool {
        self.body.chars().nth(doc_chars).is_some()
    }
}

/// The prompt block of these documents.
pub(crate) fn prompt(documents: &[Document], doc_chars: usize, now: Timestamp) -> String {
    let docs: Vec<RecallDoc<'_>> = documents
        .iter()
        .map(|Document { file, body, drifted }| RecallDoc {
            name: &file.name,
            path: &file.path,
            updated_at: file.updated_at,
            description: &file.description,
            body,
            stale: drifted.as_deref(),
            trusted: file.trust == Trust::Trusted,
        })
        .collect();
    recall_block(&docs, doc_chars, now)
}

/// The entry that fits: the one with most of the question's words, of those the one nearest in meaning.
pub(super) fn excerpt(path: &EntryPath, text: &str, question: &Question) -> String {
    let document = document::read(path, text);
    let entries = entry::entries(text, document.body.clone());
    let shared = |entry: &Entry| {
        let tokens = words::tokens(entry.text(text));
        question.terms.iter().filter(|term| tokens.contains(term)).count()
    };
    let near = |entry: &Entry| similarity(&question.vector, &StaticMinilm::default().quantised(entry.text(text)));
    let counts: Vec<usize> = if let [_] = entries.as_slice() { vec![0] } else { entries.iter().map(shared).collect() };
    let most = counts.iter().max();
    let best = entries.iter().zip(&counts).filter(|(_, count)| Some(*count) == most).take(COMPARED);
    let nearest = best.map(|(entry, _)| (near(entry), entry)).reduce(|a, b| if b.0 > a.0 { b } else { a });
    let found = nearest.map_or(document.card.description.as_str(), |(_, entry)| entry.text(text).trim());
    let found = if found.is_empty() { document.card.name.as_str() } else { found };
    match found.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found.to_owned(),
    }
}
