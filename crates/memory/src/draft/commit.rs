//! A draft becomes true: all scopes are locked and checked, then changed one after the other.

use super::{Draft, Edit, Hand};
use crate::{Error, Memory, Result};
use loci_domain::change::{Actor, Change, GroupId};
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_store::lock::to_the_end;
use loci_store::{By, Transaction, catalog};

/// What a draft made true.
#[derive(Debug, Clone)]
pub struct Committed {
    /// One `loci undo` of this takes all of it back.
    pub group: GroupId,
    /// What was journaled, oldest first; empty when nothing was to change.
    pub changes: Vec<Change>,
}

impl Draft {
    /// Makes all edits true under one journal group, if every file still is what the draft read.
    ///
    /// [`Error::Changed`] names the first file that is not, and nothing is done. When a later scope fails, what an
    /// earlier one had changed is taken back.
    pub async fn commit(self, actor: Actor, policy: Policy) -> Result<Committed> {
        let by = self.memory.by(actor, policy);
        self.commit_by(by).await
    }

    /// The same under a group that is known beforehand.
    pub async fn commit_by(self, by: By) -> Result<Committed> {
        let group = by.group.clone();
        let edits = self.edits();
        let mut begun = Vec::new();
        // Locks are taken in the order of the scopes, so that two drafts never wait for each other in a circle.
        for scope in Scope::ALL {
            let here: Vec<&Edit> = edits.iter().filter(|edit| edit.scope == scope).collect();
            if !here.is_empty() {
                let change = self.memory.store.begin(self.root(scope)?, by.clone()).await?;
                begun.push(self.stage_all(change, &here).await?);
            }
        }
        // From here on all locks are held, and who asked may go away: there is no half of a draft.
        let memory = self.memory.clone();
        let changes = to_the_end(commit_all(memory, group.clone(), begun)).await??;
        Ok(Committed { group, changes })
    }

    /// Stages the edits of a scope, each checked under the lock.
    async fn stage_all(&self, mut change: Transaction, edits: &[&Edit]) -> Result<Transaction> {
        // What goes first makes way: a file may become a folder.
        let (gone, put): (Vec<&Edit>, Vec<&Edit>) = edits.iter().partition(|edit| edit.after.is_none());
        for edit in gone.into_iter().chain(put) {
            self.check(&change, edit).await?;
            match &edit.after {
                Some(text) => change.put(&edit.path, text.clone()).await?,
                None => change.remove(&edit.path).await?,
            }
        }
        Ok(change)
    }

    async fn check(&self, change: &Transaction, edit: &Edit) -> Result<()> {
        let now = change.read(&edit.path).await?;
        let same = match (&now, &edit.before) {
            (Some(blob), Some(before)) => catalog::text(&blob.bytes) == Some(before.as_str()),
            (None, None) => true,
            _ => false,
        };
        if !same {
            return Err(Error::Changed { path: edit.name() });
        }
        // A person may have pinned it since the draft was opened.
        if self.hand == Hand::Machine {
            let root = self.root(edit.scope)?;
            let listed = self.memory.record()?.listed_file(&root.key, &edit.path).await?;
            if listed.is_some_and(|listed| listed.pinned) {
                return Err(Error::Pinned(edit.name()));
            }
        }
        Ok(())
    }
}

/// Commits one scope after the other; when one fails, takes back what the ones before it changed.
async fn commit_all(memory: Memory, group: GroupId, begun: Vec<Transaction>) -> Result<Vec<Change>> {
    let (mut changes, mut begun) = (Vec::new(), begun.into_iter());
    while let Some(change) = begun.next() {
        match change.commit().await {
            Ok(made) => changes.extend(made),
            Err(error) => {
                // The locks of later scopes first: taking back begins with the first one.
                drop(begun);
                if !changes.is_empty()
                    && let Err(stuck) = memory.withdraw(&group).await
                {
                    tracing::error!(%stuck, group = %group.0, "half of a draft stays; `loci undo` takes it back");
                }
                return Err(error.into());
            }
        }
    }
    Ok(changes)
}
