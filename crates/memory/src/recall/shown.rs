//! What a reader gets of a document: an excerpt, and its part of the prompt block.

use super::question::Question;
use crate::list::{File, Trust};
use jiff::Timestamp;
use loci_domain::block::{RecallDoc, recall_block};
use loci_domain::path::EntryPath;
use loci_domain::{document, entry, frontmatter, words};

/// Characters of an excerpt.
const EXCERPT: usize = 300;

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

/// The entry that fits: the one with most of the question's words, else the one nearest in meaning.
pub(super) fn excerpt(path: &EntryPath, text: &str, nearest: Option<usize>, question: &Question) -> String {
    let document = document::read(path, text);
    let entries = entry::entries(text, document.body.clone());
    let shared = |at: usize| {
        // One entry needs no comparison.
        if entries.len() == 1 {
            return 0;
        }
        let tokens = words::tokens(entries[at].text(text));
        question.terms.iter().filter(|term| tokens.contains(term)).count()
    };
    let most = (0..entries.len()).max_by_key(|at| (shared(*at), Some(*at) == nearest, std::cmp::Reverse(*at)));
    let found = most.map_or(document.card.description.as_str(), |at| entries[at].text(text).trim());
    let found = if found.is_empty() { document.card.name.as_str() } else { found };
    match found.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found.to_owned(),
    }
}
