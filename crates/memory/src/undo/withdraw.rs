//! Withdrawing: a group is taken back because its run came to nothing, file by file.
//!
//! Nobody is there to be asked, so one file that a person has changed since does not keep the others: theirs stays, and all
//! bytes are in the journal. It can be cut off and begun again: what was taken back is marked, and left out the next time.

use super::{Played, layers};
use crate::{Memory, Result};
use loci_domain::change::{Actor, Change, ChangeId, GroupId};
use loci_domain::secrets::Policy;
use loci_store::{By, Count, Root};
use std::collections::HashSet;

impl Memory {
    /// Takes back all that was done in a group, because its task came to nothing; a file that changed since stays as it is.
    /// Nothing when nothing was done. A commit of the group that is still on its way is waited for.
    pub async fn withdraw(&self, group: &GroupId) -> Result<()> {
        for root in self.store.roots() {
            self.withdraw_from(root, group).await?;
        }
        let record = self.record()?;
        let stays: HashSet<ChangeId> = record.standing(group).await?.into_iter().map(|change| change.id).collect();
        let mut gone = record.group(group).await?;
        gone.retain(|change| !stays.contains(&change.id));
        self.unbury(&gone).await
    }

    /// Plays and takes back under the lock of the root, so that nobody writes in between.
    async fn withdraw_from(&self, root: &Root, group: &GroupId) -> Result<()> {
        // What was cut off is decided by the files themselves, and cleared up.
        self.store.sync(root).await?;
        let mut left = usize::MAX;
        loop {
            // Whoever is at it is waited for.
            let mut undo = self.store.begin(root, By::new(Actor::User, Policy::Allow, Count::Nothing)).await?;
            let mut changes = self.record()?.standing(group).await?;
            changes.retain(|change| change.place == root.key.place);
            changes.reverse();
            let here: Vec<&Change> = changes.iter().collect();
            let Played { free, changed, expired } = self.played(root, &here).await?;
            let Some(layer) = layers(&free).into_iter().next().filter(|_| free.len() < left) else {
                for path in changed {
                    tracing::warn!(
                        path,
                        group = group.0,
                        "a run is taken back, but this file was changed since and stays"
                    );
                }
                for path in expired {
                    tracing::warn!(
                        path,
                        group = group.0,
                        "a run is taken back, but the journal lost what this file was"
                    );
                }
                return Ok(());
            };
            left = free.len();
            for change in layer {
                undo.on_behalf_of(change.actor);
                self.take_back(&mut undo, root, change).await?;
            }
            undo.commit().await?;
        }
    }
}
