//! Changes that happen wholly or not at all, as far as SFTP can.
//!
//! A file is written beside its place, made durable where the server can do that, and renamed over it. A new file is put
//! in place by a hard link, which fails when the name is taken. SFTP cannot make a folder's entries durable.
//! Names of unfinished work start with `.loci-`, so a listing sees them and a sweep can take them away.

use super::jail::{Jail, meta, node};
use super::link::Attempt;
use super::trouble::{Trouble, Work, or_missing};
use crate::gather::UNFINISHED;
use futures_util::StreamExt;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_store::backend::CUT_OFF;
use loci_store::{Care, Error, Expect, Meta, Node};
use openssh_sftp_client::metadata::Permissions;
use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use ulid::Ulid;

/// What is read at most to compare a digest: nothing of ours is near it.
const LARGEST: u64 = 256 << 20;

pub(super) struct Write<'a> {
    pub path: &'a EntryPath,
    pub bytes: &'a [u8],
    pub expect: Expect,
    pub care: Care,
    pub attempt: Attempt,
}

/// What is to be done about a write.
enum Verdict {
    /// It is to be written, with these permissions.
    Go(Option<Permissions>),
    /// It was, before the connection broke off.
    Done(Meta),
}

impl Jail {
    pub async fn write(&self, write: Write<'_>) -> Work<Meta> {
        let mode = match self.judge(&write).await? {
            Verdict::Go(mode) => mode,
            Verdict::Done(meta) => return Ok(meta),
        };
        let made = self.make_folders(write.path.parent().as_ref()).await?;
        let written = self.place(&write, mode).await;
        if written.is_err() {
            self.unmake(&made).await;
        }
        written
    }

    async fn judge(&self, write: &Write<'_>) -> Work<Verdict> {
        let before = self.node(Some(write.path)).await?;
        let kind = before.as_ref().map(node).transpose()?;
        let ours = Digest::of(write.bytes);
        match (write.expect, kind) {
            (Expect::Absent, None) | (Expect::Anything, None | Some(Node::File)) => Ok(Verdict::Go(None)),
            (Expect::Absent, Some(Node::File)) if write.attempt == Attempt::Again => {
                match self.read(write.path, LARGEST).await? {
                    Some(blob) if blob.digest() == ours => Ok(Verdict::Done(blob.meta)),
                    _ => Err(Error::Exists.into()),
                }
            }
            (Expect::Absent, Some(_)) => Err(Error::Exists.into()),
            (Expect::Anything | Expect::Is(_), Some(Node::Folder)) => Err(Error::Folder.into()),
            (Expect::Is(digest), _) => match self.read(write.path, LARGEST).await? {
                Some(blob) if blob.digest() == digest => {
                    Ok(Verdict::Go(before.and_then(|before| before.permissions())))
                }
                Some(blob) if write.attempt == Attempt::Again && blob.digest() == ours => Ok(Verdict::Done(blob.meta)),
                blob => Err(Error::Changed { now: blob.map(|blob| blob.digest()) }.into()),
            },
        }
    }

    async fn place(&self, write: &Write<'_>, mode: Option<Permissions>) -> Work<Meta> {
        let target = self.full(Some(write.path));
        let mut fs = self.session.sftp.fs();
        let temporary = match write.care {
            Care::Durable => target.with_file_name(format!("{UNFINISHED}{}.tmp", Ulid::generate())),
            Care::Derived => {
                // One name, under the root's lock, so that the next process sees at a glance what a crash left.
                let temporary = target.with_file_name(CUT_OFF);
                or_missing(fs.remove_file(&temporary).await)?;
                temporary
            }
        };
        let placed = match self.fill(&temporary, write, mode).await {
            Ok(meta) if write.expect == Expect::Absent => self.link(&temporary, &target).await.map(|()| meta),
            Ok(meta) => fs.rename(&temporary, &target).await.map(|()| meta).map_err(Trouble::from),
            Err(trouble) => Err(trouble),
        };
        if placed.is_err() {
            let _ = fs.remove_file(&temporary).await;
        }
        placed
    }

    async fn fill(&self, temporary: &Path, write: &Write<'_>, mode: Option<Permissions>) -> Work<Meta> {
        let mut file = self.session.sftp.options().write(true).create_new(true).open(temporary).await?;
        if let Some(mode) = mode {
            file.set_permissions(mode).await?;
        }
        file.write_all(write.bytes).await?;
        if write.care == Care::Durable && self.session.sftp.support_fsync() {
            file.sync_all().await?;
        }
        file.close().await?;
        // Of the name that only we know: the file is not in its place yet.
        let found = self.session.sftp.fs().symlink_metadata(temporary).await?;
        Ok(meta(&found)?)
    }

