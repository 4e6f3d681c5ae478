//! List: every document of every scope that is there, with what only the ledger knows.

use crate::{Memory, Verb};
use jiff::Timestamp;
use loci_domain::access::Seat;
use loci_domain::digest::Digest;
use loci_domain::document::Kind;
use loci_domain::row::Listed;
use loci_domain::scope::Scope;
use loci_store::Root;
use serde::Serialize;

/// One file as people and scripts see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// Its virtual path.
    pub path: String,
    /// Its scope.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// What kind of fact it holds.
    pub r#type: Kind,
    /// Its size.
    pub bytes: u64,
    /// Its version.
    pub sha256: Digest,
    /// When the file last changed.
    pub updated_at: Timestamp,
    /// How often it was used.
    pub uses: u64,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// A person's mark.
    pub pinned: bool,
    /// Who made it: an actor, or `checkout`.
    pub origin: String,
    /// Whether a person stands behind its bytes.
    pub trust: Trust,
    /// True when something it names has changed or gone.
    pub stale: bool,
}

/// Whether content may be taken for the person's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// Written here, or accepted.
    Trusted,
    /// From a checkout or an import, not accepted yet.
    Untrusted,
}

impl Memory {
    /// All files of one scope or of all, in path order within a scope; outside edits are seen.
    pub fn list(&self, scope: Option<Scope>) -> Verb<'_, Vec<File>> {
        Box::pin(async move {
            let record = self.record()?;
            let mut files = Vec::new();
            for root in self.roots(scope)? {
                let listed = match self.store.sync(root).await {
                    Ok(_) => record.listed(&root.key).await?,
                    // Files are the truth, also where nothing can be written down about them.
                    Err(error) if error.is_no_space() => self.store.seen(root).await?,
                    Err(error) => return Err(error.into()),
                };
                let drifted = self.store.all_drifted(root).await?;
                let stale = |listed: &Listed| {
                    drifted.get(&listed.row.path).is_some_and(|(digest, _)| *digest == listed.row.digest)
                };
                let seen = listed.into_iter().take(self.store.settings().files_per_scope);
                files.extend(seen.map(|listed| File { stale: stale(&listed), ..file(root, listed) }));
            }
            Ok(files)
        })
    }
}

/// The public face of a catalogue row; whether it is stale is for the caller to look up.
pub(crate) fn file(root: &Root, listed: Listed) -> File {
    let row = listed.row;
    let (name, description, kind) = match row.card {
        Some(card) => (card.name, card.description, card.kind),
        None => (row.path.file_name().to_owned(), String::new(), Kind::Project),
    };
    let needs_acceptance = root.seat == Seat::Checkout || row.origin.needs_acceptance();
    File {
        path: root.name(&row.path),
        scope: root.scope.unwrap_or(Scope::Global),
        name,
        description,
        r#type: kind,
        bytes: row.bytes,
        sha256: row.digest,
        updated_at: row.updated_at,
        uses: listed.uses,
        last_used_at: listed.last_used_at,
        pinned: listed.pinned,
        origin: row.origin.word().to_owned(),
        trust: if needs_acceptance && !listed.accepted { Trust::Untrusted } else { Trust::Trusted },
        stale: false,
    }
}
