//! Files of a workspace that lies elsewhere, lent to one command: copied into a private folder, and what the command
//! changed is written back.
//!
//! Owns how much is lent, and that nobody's change is lost: every file is written over the very bytes that were lent, or
//! not at all. A file that somebody else changed meanwhile is a conflict, and stays as they left it.
//! Never writes below `memory/`, and never keeps a link. Folders without files and modes are not kept.
//! Start at [`Loan::take`].

mod changes;
mod folder;

use crate::files::Files;
use crate::storage::offload;
use crate::{Error, Result};
use folder::Folder;
use futures_util::future::join_all;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::{Backend, Care, Expect, Listing, Show};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that a command is lent at most, and how many it may leave.
const FILES: usize = 4000;
/// All their bytes.
const BYTES: u64 = 128 << 20;
/// Files that are under way at the same time.
const AT_ONCE: usize = 8;

/// What a command works on.
pub(crate) struct Loan {
    lent: BTreeMap<EntryPath, Digest>,
    folder: Folder,
}

/// What became of a command's changes; all that is not named here is in the workspace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Returned {
    /// Somebody else changed these meanwhile: they are as they left them.
    pub(crate) conflicts: Vec<EntryPath>,
    /// What a workspace does not keep: links, odd nodes and names, and files below `memory/`.
    pub(crate) refused: Vec<String>,
}

impl Loan {
    /// Copies all files into a folder of the home.
    pub(crate) async fn take(files: &Files, home: &Path) -> Result<Loan> {
        let listing = files.backend.list(None, Show::All, FILES).await?;
        if !listing.complete || bytes_of(&listing) > BYTES {
            return Err(too_much(
                "this workspace has more than bash can be lent",
                "use read, grep, glob, write and edit",
            ));
        }
        let within = home.join("loans");
        let mut loan = Loan { lent: BTreeMap::new(), folder: offload(move || Folder::make(&within)).await? };
        let (here, mut bytes) = (loan.folder.backend(), 0);
        for some in listing.files.chunks(AT_ONCE) {
            let read = join_all(some.iter().map(|(path, _)| files.backend.read(path, BYTES))).await;
            for ((path, _), blob) in some.iter().zip(read) {
                // What went since it was listed is not lent.
                let Some(blob) = blob? else { continue };
                bytes += blob.bytes.len() as u64;
                if bytes > BYTES {
                    return Err(too_much("this workspace grows beyond what bash can be lent", "try again later"));
                }
                loan.lent.insert(path.clone(), blob.digest());
                let copied = here.write_if(path, &Clean::kept(blob.bytes), Expect::Absent, Care::Derived).await;
                copied.map_err(|error| Error::File(format!("{path} cannot lie on this machine's disk: {error}")))?;
            }
        }
        Ok(loan)
    }

    /// Where the command runs.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.inside()
    }

    /// Writes back what changed; then the folder is gone. What was begun is ended, also when the caller hangs up.
    pub(crate) async fn give_back(self, files: &Files) -> Result<Returned> {
        let files = files.clone();
        let work = async move {
            let returned = match self.changes().await {
                Ok(changes) => changes.write(&self.folder.backend(), &files).await,
                Err(error) => Err(error),
            };
            self.end().await;
            returned
        };
        tokio::spawn(work).await.map_err(|lost| Error::File(lost.to_string()))?
    }

    /// Takes the folder away; nothing is written back.
    pub(crate) async fn end(self) {
        let _ = offload(move || {
            drop(self);
            Ok(())
        })
        .await;
    }
}

fn bytes_of(listing: &Listing) -> u64 {
    listing.files.iter().fold(0, |sum, (_, meta)| sum.saturating_add(meta.bytes))
}

fn too_much(what: &str, advice: &str) -> Error {
    Error::File(format!("{what}: {FILES} files and {} MiB at most where files lie elsewhere; {advice}", BYTES >> 20))
}

#[cfg(test)]
mod tests;
