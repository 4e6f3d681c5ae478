//! Every entry that could be meant.

use super::Removed;
use crate::draft::Draft;
use crate::{Error, Memory, Result};
use loci_domain::document::{self, Kind};
use loci_domain::entry;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;

/// One entry of memory, with what a choice needs to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub id: String,
    /// Its scope.
    pub scope: Scope,
    /// Its document.
    pub path: EntryPath,
    /// Which entry of the document, from 0.
    pub n: usize,
    /// How many entries the document has.
    pub of: usize,
    /// The document's type.
    pub kind: Kind,
    /// The document's name and description.
    pub face: String,
    /// Its first line.
    pub summary: String,
    /// Its bytes.
    pub text: String,
    /// Whether a person pinned the document.
    pub pinned: bool,
}

impl Candidate {
    pub(super) fn removed(&self) -> Removed {
        Removed {
            id: self.id.clone(),
            topic: self.kind.word().to_owned(),
            summary: self.summary.clone(),
            file_path: self.path.virtual_in(self.scope),
        }
    }
}

/// All entries of one scope or of all that this hand may remove, in the order of scopes, paths and lines.
pub(super) async fn all(memory: &Memory, draft: &mut Draft, scope: Option<Scope>) -> Result<Vec<Candidate>> {
    listed(memory, draft, scope, Reach::Within).await
}

/// The entries that this hand may not remove, because they are pinned.
pub(super) async fn out_of_reach(memory: &Memory, draft: &mut Draft, scope: Option<Scope>) -> Result<Vec<Candidate>> {
    listed(memory, draft, scope, Reach::Beyond).await
}

/// Whether a hand may change what is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Within,
    Beyond,
}

async fn listed(memory: &Memory, draft: &mut Draft, scope: Option<Scope>, reach: Reach) -> Result<Vec<Candidate>> {
    let mut all = Vec::new();
    for root in memory.roots(scope)? {
        let scope = root.scope.unwrap_or(Scope::Global);
        for path in draft.paths(scope) {
            let found = match draft.may_change(scope, &path) {
                Ok(()) => Reach::Within,
                Err(Error::Pinned(_)) => Reach::Beyond,
                Err(_) => continue,
            };
            if found != reach {
                continue;
            }
            // A file that is no text, too large or behind a link has no entries.
            if let Ok(Some(text)) = draft.read(scope, &path).await {
                all.extend(of_document(scope, &path, &text, draft.is_pinned(scope, &path)));
            }
        }
    }
    Ok(all)
}

/// The entries of one document.
pub(super) fn of_document(scope: Scope, path: &EntryPath, text: &str, pinned: bool) -> Vec<Candidate> {
    let document = document::read(path, text);
    let entries = entry::entries(text, document.body.clone());
    let of = entries.len();
    let candidate = |(n, entry): (usize, &entry::Entry)| Candidate {
        id: entry::id(scope, path, n, of),
        scope,
        path: path.clone(),
        n,
        of,
        kind: document.card.kind,
        face: format!("{}\n{}", document.card.name, document.card.description),
        summary: entry.summary.clone(),
        text: entry.text(text).to_owned(),
        pinned,
    };
    entries.iter().enumerate().map(candidate).collect()
}
