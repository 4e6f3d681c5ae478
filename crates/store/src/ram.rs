//! A folder in memory: for tests of everything above the store.
//!
//! Keeps the whole contract of [`Backend`]; links and odd nodes cannot occur in it.

use crate::backend::{Backend, Blob, Care, Expect, Listing, Meta, Node, Show};
use crate::lock::{Guard, Held, Lock};
use crate::{Error, Result};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Files in memory, with their own lock.
#[derive(Clone, Default)]
pub struct Ram {
    files: Arc<Mutex<Files>>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct Files {
    written: u64,
    by_path: BTreeMap<EntryPath, Blob>,
}

impl Ram {
    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Files {
    fn is_folder(&self, path: &EntryPath) -> bool {
        self.by_path.keys().any(|file| file != path && file.is_within(path))
    }

    fn way_is_free(&self, path: &EntryPath) -> Result<()> {
        let mut parent = path.parent();
        while let Some(folder) = parent {
            if self.by_path.contains_key(&folder) {
                return Err(Error::InTheWay);
            }
            parent = folder.parent();
        }
        Ok(())
    }

    fn meta(&mut self, bytes: u64) -> Meta {
        self.written += 1;
        Meta { node: Node::File, bytes, modified: Timestamp::now(), stamp: self.written.to_string() }
    }
}

fn folder() -> Meta {
    Meta { node: Node::Folder, bytes: 0, modified: Timestamp::UNIX_EPOCH, stamp: String::new() }
}

#[async_trait]
impl Backend for Ram {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        let files = self.files();
        Ok(match path {
            None => (!files.by_path.is_empty()).then(folder),
            Some(path) => match files.by_path.get(path) {
                Some(blob) => Some(blob.meta.clone()),
                None => files.is_folder(path).then(folder),
            },
        })
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        let files = self.files();
        match files.by_path.get(path) {
            Some(blob) if blob.meta.bytes > limit => Err(Error::TooLarge { bytes: blob.meta.bytes, limit }),
            Some(blob) => Ok(Some(blob.clone())),
            None if files.is_folder(path) => Err(Error::Folder),
            None => Ok(None),
        }
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, _: Care) -> Result<Meta> {
        let mut files = self.files();
        files.way_is_free(path)?;
        let now = files.by_path.get(path).map(|blob| Digest::of(&blob.bytes));
        match expect {
            Expect::Absent if now.is_some() || files.is_folder(path) => return Err(Error::Exists),
            Expect::Is(_) | Expect::Anything if files.is_folder(path) => return Err(Error::Folder),
            Expect::Is(digest) if now != Some(digest) => return Err(Error::Changed { now }),
            Expect::Absent | Expect::Is(_) | Expect::Anything => {}
        }
        let bytes = bytes.as_bytes().to_vec();
        let meta = files.meta(bytes.len() as u64);
        files.by_path.insert(path.clone(), Blob { bytes, meta: meta.clone() });
        Ok(meta)
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        self.files().by_path.retain(|file, _| !file.is_within(path));
        Ok(())
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        let mut files = self.files();
        if to != from && to.is_within(from) {
            return Err(Error::IntoItself);
        }
        let moving: Vec<EntryPath> = files.by_path.keys().filter(|file| file.is_within(from)).cloned().collect();
        if moving.is_empty() {
            return Err(Error::Missing);
        }
        if files.by_path.contains_key(to) || files.is_folder(to) {
            return Err(Error::Exists);
        }
        files.way_is_free(to)?;
        for path in moving {
            if let (Some(target), Some(blob)) = (path.moved(from, to), files.by_path.remove(&path)) {
                files.by_path.insert(target, blob);
            }
        }
        Ok(())
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        let files = self.files();
        let mut listing = Listing { complete: true, ..Listing::default() };
        for (path, blob) in &files.by_path {
            let inside = under.is_none_or(|under| path != under && path.is_within(under));
            if !inside || (show == Show::Visible && path.is_hidden()) {
                continue;
            }
            if listing.files.len() >= limit {
                listing.complete = false;
                break;
            }
            listing.files.push((path.clone(), blob.meta.clone()));
            let mut folder = path.parent();
            while let Some(path) =
                folder.filter(|path| under.is_none_or(|under| path != under && path.is_within(under)))
            {
                if !listing.folders.contains(&path) {
                    listing.folders.push(path.clone());
                }
                folder = path.parent();
            }
        }
        listing.folders.sort();
        Ok(listing)
    }

    async fn sweep(&self, _: Option<&EntryPath>) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl Guard for tokio::sync::OwnedMutexGuard<()> {}

#[async_trait]
impl Lock for Ram {
    async fn hold(&self) -> Result<Held> {
        Ok(Held::new(Arc::clone(&self.lock).lock_owned().await))
    }

    async fn try_hold(&self) -> Result<Option<Held>> {
        Ok(Arc::clone(&self.lock).try_lock_owned().ok().map(Held::new))
    }
}
