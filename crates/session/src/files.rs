//! The files of a workspace: listed, read, written, renamed and removed, by their version.
//!
//! Owns paths (relative, by the grammar of memory's own), sizes, and one writer at a time across processes.
//! Wherever they lie: the workspace's record says it, and [`crate::Storages`] opens it.
//! Never writes below `memory/`: that folder is Loci's memory scope of the workspace, and has its own doors.
//! Start at [`Runtime::files`].

use crate::storage::Ground;
use crate::{Error, Hall, Result, Runtime};
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::path::{EntryPath, LONGEST_NAME};
use loci_domain::secrets::{self, Clean, Policy};
use loci_domain::workspace::Storage;
use loci_ledger::Holding;
use loci_store::{Backend, Care, Expect, Lock, Node, Show};
use std::path::PathBuf;
use std::sync::Arc;

/// Files that a listing shows.
pub const LISTED: usize = 10_000;
/// The folder that is Loci's.
pub(crate) const MEMORY: &str = "memory";

/// A file in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where.
    pub path: String,
    /// How large.
    pub bytes: u64,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A file's text and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// All of it.
    pub content: String,
    /// Its version.
    pub digest: Digest,
}

/// The files of one workspace.
#[derive(Clone)]
pub struct Files {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) lock: Arc<dyn Lock>,
    /// Where they lie on this machine, for commands that run in them; `None` = elsewhere.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) largest: u64,
}

/// Checks a path of a workspace.
pub fn path(given: &str) -> Result<EntryPath> {
    let path = EntryPath::parse(given)?;
    if path.is_hidden() {
        return Err(Error::Path("a name that starts with a dot would be ignored".to_owned()));
    }
    if path.segments().any(|segment| segment.len() > LONGEST_NAME) {
        return Err(Error::Path(format!("a name is longer than {LONGEST_NAME} bytes")));
    }
    Ok(path)
}

impl Runtime {
    /// The files of a workspace of an account.
    pub async fn files(&self, account: &str, id: &str) -> Result<Files> {
        self.files_of(account, id, &self.workspace(account, id).await?.storage)
    }

    /// The same for a workspace whose record was just read.
    pub(crate) fn files_of(&self, account: &str, id: &str, storage: &Storage) -> Result<Files> {
        let Ground { backend, lock, folder } =
            self.storages().open(account, id, storage).map_err(|error| match error {
                // The record was fine when it was made; what is missing now is not the caller's fault.
                Error::Form(bad) => {
                    let text = format!("the files of this workspace cannot be reached: {bad}");
                    loci_store::Error::refused(Fault::Offline, text).into()
                }
                other => other,
            })?;
        Ok(Files { backend, lock, folder, largest: self.settings().file_bytes })
    }

    /// Removes a workspace: its files first, then what the ledger knows of its memory, then the record.
    pub async fn remove_workspace(&self, account: &str, id: &str) -> Result<()> {
        let storage = self.workspace(account, id).await?.storage;
        let files = self.files_of(account, id, &storage)?;
        {
            let _held = files.lock.hold().await?;
            self.storages().clear(account, id, &storage).await?;
        }
        let memory = self.halls().open(&Hall::of_tasks(account, id, &storage));
        if let Ok(root) = memory.store().root(Some(loci_domain::scope::Scope::Workspace)) {
            self.ledger().drop_root(&root.key).await?;
        }
        self.remove(Holding::Workspace, account, id).await
    }
}

impl Files {
    /// All files in byte order of their paths; `false` = there are more.
    pub async fn list(&self) -> Result<(Vec<Row>, bool)> {
        let listing = self.backend.list(None, Show::Visible, LISTED).await?;
        let row = |(path, meta): (EntryPath, loci_store::Meta)| Row {
            path: path.as_str().to_owned(),
            bytes: meta.bytes,
            updated_at: meta.modified,
        };
        Ok((listing.files.into_iter().map(row).collect(), listing.complete))
    }

    /// A file's text.
    pub async fn read(&self, path: &EntryPath) -> Result<Option<Text>> {
        let Some(blob) = self.backend.read(path, self.largest).await? else { return Ok(None) };
        let digest = blob.digest();
        let content = String::from_utf8(blob.bytes).map_err(|_| Error::NotText)?;
        if content.contains('\0') {
            return Err(Error::NotText);
        }
        Ok(Some(Text { content, digest }))
    }

    /// Writes a file, if what is there is what is expected.
    pub async fn write(&self, path: &EntryPath, content: String, expect: Expect) -> Result<Digest> {
        ours(path)?;
        if content.contains('\0') {
            return Err(Error::NotText);
        }
        if content.len() as u64 > self.largest {
            return Err(Error::TooLarge { bytes: content.len() as u64, limit: self.largest });
        }
        let digest = Digest::of(content.as_bytes());
        let _held = self.lock.hold().await?;
        match self.backend.write_if(path, &kept(content)?, expect, Care::Durable).await {
            Ok(_) => Ok(digest),
            // Whoever did not expect a file is told which one is there.
            Err(loci_store::Error::Changed { .. } | loci_store::Error::Exists) => {
                let now = self.backend.read(path, self.largest).await?.map(|blob| blob.digest());
                Err(Error::Conflict { now })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Moves a file; one that is in the way is a conflict.
    pub async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        ours(from)?;
        ours(to)?;
        let _held = self.lock.hold().await?;
        if self.backend.stat(Some(from)).await?.is_none() {
            return Err(gone(from));
        }
        if let Some(there) = self.backend.stat(Some(to)).await? {
            let now = match there.node {
                Node::File => self.backend.read(to, self.largest).await?.map(|blob| blob.digest()),
                Node::Folder => None,
            };
            return Err(Error::Occupied { now });
        }
        Ok(self.backend.rename(from, to).await?)
    }

    /// Removes a file; with a version, only that one.
    pub async fn remove(&self, path: &EntryPath, expected: Option<Digest>) -> Result<()> {
        ours(path)?;
        let _held = self.lock.hold().await?;
        let there = self.backend.stat(Some(path)).await?;
        if let Some(expected) = expected {
            let now = match &there {
                None => None,
                Some(_) => self.backend.read(path, self.largest).await?.map(|blob| blob.digest()),
            };
            if now != Some(expected) {
                return Err(Error::Conflict { now });
            }
        }
        match there.map(|there| there.node) {
            None => Err(gone(path)),
            Some(Node::Folder) => Err(Error::File("it is a folder; remove its files one by one".to_owned())),
            Some(Node::File) => Ok(self.backend.remove(path).await?),
        }
    }
}

/// Files of a workspace are the agents' own, and no memory: nobody screens them.
fn kept(content: String) -> Result<Clean> {
    secrets::screen(content, None, Policy::Allow).map_err(|refused| Error::File(refused.to_string()))
}

fn ours(path: &EntryPath) -> Result<()> {
    match path.segments().next() {
        Some(MEMORY) => Err(Error::Path(
            "memory/ holds Loci's documents of this workspace; change them by /workspaces/{id}/memory".to_owned(),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn gone(path: &EntryPath) -> Error {
    Error::Missing { what: "file", id: path.as_str().to_owned() }
}
