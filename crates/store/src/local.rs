//! A folder on this machine's disk.
//!
//! Owns containment (`jail`), atomic durable writes (`write`) and bounded walks (`walk`).
//! Never compares path strings to decide what is inside: every step is an `openat` below the step before.
//! Start at [`Local`]; the race that this must win is a process that swaps a folder for a link while we write.
//!
//! Invariant: path_cannot_escape. No call follows a link, so no name can lead outside.

mod generations;
mod jail;
mod spare;
mod stamp;
mod walk;
#[cfg(target_os = "linux")]
mod watch;
mod write;

pub use generations::Generations;
pub use spare::drop_spare;

#[cfg(target_os = "linux")]
use crate::backend::Watch;
use crate::backend::{Backend, Blob, Care, Expect, Listing, Meta, Node, Show};
use crate::{Error, Result};
use async_trait::async_trait;
use jail::Jail;
use jiff::Timestamp;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use rustix::fs::{AtFlags, FileType, Stat};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::{Handle, RuntimeFlavor};

/// Who may read what is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modes {
    /// Folders 0700 and files 0600, whatever the umask: a home.
    Private,
    /// The umask decides: a checkout.
    Umask,
}

/// A root below an anchor that is trusted as it is (the home, a checkout, a bare directory).
#[derive(Debug, Clone)]
pub struct Local {
    jail: Arc<Jail>,
}

impl Local {
    /// The folder `inside` below `anchor`. The anchor may be a link and is resolved here, once; nothing below it may be one.
    pub fn new(anchor: PathBuf, inside: &[&str], modes: Modes) -> Local {
        let anchor = std::fs::canonicalize(&anchor).unwrap_or(anchor);
        let inside = inside.iter().map(|segment| (*segment).to_owned()).collect();
        Local { jail: Arc::new(Jail { anchor, inside, modes }) }
    }

    /// [`Backend::stat`] on this very thread, for who does many of them in one go.
    pub(crate) fn stat_here(&self, path: &EntryPath) -> Result<Option<Meta>> {
        self.jail.stat(Some(path))
    }

    /// [`Backend::read`] on this very thread.
    pub(crate) fn read_here(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        self.jail.read(path, limit)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&Jail) -> Result<T> + Send + 'static) -> Result<T> {
        let jail = Arc::clone(&self.jail);
        offload(move || work(&jail)).await
    }
}

#[async_trait]
impl Backend for Local {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        let path = path.cloned();
        self.run(move |jail| jail.stat(path.as_ref())).await
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        let path = path.clone();
        self.run(move |jail| jail.read(&path, limit)).await
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, care: Care) -> Result<Meta> {
        let (path, bytes) = (path.clone(), bytes.clone());
        self.run(move |jail| write::write(jail, &path, bytes.as_bytes(), expect, care)).await
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        let path = path.clone();
        self.run(move |jail| write::remove(jail, &path)).await
    }

    async fn remove_empty(&self, folder: &EntryPath) -> Result<()> {
        let folder = folder.clone();
        self.run(move |jail| write::remove_empty(jail, &folder)).await
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        let (from, to) = (from.clone(), to.clone());
        self.run(move |jail| write::rename(jail, &from, &to)).await
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        let under = under.cloned();
        self.run(move |jail| walk::list(jail, under.as_ref(), show, limit)).await
    }

    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()> {
        let folder = folder.cloned();
        self.run(move |jail| write::sweep(jail, folder.as_ref())).await
    }

    #[cfg(target_os = "linux")]
    fn watch(&self) -> Option<Box<dyn Watch>> {
        Some(Box::new(watch::Notes::new(Arc::clone(&self.jail))?))
    }
}

/// Runs blocking work where it blocks nobody: inline in a one-threaded process, else on the blocking pool.
pub(crate) async fn offload<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => {
            tokio::task::spawn_blocking(work).await.map_err(|_| Error::Io("a file task was stopped".to_owned()))?
        }
        _ => work(),
    }
}

/// A node's facts from its `stat`; odd nodes are refused.
fn meta(stat: &Stat) -> Result<Meta> {
    let node = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Node::File,
        FileType::Directory => Node::Folder,
        FileType::Symlink => return Err(Error::Link),
        _ => return Err(Error::Odd),
    };
    let modified = Timestamp::new(stat.st_mtime, stat.st_mtime_nsec as i32).unwrap_or(Timestamp::UNIX_EPOCH);
    Ok(Meta { node, bytes: stat.st_size as u64, modified, stamp: stamp::of(stat) })
}

const NO_FOLLOW: AtFlags = AtFlags::SYMLINK_NOFOLLOW;
