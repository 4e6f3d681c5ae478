//! A folder on another machine, by the user's own `ssh`.
//!
//! Owns the way there ([`link`]), containment ([`jail`]), changes ([`write`]), walks ([`walk`]), the lock over there,
//! and what a folder is part of ([`survey`]).
//! Never runs a command on the other machine: SFTP only, where a name is a name, whatever signs are in it.
//! What it promises less than a local disk does: `docs/decisions/0032-remote.md`.
//! Start at [`Ssh`].

mod address;
mod jail;
mod link;
mod lock;
mod survey;
mod trouble;
mod walk;
mod write;

pub use address::{Address, SCHEME};
pub use lock::LockFile;
pub use survey::{Folder, Shared, Surveyed};

use async_trait::async_trait;
use jail::Jail;
use link::{Attempt, Link, Session};
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::{Backend, Blob, Care, Expect, Listing, Meta, Result, Show};
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use trouble::Work;
use write::Write;

/// What goes before the user's own configuration of ssh.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The private key; `None` = the user's own ssh decides.
    pub identity: Option<PathBuf>,
    /// The file of known hosts; `None` = the user's own ssh decides.
    pub known_hosts: Option<PathBuf>,
}

/// A root below the folder of an address.
#[derive(Clone)]
pub struct Ssh {
    link: Arc<Link>,
    inside: Arc<[String]>,
}

impl Ssh {
    /// The folder of the address itself. Connects when it is first used.
    pub fn new(address: Address, settings: &Settings) -> Result<Ssh> {
        Ok(Ssh { link: Arc::new(Link::new(address, settings)?), inside: Arc::new([]) })
    }

    /// A folder below it, over the same connection; it need not be there.
    pub fn inside(&self, segments: &[&str]) -> Ssh {
        let inside = self.inside.iter().cloned().chain(segments.iter().map(|segment| (*segment).to_owned()));
        Ssh { link: Arc::clone(&self.link), inside: inside.collect() }
    }

    /// The lock of all writers below the address.
    pub fn lock(&self) -> LockFile {
        LockFile::new(Arc::clone(&self.link))
    }

    /// The folder of the address over there, with all links in it resolved.
    pub async fn canonical(&self) -> Result<PathBuf> {
        self.link.run(|session: Arc<Session>, _| async move { Ok(session.anchor.clone()) }).await
    }

    async fn run<T, F, R>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(Jail, Attempt) -> R + Send + Sync + 'static,
        R: Future<Output = Work<T>> + Send + 'static,
    {
        let inside = Arc::clone(&self.inside);
        self.link.run(move |session, attempt| work(Jail { session, inside: Arc::clone(&inside) }, attempt)).await
    }
}

#[async_trait]
impl Backend for Ssh {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        let path = path.cloned();
        self.run(move |jail, _| {
            let path = path.clone();
            async move { jail.stat(path.as_ref()).await }
        })
        .await
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        let path = path.clone();
        self.run(move |jail, _| {
            let path = path.clone();
            async move { jail.read(&path, limit).await }
        })
        .await
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, care: Care) -> Result<Meta> {
        let (path, bytes) = (path.clone(), bytes.clone());
        self.run(move |jail, attempt| {
            let (path, bytes) = (path.clone(), bytes.clone());
            async move {
                let write = Write { path: &path, bytes: bytes.as_bytes(), expect, care, attempt };
                jail.write(write).await
            }
        })
        .await
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        let path = path.clone();
        self.run(move |jail, _| {
            let path = path.clone();
            async move { jail.remove(&path).await }
        })
        .await
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        let (from, to) = (from.clone(), to.clone());
        self.run(move |jail, attempt| {
            let (from, to) = (from.clone(), to.clone());
            async move { jail.rename(&from, &to, attempt).await }
        })
        .await
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        let under = under.cloned();
        self.run(move |jail, _| {
            let under = under.clone();
            async move { jail.list(under.as_ref(), show, limit).await }
        })
        .await
    }

    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()> {
        let folder = folder.cloned();
        self.run(move |jail, _| {
            let folder = folder.clone();
            async move { jail.sweep(folder.as_ref()).await }
        })
        .await
    }
}
