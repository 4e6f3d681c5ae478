//! A folder in a bucket of an S3-compatible object store.
//!
//! Owns paths as keys, conditional writes ([`put`]) and renames that a crash cannot tear ([`moves`]).
//! Never writes without a condition, never deletes what it has not just seen, and never takes a failed answer for "absent".
//! Folders are implied: one is there as long as an object lies below it, and an empty one is not kept. Markers that other
//! tools make for folders (`name/`) are not seen. Why, and what else differs from a disk: `docs/decisions/0032-remote.md`.
//! Whoever deletes or renames holds the scope's lease: a conditional delete is not portable.
//! Start at [`S3`].

mod fault;
mod moves;
mod objects;
mod pace;
mod put;
mod settings;

pub use fault::is_no_bucket;
pub use settings::{SCHEME, Settings, environment};

use crate::gather::{Gather, Name};
use async_trait::async_trait;
use futures_util::future::try_join_all;
use jiff::Timestamp;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::backend::Watch;
use loci_store::{Backend, Blob, Care, Error, Expect, Listing, Meta, Node, Result, Show};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use objects::{Walk, meta};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// What is read at most to compare a digest: nothing of ours is near it.
const LARGEST: u64 = 256 << 20;
/// Requests that run side by side.
const AT_ONCE: usize = 8;

/// The objects below one prefix of a bucket.
#[derive(Clone)]
pub struct S3 {
    bucket: Arc<Bucket>,
    /// Without slashes at its ends; empty = the whole bucket.
    root: String,
}

struct Bucket {
    store: AmazonS3,
    /// Whether this server keeps conditions, asked before the first write.
    keeps_conditions: OnceCell<()>,
}

impl S3 {
    /// The place that the settings name, for who the environment names.
    pub fn open(settings: &Settings, environment: &[(String, String)]) -> Result<S3> {
        let settings = settings.clone().checked()?;
        let store = settings::client(&settings, environment)?;
        Ok(S3 { bucket: Arc::new(Bucket { store, keeps_conditions: OnceCell::new() }), root: settings.prefix })
    }

    /// A place of its own below this one, such as a workspace's namespace.
    pub fn within(&self, namespace: &EntryPath) -> S3 {
        let root = if self.root.is_empty() { namespace.to_string() } else { format!("{}/{namespace}", self.root) };
        S3 { bucket: Arc::clone(&self.bucket), root }
    }
}

#[async_trait]
impl Backend for S3 {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        if let Some(path) = path
            && let Some(seen) = self.look(&self.key(path.as_str())?).await?
        {
            return Ok(Some(seen.meta));
        }
        Ok(self.is_folder(path.map(EntryPath::as_str)).await?.then(folder))
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        match self.fetch(&self.key(path.as_str())?, limit).await? {
            Some((bytes, seen)) => Ok(Some(Blob { bytes, meta: seen.meta })),
            None if self.is_folder(Some(path.as_str())).await? => Err(Error::Folder),
            None => Ok(None),
        }
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, _: Care) -> Result<Meta> {
        put::write(self, path, bytes.as_bytes(), expect).await
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        // All of them are known before the first one goes: what a listing does not show is not taken for gone.
        let below = self.all_below(path.as_str()).await?;
        let mut keys: Vec<Path> = below.into_iter().map(|(_, object)| object.location).collect();
        let own = self.key(path.as_str())?;
        if self.look(&own).await?.is_some() {
            keys.push(own);
        }
        self.delete(keys).await
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        moves::rename(self, from, to).await
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        let mut gather = Gather::new(show, limit);
        let (prefix, root) = (self.below(under.map(EntryPath::as_str)), self.below(None));
        let mut empty = Vec::new();
        self.pages(&prefix, |objects| {
            for object in objects {
                let Some(relative) = object.location.as_ref().strip_prefix(&root) else { continue };
                if let Name::Shown(path) = gather.name(relative) {
                    if object.size == 0 {
                        empty.push((path, object));
                    } else {
                        gather.folders_of(&path, under);
                        gather.file(path, meta(&object));
                    }
                }
            }
            if gather.is_full() { Walk::Stop } else { Walk::On }
        })
        .await?;
        for some in empty.chunks(AT_ONCE) {
            let real = try_join_all(some.iter().map(|(_, object)| self.is_object(object))).await?;
            for ((path, object), _) in some.iter().zip(real).filter(|(_, real)| *real) {
                gather.folders_of(path, under);
                gather.file(path.clone(), meta(object));
            }
        }
        Ok(gather.finish())
    }

    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()> {
        moves::sweep(self, folder).await
    }

    fn watch(&self) -> Option<Box<dyn Watch>> {
        Some(Box::new(pace::Pace::default()))
    }
}

fn folder() -> Meta {
    Meta { node: Node::Folder, bytes: 0, modified: Timestamp::UNIX_EPOCH, stamp: String::new() }
}
