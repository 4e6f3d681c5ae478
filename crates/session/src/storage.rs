//! Port: the places in which files of workspaces lie.
//!
//! Owns what a place gives ([`Ground`]) and the place that every home has ([`Disk`]).
//! Never speaks to a network: places elsewhere are opened by `cli`.

use crate::{Error, Result};
use async_trait::async_trait;
use loci_domain::form::Bad;
use loci_domain::workspace::{Storage, namespace};
use loci_ledger::LOCAL;
use loci_store::local::{Local, Modes};
use loci_store::lock::FileLock;
use loci_store::{Backend, Lock};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the files of one workspace lie on.
#[derive(Clone)]
pub struct Ground {
    /// The files.
    pub backend: Arc<dyn Backend>,
    /// What serialises their writers.
    pub lock: Arc<dyn Lock>,
    /// Where they lie on this machine's disk, for commands that run in them; `None` = they lie elsewhere.
    pub folder: Option<PathBuf>,
}

/// The places that this process can reach.
///
/// - Opening asks nobody: it happens when a record is made, and for every call.
/// - A place that cannot be opened is [`Error::Form`], with the field of the record that is to blame.
/// - Files of two workspaces never mix, wherever they lie.
#[async_trait]
pub trait Storages: Send + Sync {
    /// Opens the place of a workspace.
    fn open(&self, account: &str, id: &str, storage: &Storage) -> Result<Ground>;

    /// Takes all files of a workspace away, with its folder. Called only while the ground's lock is held. What is not
    /// known to be there is not known to be gone: an answer that does not come is an error.
    async fn clear(&self, account: &str, id: &str, storage: &Storage) -> Result<()>;
}

/// The home's own disk, and nothing else.
pub struct Disk {
    home: PathBuf,
}

impl Disk {
    /// Workspaces of this home.
    pub fn new(home: PathBuf) -> Disk {
        Disk { home }
    }
}

#[async_trait]
impl Storages for Disk {
    fn open(&self, account: &str, id: &str, storage: &Storage) -> Result<Ground> {
        if *storage != Storage::Local {
            return Err(Error::Form(Bad::new("config.storage.provider", "can only be local here")));
        }
        let inside: &[&str] = match account {
            LOCAL => &["workspaces", id],
            other => &["accounts", other, "workspaces", id],
        };
        let lock = format!("{}.lock", &namespace(account, id)[..19]);
        Ok(Ground {
            backend: Arc::new(Local::new(self.home.clone(), inside, Modes::Private)),
            lock: Arc::new(FileLock::File(self.home.join("locks").join(lock))),
            folder: Some(inside.iter().fold(self.home.clone(), |folder, name| folder.join(name))),
        })
    }

    async fn clear(&self, account: &str, id: &str, storage: &Storage) -> Result<()> {
        match self.open(account, id, storage)?.folder {
            Some(folder) => offload(move || remove_folder(&folder)).await,
            None => Ok(()),
        }
    }
}

/// Removes a folder with all that is in it, links as links; the missing is gone already.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(loci_store::Error::io(error).into()),
        _ => Ok(()),
    }
}

/// Work that blocks, where it blocks nobody.
pub(crate) async fn offload<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|lost| Error::File(lost.to_string()))?
}
