//! Files in memory whose every change is first told to a test, which may wait, look around, or refuse.

use async_trait::async_trait;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::ram::Ram;
use loci_store::{Backend, Blob, Care, Expect, Listing, Meta, Result, Show};
use std::pin::Pin;
use std::sync::Arc;

/// What is about to happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// New bytes.
    Write,
    /// It goes.
    Remove,
    /// It goes elsewhere.
    Rename,
}

type Answer = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// Files in memory with a hook before each change.
#[derive(Clone)]
pub struct Hooked {
    ram: Ram,
    hook: Arc<dyn Fn(Doing, EntryPath) -> Answer + Send + Sync>,
}

impl Hooked {
    /// These files, with this hook.
    pub fn new<F>(ram: &Ram, hook: impl Fn(Doing, EntryPath) -> F + Send + Sync + 'static) -> Hooked
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Hooked { ram: ram.clone(), hook: Arc::new(move |doing, path| Box::pin(hook(doing, path))) }
    }
}

#[async_trait]
impl Backend for Hooked {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        self.ram.stat(path).await
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        self.ram.read(path, limit).await
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, care: Care) -> Result<Meta> {
        (self.hook)(Doing::Write, path.clone()).await?;
        self.ram.write_if(path, bytes, expect, care).await
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        (self.hook)(Doing::Remove, path.clone()).await?;
        self.ram.remove(path).await
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        (self.hook)(Doing::Rename, from.clone()).await?;
        self.ram.rename(from, to).await
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        self.ram.list(under, show, limit).await
    }

    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()> {
        self.ram.sweep(folder).await
    }
}
