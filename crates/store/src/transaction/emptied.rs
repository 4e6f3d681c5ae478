//! What a change leaves empty.

use super::{Step, Transaction};
use loci_domain::change::Actor;
use loci_domain::path::EntryPath;

impl Transaction {
    /// Takes away the folders that a forgetting or a dream emptied: nobody made them, and their names may tell what went.
    pub(super) async fn leave_no_empty_folder(&self) {
        if !matches!(self.by.actor, Actor::Forget | Actor::Dream) {
            return;
        }
        for (step, _) in &self.steps {
            let Step::Remove { path, .. } = step else { continue };
            for folder in std::iter::successors(path.parent(), EntryPath::parent) {
                if let Err(error) = self.root.backend.remove_empty(&folder).await {
                    tracing::debug!(%error, "an empty folder stays");
                }
            }
        }
    }
}
