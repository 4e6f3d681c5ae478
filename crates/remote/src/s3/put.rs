//! Writes that happen only if nobody else's write is lost by them.
//!
//! Every write has an id of its own in the object's metadata. So when an answer is lost on the way and the retry finds the
//! key taken, a look at the object tells whether it was us.

use super::fault::{self, is_conflict, is_unsure};
use super::objects::stamp;
use super::{LARGEST, S3};
use bytes::Bytes;
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::path::EntryPath;
use loci_store::{Error, Expect, Meta, Node, Result};
use object_store::path::Path;
use object_store::{Attribute, Attributes, ObjectStore, PutMode, PutOptions, PutPayload, UpdateVersion};
use std::borrow::Cow;
use std::time::Duration;
use ulid::Ulid;

/// Where a write's id is kept.
pub(super) const WRITER: Attribute = Attribute::Metadata(Cow::Borrowed("loci-write"));
/// How often a write is tried, over and above what the library tries for itself.
const TRIES: u32 = 3;

/// How a conditional write ended.
pub(super) enum Put {
    Done(Meta),
    /// Something else is there, or nothing is any more.
    Conflict,
}

pub(super) async fn write(place: &S3, path: &EntryPath, bytes: &[u8], expect: Expect) -> Result<Meta> {
    let key = place.key(path.as_str())?;
    place.way_is_free(path).await?;
    let bytes = Bytes::copy_from_slice(bytes);
    match expect {
        Expect::Absent => {
            if place.is_folder(Some(path.as_str())).await? {
                return Err(Error::Exists);
            }
            match put(place, &key, bytes, PutMode::Create, &fresh()).await? {
                Put::Done(meta) => Ok(meta),
                Put::Conflict => Err(Error::Exists),
            }
        }
        Expect::Is(digest) => {
            let Some((before, seen)) = place.fetch(&key, LARGEST).await? else {
                let folder = place.is_folder(Some(path.as_str())).await?;
                return Err(if folder { Error::Folder } else { Error::Changed { now: None } });
            };
            let now = Digest::of(&before);
            if now != digest {
                return Err(Error::Changed { now: Some(now) });
            }
            match put(place, &key, bytes, PutMode::Update(seen.version), &fresh()).await? {
                Put::Done(meta) => Ok(meta),
                Put::Conflict => {
                    let now = place.fetch(&key, LARGEST).await?;
                    Err(Error::Changed { now: now.map(|(bytes, _)| Digest::of(&bytes)) })
                }
            }
        }
        Expect::Anything => {
            for _ in 0..TRIES {
                let mode = match place.look(&key).await? {
                    Some(seen) => PutMode::Update(seen.version),
                    None if place.is_folder(Some(path.as_str())).await? => return Err(Error::Folder),
                    None => PutMode::Create,
                };
                if let Put::Done(meta) = put(place, &key, bytes.clone(), mode, &fresh()).await? {
                    return Ok(meta);
                }
            }
            Err(Error::Busy)
        }
    }
}

pub(super) fn fresh() -> String {
    Ulid::generate().to_string()
}

/// One conditional write under an id.
pub(super) async fn put(place: &S3, key: &Path, bytes: Bytes, mode: PutMode, id: &str) -> Result<Put> {
    place.bucket.keeps_conditions.get_or_try_init(|| probe(place)).await?;
    let size = bytes.len() as u64;
    for attempt in 1..=TRIES {
        let answer = place.bucket.store.put_opts(key, bytes.clone().into(), options(mode.clone(), id)).await;
        match answer {
            Ok(put) => {
                let modified = Timestamp::now();
                let stamp = stamp(put.e_tag.as_deref(), modified.as_second());
                return Ok(Put::Done(Meta { node: Node::File, bytes: size, modified, stamp }));
            }
            Err(error) if is_conflict(&error) => match place.look(key).await? {
                Some(seen) if seen.writer.as_deref() == Some(id) => return Ok(Put::Done(seen.meta)),
                // Two creations at once can both be told to try again.
                None if matches!(mode, PutMode::Create) && attempt < TRIES => {}
                _ => return Ok(Put::Conflict),
            },
            // It may have happened: the same condition and the same id tell, when it is tried again.
            Err(error) if is_unsure(&error) && attempt < TRIES => {}
            Err(error) => return Err(fault::told(error)),
        }
        tokio::time::sleep(Duration::from_millis(100) * attempt).await;
    }
    Ok(Put::Conflict)
}

/// Tries whether this server refuses what it must: one that takes every write would let writers overwrite each other.
async fn probe(place: &S3) -> Result<()> {
    let key = place.key(&format!("{}probe-{}", crate::gather::UNFINISHED, fresh()))?;
    let store = &place.bucket.store;
    let put = |mode: PutMode| store.put_opts(&key, PutPayload::from_static(b"probe"), options(mode, "probe"));
    match put(PutMode::Create).await {
        Err(error) if !is_conflict(&error) => return Err(fault::told(error)),
        _ => {}
    }
    let stale = UpdateVersion { e_tag: Some(format!("\"{}\"", "0".repeat(32))), version: None };
    let mut kept = true;
    for mode in [PutMode::Create, PutMode::Update(stale)] {
        match put(mode).await {
            Ok(_) => kept = false,
            Err(error) if is_conflict(&error) => {}
            Err(error) => return Err(fault::told(error)),
        }
    }
    place.delete(vec![key.clone()]).await?;
    if kept { Ok(()) } else { Err(Error::refused(Fault::Offline, fault::NO_CONDITIONS)) }
}

fn options(mode: PutMode, id: &str) -> PutOptions {
    let attributes = Attributes::from_iter([(WRITER, id.to_owned())]);
    PutOptions { mode, attributes, ..PutOptions::default() }
}
