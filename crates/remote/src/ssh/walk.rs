//! Bounded walks over folders on the other machine.

use super::jail::{Jail, meta, node};
use super::trouble::{Work, or_missing};
use crate::gather::{Gather, Name};
use futures_util::StreamExt;
use loci_domain::path::EntryPath;
use loci_store::{Error, Listing, Node, Show};

impl Jail {
    pub async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Work<Listing> {
        let mut gather = Gather::new(show, limit);
        match self.node(under).await? {
            Some(found) if node(&found)? == Node::Folder => {}
            _ => return Ok(gather.finish()),
        }
        let mut folders = vec![under.cloned()];
        while let Some(folder) = folders.pop() {
            if gather.is_full() {
                break;
            }
            self.one(folder.as_ref(), &mut gather, &mut folders).await?;
        }
        Ok(gather.finish())
    }

    /// One folder; the folders in it are put on the list.
    async fn one(&self, at: Option<&EntryPath>, gather: &mut Gather, folders: &mut Vec<Option<EntryPath>>) -> Work<()> {
        let full = self.full(at);
        // It may have gone since we read its name.
        let Some(folder) = or_missing(self.session.sftp.fs().open_dir(&full).await)? else { return Ok(()) };
        let mut entries = std::pin::pin!(folder.read_dir());
        while let Some(entry) = entries.next().await {
            let entry = entry?;
            let name = entry.filename();
            if matches!(name.to_str(), Some("." | "..")) {
                continue;
            }
            let relative = |name: &str| at.map_or_else(|| name.to_owned(), |at| format!("{at}/{name}"));
            let Some(text) = name.to_str() else {
                gather.nameless(&relative(&name.to_string_lossy()));
                continue;
            };
            let relative = relative(text);
            let Name::Shown(path) = gather.name(&relative) else { continue };
            let found = match entry.file_type() {
                Some(_) => entry.metadata(),
                // A server that tells no kinds in its lists.
                None => match or_missing(self.session.sftp.fs().symlink_metadata(full.join(name)).await)? {
                    Some(found) => found,
                    None => continue,
                },
            };
            match meta(&found) {
                Ok(meta) if meta.node == Node::Folder => {
                    gather.folder(path.clone());
                    folders.push(Some(path));
                }
                Ok(meta) => gather.file(path, meta),
                Err(Error::Link | Error::Odd) => gather.refuse(&relative),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
