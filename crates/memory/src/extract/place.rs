//! Where a fact goes: as remember without a model would have it, and nowhere when it is known.

use super::Candidate;
use crate::Result;
use crate::draft::Draft;
use crate::remember::{self, ContextMode, Noted};
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use loci_domain::{alike, entry, frontmatter};

/// What became of a fact.
pub(super) enum Placed {
    /// It is in a new document.
    New { scope: Scope, kind: Kind, path: String },
    /// It was known, in these words.
    Known { scope: Scope, summary: String },
}

/// Puts a fact into a draft, unless an entry says it already or nearly so: what a person or an agent wrote is not
/// rewritten by what was overheard.
pub(super) async fn place(draft: &mut Draft, candidate: &Candidate) -> Result<Placed> {
    if let Some((scope, summary)) = known(draft, &candidate.summary).await? {
        return Ok(Placed::Known { scope, summary });
    }
    let kind = candidate.kind.unwrap_or_else(|| remember::guess(&candidate.summary));
    let mut content = format!("{}.", candidate.summary);
    for (label, said) in [("Why", &candidate.why), ("How to apply", &candidate.how)] {
        if let Some(said) = said {
            let gap = if content.contains('\n') { "\n" } else { "\n\n" };
            content.push_str(&format!("{gap}{label}: {said}."));
        }
    }
    // Nothing like it is there, so there is nothing to compare with once more.
    match remember::note(draft, &content, kind, None, ContextMode::Clean).await? {
        Noted::New(scope, path) | Noted::Updated(scope, path) | Noted::Known(scope, path) => {
            Ok(Placed::New { scope, kind, path: path.virtual_in(scope) })
        }
    }
}

/// The entry that says it already.
async fn known(draft: &mut Draft, summary: &str) -> Result<Option<(Scope, String)>> {
    for scope in draft.scopes() {
        for path in draft.paths(scope) {
            // A file that cannot be read holds nothing to compare with.
            let Ok(Some(text)) = draft.read(scope, &path).await else { continue };
            for entry in entry::entries(&text, frontmatter::split(&text).body) {
                let same = alike::normalised(&entry.summary) == alike::normalised(summary);
                if same || alike::likeness(&entry.summary, summary) >= alike::NEAR {
                    return Ok(Some((scope, entry.summary)));
                }
            }
        }
    }
    Ok(None)
}
