//! What lies below the anchor on the other machine, each step of the way looked at before it is taken.
//!
//! SFTP has no way to open a file without following links, so every component is `lstat`'ed first and a link is refused.
//! A process on that machine that swaps a folder for a link in between is not covered (`docs/decisions/0032-remote.md`).

use super::link::Session;
use super::trouble::{Work, or_missing};
use bytes::BytesMut;
use futures_util::future::join_all;
use jiff::Timestamp;
use loci_domain::path::EntryPath;
use loci_store::backend::UNSETTLED;
use loci_store::{Blob, Error, Meta, Node, Result};
use openssh_sftp_client::file::File;
use openssh_sftp_client::metadata::MetaData;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One root on the other machine, over one connection.
#[derive(Clone)]
pub(super) struct Jail {
    pub session: Arc<Session>,
    pub inside: Arc<[String]>,
}

impl Jail {
    pub fn full(&self, path: Option<&EntryPath>) -> PathBuf {
        self.session.anchor.join(self.segments(path).collect::<PathBuf>())
    }

    pub fn segments<'p>(&'p self, path: Option<&'p EntryPath>) -> impl Iterator<Item = &'p str> {
        let inner = path.map_or("", EntryPath::as_str);
        self.inside.iter().map(String::as_str).chain(inner.split('/').filter(|segment| !segment.is_empty()))
    }

    /// What lies at a path; `None` when it or a folder above it is not there. All components are asked for at once.
    pub async fn node(&self, path: Option<&EntryPath>) -> Work<Option<MetaData>> {
        let mut here = self.session.anchor.clone();
        let mut steps = Vec::new();
        for segment in self.segments(path) {
            here.push(segment);
            steps.push(here.clone());
        }
        let looks = join_all(steps.iter().map(|step| async move {
            let mut fs = self.session.sftp.fs();
            or_missing(fs.symlink_metadata(step).await)
        }));
        let mut found = None;
        let last = steps.len();
        for (depth, look) in looks.await.into_iter().enumerate() {
            let Some(meta) = look? else { return Ok(None) };
            let kind = node(&meta);
            if matches!(kind, Err(Error::Link)) {
                return Err(Error::Link.into());
            }
            if depth + 1 == last {
                kind?;
            } else if !matches!(kind, Ok(Node::Folder)) {
                // Below a file there is nothing; but a file in place of the root itself is not an empty memory.
                let is_root = depth < self.inside.len();
                return if is_root { Err(Error::InTheWay.into()) } else { Ok(None) };
            }
            found = Some(meta);
        }
        match found {
            None if steps.is_empty() => Ok(Some(self.session.sftp.fs().symlink_metadata(&here).await?)),
            found => Ok(found),
        }
    }

    pub async fn stat(&self, path: Option<&EntryPath>) -> Work<Option<Meta>> {
        Ok(self.node(path).await?.map(|found| meta(&found)).transpose()?)
    }

    pub async fn read(&self, path: &EntryPath, limit: u64) -> Work<Option<Blob>> {
        match self.node(Some(path)).await? {
            None => return Ok(None),
            Some(found) if node(&found)? == Node::Folder => return Err(Error::Folder.into()),
            Some(_) => {}
        }
        let Some(mut file) = or_missing(self.session.sftp.open(self.full(Some(path))).await)? else { return Ok(None) };
        let meta = meta(&file.metadata().await?)?;
        if meta.bytes > limit {
            return Err(Error::TooLarge { bytes: meta.bytes, limit }.into());
        }
        let bytes = contents(&mut file, limit).await?;
        file.close().await?;
        if bytes.len() as u64 > limit {
            return Err(Error::TooLarge { bytes: bytes.len() as u64, limit }.into());
        }
        Ok(Some(Blob { bytes, meta }))
    }
}

/// All bytes of an open file, at most one more than `limit`.
pub(super) async fn contents(file: &mut File, limit: u64) -> Work<Vec<u8>> {
    const PIECE: u64 = 256 << 10;
    let mut bytes = Vec::new();
    loop {
        let wanted = (limit + 1).saturating_sub(bytes.len() as u64).min(PIECE) as u32;
        match file.read(wanted, BytesMut::with_capacity(wanted as usize)).await? {
            Some(piece) if !piece.is_empty() => bytes.extend_from_slice(&piece),
            _ => return Ok(bytes),
        }
    }
}

/// What kind of node it is; links and odd ones are refused.
pub(super) fn node(found: &MetaData) -> Result<Node> {
    match found.file_type() {
        Some(kind) if kind.is_symlink() => Err(Error::Link),
        Some(kind) if kind.is_dir() => Ok(Node::Folder),
        Some(kind) if kind.is_file() => Ok(Node::File),
        _ => Err(Error::Odd),
    }
}

/// A node's facts, as far as SFTP tells them: no inode, and times in whole seconds.
pub(super) fn meta(found: &MetaData) -> Result<Meta> {
    let node = node(found)?;
    let seconds = found.modified().map_or(0, |at| at.as_duration().as_secs() as i64);
    let modified = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    let bytes = found.len().unwrap_or_default();
    Ok(Meta { node, bytes, modified, stamp: stamp(bytes, seconds, Timestamp::now().as_second()) })
}

/// Size and second. A file that changed just now may change once more in that second without a trace, so its stamp gets
/// marks, another number of them at each look: no look repeats the one before.
///
/// "Just now" is ten seconds by our clock: the other machine's is not known, but seldom further off.
fn stamp(bytes: u64, changed: i64, now: i64) -> String {
    const SETTLED: i64 = 10;
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let mut stamp = format!("{bytes}:{changed}");
    if now - changed < SETTLED {
        let own = u64::from(std::process::id());
        let marks = 1 + (own + LOOKS.fetch_add(1, Ordering::Relaxed)) % 61;
        stamp.extend(std::iter::repeat_n(UNSETTLED, marks as usize));
    }
    stamp
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_that_was_taken_too_early_is_never_repeated() {
        let (first, second) = (stamp(3, 100, 101), stamp(3, 100, 101));
        assert_ne!(first, second);
        let settled = stamp(3, 100, 200);
        assert_eq!(settled, "3:100");
        let meta = Meta { node: Node::File, bytes: 3, modified: Timestamp::UNIX_EPOCH, stamp: settled };
        assert!(meta.settles(&first) && meta.settles(&second));
        assert!(!meta.settles("3:99?"));
    }
}
