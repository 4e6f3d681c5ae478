//! Where a fact goes.

use super::Candidate;
use crate::draft::Draft;
use crate::{Error, Result};
use loci_domain::alike;
use loci_domain::document::{self, Kind};
use loci_domain::entry;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;

/// What became of a fact.
pub(super) enum Placed {
    /// It is in a new document.
    New { scope: Scope, kind: Kind, path: String },
    /// It was known, in these words.
    Known { scope: Scope, summary: String },
}

pub(super) async fn place(draft: &mut Draft, candidate: &Candidate) -> Result<Placed> {
    for scope in draft.scopes() {
        for path in draft.paths(scope) {
            let text = match draft.read(scope, &path).await {
                Ok(Some(text)) => text,
                Ok(None) | Err(Error::NotText(_) | Error::Store(_)) => continue,
                Err(error) => return Err(error),
            };
            let body = document::read(&path, &text).body;
            for entry in entry::entries(&text, body) {
                if alike::likeness(&entry.summary, &candidate.summary) >= alike::NEAR {
                    return Ok(Placed::Known { scope, summary: entry.summary });
                }
            }
        }
    }
    let kind = candidate.kind.unwrap_or(Kind::Project);
    let scope = match kind {
        Kind::User | Kind::Feedback => Scope::Global,
        Kind::Project | Kind::Reference if draft.scopes().contains(&Scope::Project) => Scope::Project,
        Kind::Project | Kind::Reference => Scope::Global,
    };
    let stem: String = alike::normalised(&candidate.summary).split(' ').take(7).collect::<Vec<_>>().join("-");
    let path = EntryPath::parse(&format!("{kind}/{stem}.md")).map_err(loci_store::Error::from)?;
    let mut text = format!(
        "---\nname: {:?}\ndescription: {:?}\ntype: {kind}\n---\n{}.\n",
        candidate.summary, candidate.summary, candidate.summary
    );
    for (label, said) in [("Why", &candidate.why), ("How to apply", &candidate.how)] {
        if let Some(said) = said {
            text.push_str(&format!("\n{label}: {said}\n"));
        }
    }
    draft.put(scope, &path, text).await?;
    Ok(Placed::New { scope, kind, path: path.virtual_in(scope) })
}
