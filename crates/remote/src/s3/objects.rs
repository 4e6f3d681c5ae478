//! What is asked of the bucket, one question at a time.
//!
//! Owns paths as keys, and the difference between "not there" and "no answer". Deletes only keys that it is given.

use super::{S3, fault, put};
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_domain::path::EntryPath;
use loci_store::{Error, Meta, Node, Result};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{GetOptions, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt, UpdateVersion};

/// The longest key that object stores take, in bytes.
const LONGEST: usize = 1024;

/// An object's facts.
pub(super) struct Seen {
    pub(super) meta: Meta,
    pub(super) version: UpdateVersion,
    /// Who wrote it: one id for each write.
    pub(super) writer: Option<String>,
}

impl Seen {
    fn of(found: &GetResult) -> Seen {
        let object = &found.meta;
        Seen {
            writer: found.attributes.get(&put::WRITER).map(|id| id.as_ref().to_owned()),
            version: UpdateVersion { e_tag: object.e_tag.clone(), version: object.version.clone() },
            meta: meta(object),
        }
    }

    /// What differs after every write, also one of the same bytes.
    pub(super) fn mark(&self) -> String {
        format!("{} {}", self.meta.stamp, self.writer.as_deref().unwrap_or_default())
    }
}

/// Whether a walk goes on.
#[derive(PartialEq, Eq)]
pub(super) enum Walk {
    On,
    Stop,
}

impl S3 {
    pub(super) fn key(&self, relative: &str) -> Result<Path> {
        let key = if self.root.is_empty() { relative.to_owned() } else { format!("{}/{relative}", self.root) };
        if key.len() > LONGEST {
            return Err(Error::refused(Fault::Invalid, "a name is too long for the object storage"));
        }
        Path::parse(key).map_err(|_| Error::refused(Fault::Invalid, "a name cannot be kept in the object storage"))
    }

    /// The prefix of all keys in a folder.
    pub(super) fn below(&self, folder: Option<&str>) -> String {
        let parts = [self.root.as_str(), folder.unwrap_or_default()];
        parts.iter().filter(|part| !part.is_empty()).map(|part| format!("{part}/")).collect()
    }

    /// What lies at a key; one request.
    pub(super) async fn look(&self, key: &Path) -> Result<Option<Seen>> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        match self.bucket.store.get_opts(key, options).await {
            Ok(found) => Ok(Some(Seen::of(&found))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fault::told(error)),
        }
    }

    /// An object with its bytes, which belong together.
    pub(super) async fn fetch(&self, key: &Path, limit: u64) -> Result<Option<(Vec<u8>, Seen)>> {
        let found = match self.bucket.store.get(key).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(fault::told(error)),
        };
        let seen = Seen::of(&found);
        if seen.meta.bytes > limit {
            return Err(Error::TooLarge { bytes: seen.meta.bytes, limit });
        }
        let bytes = found.bytes().await.map_err(fault::told)?.to_vec();
        if bytes.len() as u64 != seen.meta.bytes {
            return Err(Error::refused(Fault::Offline, "the object storage sent only a part of a file; try again"));
        }
        Ok(Some((bytes, seen)))
    }

    /// Goes through all objects below a prefix, page by page, until `each` says stop. A page that fails is an error.
    pub(super) async fn pages(&self, prefix: &str, mut each: impl FnMut(Vec<ObjectMeta>) -> Walk + Send) -> Result<()> {
        let mut token = None;
        loop {
            let options = PaginatedListOptions { page_token: token, ..PaginatedListOptions::default() };
            let prefix = (!prefix.is_empty()).then_some(prefix);
            let page = self.bucket.store.list_paginated(prefix, options).await.map_err(fault::told)?;
            token = page.page_token;
            if each(page.result.objects) == Walk::Stop || token.is_none() {
                return Ok(());
            }
        }
    }

    /// Whether an object of a listing is really there by that name: a marker `name/` is listed without its slash.
    pub(super) async fn is_object(&self, object: &ObjectMeta) -> Result<bool> {
        Ok(object.size > 0 || self.look(&object.location).await?.is_some())
    }

    pub(super) async fn is_folder(&self, folder: Option<&str>) -> Result<bool> {
        let mut empty = Vec::new();
        let mut found = false;
        let prefix = self.below(folder);
        self.pages(&prefix, |objects| {
            found = objects.iter().any(|object| object.size > 0);
            empty.extend(objects);
            if found || empty.len() > 10_000 { Walk::Stop } else { Walk::On }
        })
        .await?;
        for object in empty.iter().filter(|_| !found) {
            if self.is_object(object).await? {
                return Ok(true);
            }
        }
        Ok(found)
    }

    /// All keys of a folder, relative to it; an error when they cannot all be had.
    pub(super) async fn all_below(&self, folder: &str) -> Result<Vec<(String, ObjectMeta)>> {
        let prefix = self.below(Some(folder));
        let mut found = Vec::new();
        self.pages(&prefix, |objects| {
            found.extend(objects);
            Walk::On
        })
        .await?;
        let mut all = Vec::new();
        for object in found {
            if let Some(rest) = object.location.as_ref().strip_prefix(&prefix).map(str::to_owned)
                && self.is_object(&object).await?
            {
                all.push((rest, object));
            }
        }
        Ok(all)
    }

    /// Refuses a path that leads through a file.
    pub(super) async fn way_is_free(&self, path: &EntryPath) -> Result<()> {
        let mut above = Vec::new();
        let mut parent = path.parent();
        while let Some(folder) = parent {
            above.push(self.key(folder.as_str())?);
            parent = folder.parent();
        }
        let seen = try_join_all(above.iter().map(|key| self.look(key))).await?;
        if seen.iter().any(Option::is_some) { Err(Error::InTheWay) } else { Ok(()) }
    }

    /// Deletes all of them, also those behind one that cannot be deleted; what was gone already is fine.
    pub(super) async fn delete(&self, keys: Vec<Path>) -> Result<()> {
        let keys = stream::iter(keys.into_iter().map(Ok)).boxed();
        let (mut gone, mut first) = (0, None);
        let mut answers = self.bucket.store.delete_stream(keys);
        while let Some(answer) = answers.next().await {
            match answer {
                Err(error) if !fault::is_gone(&error) => first = first.or(Some(error)),
                _ => gone += 1,
            }
        }
        tracing::debug!(objects = gone, "deleted");
        first.map_or(Ok(()), |error| Err(fault::told(error)))
    }
}

pub(super) fn meta(object: &ObjectMeta) -> Meta {
    let (seconds, nanos) = (object.last_modified.timestamp(), object.last_modified.timestamp_subsec_nanos());
    let modified = Timestamp::new(seconds, nanos as i32).unwrap_or(Timestamp::UNIX_EPOCH);
    Meta { node: Node::File, bytes: object.size, modified, stamp: stamp(object.e_tag.as_deref(), seconds) }
}

/// The server's own mark of the bytes; listings and writes spell it alike but for the quotes.
pub(super) fn stamp(e_tag: Option<&str>, seconds: i64) -> String {
    e_tag.map_or_else(|| seconds.to_string(), |tag| tag.trim_matches('"').to_owned())
}
