//! What a command changed, and how it gets into the workspace.
//!
//! Owns what counts as a change: only a listing that came to its end can tell that a file is gone.
//! What is written comes before what is removed, so that a file that was moved is there twice and never not at all.

use super::{AT_ONCE, BYTES, FILES, Loan, Returned, bytes_of, too_much};
use crate::files::{Files, MEMORY};
use crate::{Error, Result};
use futures_util::future::join_all;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::local::Local;
use loci_store::{Backend, Care, Error as Place, Expect, Show};
use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct Changes {
    written: Vec<(EntryPath, Expect)>,
    removed: Vec<(EntryPath, Digest)>,
    refused: Vec<String>,
}

impl Loan {
    /// Compares what is in the folder with what was lent.
    pub(super) async fn changes(&self) -> Result<Changes> {
        self.folder.open_up()?;
        let here = self.folder.backend();
        let listing = here.list(None, Show::All, FILES).await?;
        if !listing.complete || bytes_of(&listing) > BYTES {
            return Err(too_much("the command left more than can be kept", "nothing was kept"));
        }
        let mut changes = Changes { refused: listing.refused, ..Changes::default() };
        for (path, _) in &listing.files {
            let before = self.lent.get(path);
            if is_memory(path) {
                changes.refused.extend(before.is_none().then(|| path.to_string()));
                continue;
            }
            let Some(blob) = here.read(path, BYTES).await? else { continue };
            match before {
                Some(before) if *before == blob.digest() => {}
                Some(before) => changes.written.push((path.clone(), Expect::Is(*before))),
                None => changes.written.push((path.clone(), Expect::Absent)),
            }
        }
        let left: BTreeSet<&EntryPath> = listing.files.iter().map(|(path, _)| path).collect();
        for (path, digest) in self.lent.iter().filter(|(path, _)| !left.contains(path) && !is_memory(path)) {
            match here.stat(Some(path)).await {
                Ok(_) => changes.removed.push((path.clone(), *digest)),
                // Something that is not kept has taken its place; the file itself was not removed for nothing.
                Err(Place::Link | Place::Odd) => changes.refused.push(path.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(changes)
    }
}

impl Changes {
    /// Makes the same changes in the workspace, where it still is as it was lent.
    pub(super) async fn write(self, here: &Local, files: &Files) -> Result<Returned> {
        let Changes { written, removed, refused } = self;
        let mut returned = Returned { refused, ..Returned::default() };
        if written.is_empty() && removed.is_empty() {
            return Ok(returned);
        }
        let _held = files.lock.hold().await?;
        // A file where a folder was, or the other way round, has room only when the old one is gone.
        let waits = |path: &EntryPath| removed.iter().any(|(gone, _)| path.is_within(gone) || gone.is_within(path));
        let (later, first): (Vec<_>, Vec<_>) = written.into_iter().partition(|(path, _)| waits(path));
        let work = async {
            let mut conflicts = put(here, files, &first).await?;
            conflicts.extend(take(files, &removed).await?);
            conflicts.extend(put(here, files, &later).await?);
            Ok(conflicts)
        };
        returned.conflicts = work.await.map_err(|error: Error| {
            Error::File(format!("{error}; the command ran, but not all of its changes are in the workspace"))
        })?;
        Ok(returned)
    }
}

async fn put(here: &Local, files: &Files, written: &[(EntryPath, Expect)]) -> Result<Vec<EntryPath>> {
    let mut conflicts = Vec::new();
    for some in written.chunks(AT_ONCE) {
        let put = some.iter().map(|(path, expect)| async move {
            let Some(blob) = here.read(path, BYTES).await? else { return Ok(None) };
            // The agents' own, as every file of a workspace: nobody screens it.
            match files.backend.write_if(path, &Clean::kept(blob.bytes), *expect, Care::Durable).await {
                Ok(_) => Ok(None),
                Err(Place::Changed { .. } | Place::Exists | Place::InTheWay | Place::Folder) => Ok(Some(path.clone())),
                Err(error) => Err(error),
            }
        });
        for done in join_all(put).await {
            conflicts.extend(done?);
        }
    }
    Ok(conflicts)
}

async fn take(files: &Files, removed: &[(EntryPath, Digest)]) -> Result<Vec<EntryPath>> {
    let mut conflicts = Vec::new();
    for some in removed.chunks(AT_ONCE) {
        let take = some.iter().map(|(path, lent)| async move {
            match files.backend.read(path, BYTES).await {
                Ok(None) => Ok(None),
                Ok(Some(blob)) if blob.digest() == *lent => files.backend.remove(path).await.map(|()| None),
                Ok(Some(_)) | Err(Place::Folder | Place::TooLarge { .. } | Place::Link | Place::Odd) => {
                    Ok(Some(path.clone()))
                }
                Err(error) => Err(error),
            }
        });
        for done in join_all(take).await {
            conflicts.extend(done?);
        }
    }
    Ok(conflicts)
}

fn is_memory(path: &EntryPath) -> bool {
    path.segments().next() == Some(MEMORY)
}
