//! The answer of a forgetting: what went, from where, and what stays until when.

use super::candidates::Candidate;
use super::{Extent, Forgotten, RemovedFrom};
use loci_domain::scope::Scope;
use std::collections::BTreeSet;

/// What is told of these entries, `more` of which matched too.
pub(super) fn told(chosen: &[Candidate], more: usize, extent: Extent) -> Forgotten {
    let topics: BTreeSet<&str> = chosen.iter().map(|candidate| candidate.kind.word()).collect();
    let scopes: BTreeSet<Scope> = chosen.iter().map(|candidate| candidate.scope).collect();
    let entries = if chosen.len() == 1 { "entry" } else { "entries" };
    let summary = match (chosen.len(), extent) {
        (0, Extent::Purge) => "No memory entry matches.".to_owned(),
        (0, _) => "Nothing in memory matches.".to_owned(),
        (count, Extent::DryRun) => format!("Would forget {count} memory {entries}."),
        (count, _) => format!("Forgot {count} memory {entries}."),
    };
    let at = |place: &str, state, note: &str| RemovedFrom { place: place.to_owned(), state, note: note.to_owned() };
    let removed_from = match (chosen.is_empty(), extent) {
        (true, _) | (_, Extent::DryRun) => Vec::new(),
        (false, Extent::Memory | Extent::Purge) => vec![
            at("file", "removed", ""),
            at("index", "removed", ""),
            at("search", "removed", ""),
            at("handbook", "pending", "what came only from this goes at the next consolidation"),
            at("journal", "kept", "for undo, until it is purged (loci forget --purge)"),
        ],
    };
    Forgotten {
        summary,
        removed_entries: chosen.iter().map(Candidate::removed).collect(),
        touched_topics: topics.into_iter().map(str::to_owned).collect(),
        touched_scopes: scopes.into_iter().collect(),
        removed_from,
        more,
        diff: String::new(),
        pinned: chosen.iter().filter(|candidate| candidate.pinned).count(),
        purged: None,
    }
}

impl Forgotten {
    /// Says that so many matches stay because they are pinned.
    pub(super) fn beside(mut self, pinned: usize) -> Forgotten {
        let are = if pinned == 1 { "match is" } else { "matches are" };
        match (pinned, self.removed_entries.is_empty()) {
            (0, _) => {}
            (_, true) => self.summary = format!("{pinned} {are} pinned, and only a person may remove what is pinned."),
            (_, false) => {
                self.summary.push_str(&format!(" {pinned} more {are} pinned; only a person may remove them."))
            }
        }
        self
    }
}
