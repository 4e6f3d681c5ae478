//! Restore: a file as it was after a change.

use crate::{Error, Memory, Result};
use loci_domain::change::{Actor, ChangeId};
use loci_domain::secrets::Policy;
use loci_store::{By, Count};

impl Memory {
    /// Brings the state after the change `at` back; a state without the file removes it. Undo takes a restore back.
    pub async fn restore(&self, given: &str, at: &str) -> Result<()> {
        let (root, path) = self.locate(given)?;
        let name = root.name(&path);
        self.store.sync(root).await?;
        let record = self.record()?;
        let change = record.change(&ChangeId(at.to_owned())).await?;
        let change = change.ok_or_else(|| Error::NoSuchChange(at.to_owned()))?;
        let was_here = change.new_path.as_ref().unwrap_or(&change.path) == &path;
        if change.place != root.key.place || (change.path != path && !was_here) {
            return Err(Error::OtherFile { id: at.to_owned(), path: name });
        }
        let mut restore = self.store.begin(root, By::new(Actor::User, Policy::Allow, Count::Nothing)).await?;
        match change.after.filter(|_| was_here) {
            Some(digest) => {
                let bytes = record.image(&digest).await?.ok_or(Error::Expired { path: name })?;
                restore.put_back(&path, bytes).await?;
            }
            None if restore.read(&path).await?.is_some() => restore.remove(&path).await?,
            None => return Ok(()),
        }
        restore.commit().await?;
        Ok(())
    }
}
