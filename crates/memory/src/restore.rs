//! Restore: a file as it was after a change, to be seen or to be brought back.

use crate::{Error, Memory, Result};
use loci_domain::change::{Actor, Change, ChangeId, GroupId};
use loci_domain::path::EntryPath;
use loci_domain::secrets::Policy;
use loci_store::{By, Count, Root, catalog};

impl Memory {
    /// Brings the state after the change `at` back; a state without the file removes it. Undo takes a restore back.
    pub async fn restore(&self, given: &str, at: &str) -> Result<()> {
        let (root, path) = self.locate(given)?;
        self.store.sync(root).await?;
        let then = self.bytes_after(root, &path, at).await?;
        let mut restore = self.store.begin(root, By::new(Actor::User, Policy::Allow, Count::Nothing)).await?;
        match then {
            Some(bytes) => restore.put_back(&path, bytes).await?,
            None if restore.read(&path).await?.is_some() => restore.remove(&path).await?,
            None => return Ok(()),
        }
        restore.commit().await?;
        Ok(())
    }

    /// The text of a file as it was after the change `at`; a state without the file is an error as any missing one.
    pub async fn show_after(&self, given: &str, at: &str) -> Result<String> {
        let (root, path) = self.locate(given)?;
        let name = root.name(&path);
        let bytes = self.bytes_after(root, &path, at).await?.ok_or_else(|| Error::Missing(name.clone()))?;
        Ok(catalog::text(&bytes).ok_or(Error::NotText(name))?.to_owned())
    }

    /// What the change left; `None` = no file.
    async fn bytes_after(&self, root: &Root, path: &EntryPath, at: &str) -> Result<Option<Vec<u8>>> {
        let name = root.name(path);
        let record = self.record()?;
        // A group stands for the last of its changes to this file.
        let changes = match record.change(&ChangeId(at.to_owned())).await? {
            Some(change) => vec![change],
            None => record.group(&GroupId(at.to_owned())).await?,
        };
        if changes.is_empty() {
            return Err(Error::NoSuchChange(at.to_owned()));
        }
        let is_of = |change: &Change| {
            change.place == root.key.place && (change.path == *path || change.new_path.as_ref() == Some(path))
        };
        let change = changes.into_iter().rfind(is_of);
        let change = change.ok_or_else(|| Error::OtherFile { id: at.to_owned(), path: name.clone() })?;
        let was_here = change.new_path.as_ref().unwrap_or(&change.path) == path;
        match change.after.filter(|_| was_here) {
            Some(digest) => Ok(Some(record.image(&digest).await?.ok_or(Error::Expired { path: name })?)),
            None => Ok(None),
        }
    }
}
