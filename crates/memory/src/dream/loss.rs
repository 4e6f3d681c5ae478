//! The loss guard: how much of what was said would be gone.

use crate::draft::Draft;
use crate::{Error, Memory, Result};
use loci_domain::alike;
use loci_domain::document;
use loci_domain::entry;
use loci_store::catalog;
use std::collections::HashSet;

/// All entries of memory, by their words.
pub(super) struct Entries {
    texts: Vec<String>,
    whole: Vec<String>,
}

impl Entries {
    /// Those of memory as it is.
    pub(super) async fn now(memory: &Memory) -> Result<Entries> {
        let mut entries = Entries { texts: Vec::new(), whole: Vec::new() };
        for root in memory.store.roots() {
            for listed in memory.record()?.listed(&root.key).await? {
                if let Ok(Some(blob)) = memory.store.read(root, &listed.row.path).await
                    && let Some(text) = catalog::text(&blob.bytes)
                {
                    entries.add(&listed.row.path, text);
                }
            }
        }
        Ok(entries)
    }

    /// Those of memory as a draft would leave it.
    pub(super) async fn after(draft: &mut Draft) -> Result<Entries> {
        let mut entries = Entries { texts: Vec::new(), whole: Vec::new() };
        for scope in draft.scopes() {
            for path in draft.paths(scope) {
                match draft.read(scope, &path).await {
                    Ok(Some(text)) => entries.add(&path, &text),
                    Ok(None) | Err(Error::NotText(_) | Error::Store(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(entries)
    }

    fn add(&mut self, path: &loci_domain::path::EntryPath, text: &str) {
        let body = document::read(path, text).body;
        self.whole.push(format!(" {} ", alike::normalised(text.get(body.clone()).unwrap_or_default())));
        self.texts.extend(entry::entries(text, body).iter().map(|entry| alike::normalised(entry.text(text))));
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.texts.len()
    }

    /// The share of these whose text is nowhere in the others: neither as an entry, nearly, nor inside a text.
    pub(super) fn lost_in(&self, after: &Entries) -> f64 {
        let kept: HashSet<&str> = after.texts.iter().map(String::as_str).collect();
        let survives = |text: &String| {
            kept.contains(text.as_str())
                || after.whole.iter().any(|whole| whole.contains(&format!(" {text} ")))
                || after.texts.iter().any(|other| alike::likeness(text, other) >= alike::NEAR)
        };
        let lost = self.texts.iter().filter(|text| !survives(text)).count();
        if self.texts.is_empty() { 0.0 } else { lost as f64 / self.texts.len() as f64 }
    }
}