    /// Gives a finished file its name, if nothing has it.
    async fn link(&self, temporary: &Path, target: &Path) -> Work<()> {
        let mut fs = self.session.sftp.fs();
        if self.session.sftp.support_hardlink() {
            match fs.hard_link(temporary, target).await.map_err(Trouble::from) {
                Ok(()) => {
                    // A crash before this leaves a second name, which is swept.
                    let _ = fs.remove_file(temporary).await;
                    return Ok(());
                }
                Err(Trouble::Lost) => return Err(Trouble::Lost),
                Err(Trouble::Told(_)) => {}
            }
        }
        // Taken, or a file system without hard links.
        match or_missing(fs.symlink_metadata(target).await)? {
            Some(_) => Err(Error::Exists.into()),
            None => Ok(fs.rename(temporary, target).await?),
        }
    }

    /// Makes a folder with its parents where missing; answers what was made, outermost first.
    pub async fn make_folders(&self, folder: Option<&EntryPath>) -> Work<Vec<PathBuf>> {
        let mut here = self.session.anchor.clone();
        let mut made = Vec::new();
        for segment in self.segments(folder) {
            here.push(segment);
            match self.make_folder(&here).await {
                Ok(true) => made.push(here.clone()),
                Ok(false) => {}
                Err(trouble) => {
                    self.unmake(&made).await;
                    return Err(trouble);
                }
            }
        }
        Ok(made)
    }

    /// True when it was not there.
    async fn make_folder(&self, folder: &Path) -> Work<bool> {
        let mut fs = self.session.sftp.fs();
        let is_folder = |found: &_| match node(found) {
            Ok(Node::Folder) => Ok(false),
            Ok(Node::File) | Err(Error::Odd) => Err(Trouble::Told(Error::InTheWay)),
            Err(error) => Err(Trouble::Told(error)),
        };
        if let Some(found) = or_missing(fs.symlink_metadata(folder).await)? {
            return is_folder(&found);
        }
        match fs.create_dir(folder).await.map_err(Trouble::from) {
            Ok(()) => Ok(true),
            // Somebody was first.
            Err(Trouble::Told(error)) => match or_missing(fs.symlink_metadata(folder).await)? {
                Some(found) => is_folder(&found),
                None => Err(error.into()),
            },
            Err(lost) => Err(lost),
        }
    }

    async fn unmake(&self, made: &[PathBuf]) {
        for folder in made.iter().rev() {
            let _ = self.session.sftp.fs().remove_dir(folder).await;
        }
    }

    pub async fn remove(&self, path: &EntryPath) -> Work<()> {
        if self.node(Some(path)).await?.is_none() {
            return Ok(());
        }
        // One rename takes a whole folder away; a crash after it leaves only what a sweep removes.
        let target = self.full(Some(path));
        let gone = target.with_file_name(format!("{UNFINISHED}{}.gone", Ulid::generate()));
        if or_missing(self.session.sftp.fs().rename(&target, &gone).await)?.is_some() {
            // It is gone for good; what cannot be cleared now is swept later.
            let _ = self.clear(gone).await;
        }
        Ok(())
    }

    pub async fn rename(&self, from: &EntryPath, to: &EntryPath, attempt: Attempt) -> Work<()> {
        if to != from && to.is_within(from) {
            return Err(Error::IntoItself.into());
        }
        let (source, target) = (self.node(Some(from)).await?, self.node(Some(to)).await?);
        match (source.is_some(), target.is_some()) {
            (false, true) if attempt == Attempt::Again => return Ok(()),
            (false, _) => return Err(Error::Missing.into()),
            (true, true) => return Err(Error::Exists.into()),
            (true, false) => {}
        }
        let made = self.make_folders(to.parent().as_ref()).await?;
        let moved = self.session.sftp.fs().rename(self.full(Some(from)), self.full(Some(to))).await;
        if moved.is_err() {
            self.unmake(&made).await;
        }
        Ok(moved?)
    }

    pub async fn sweep(&self, folder: Option<&EntryPath>) -> Work<()> {
        match self.node(folder).await? {
            Some(found) if node(&found)? == Node::Folder => {}
            _ => return Ok(()),
        }
        let folder = self.full(folder);
        for name in self.names(&folder).await? {
            if name.to_string_lossy().starts_with(UNFINISHED) {
                self.clear(folder.join(name)).await?;
            }
        }
        Ok(())
    }

    /// The names in a folder.
    async fn names(&self, folder: &Path) -> Work<Vec<OsString>> {
        let mut entries = std::pin::pin!(self.session.sftp.fs().open_dir(folder).await?.read_dir());
        let mut names = Vec::new();
        while let Some(entry) = entries.next().await {
            let name = entry?.filename().as_os_str().to_owned();
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Removes a file, a link, or a folder with all that is in it; links are removed, never followed.
    fn clear(&self, path: PathBuf) -> Pin<Box<dyn Future<Output = Work<()>> + Send + '_>> {
        Box::pin(async move {
            let mut fs = self.session.sftp.fs();
            let Some(found) = or_missing(fs.symlink_metadata(&path).await)? else { return Ok(()) };
            if !matches!(node(&found), Ok(Node::Folder)) {
                return or_missing(fs.remove_file(&path).await).map(drop);
            }
            for name in self.names(&path).await? {
                self.clear(path.join(name)).await?;
            }
            or_missing(fs.remove_dir(&path).await).map(drop)
        })
    }
}
