//! Port: the places in which files of workspaces lie.
//!
//! Owns what a place gives ([`Ground`]) and the place that every home has ([`Disk`]).
//! Never speaks to a network: places elsewhere are opened by `cli`.

use crate::files::MEMORY;
use crate::{Error, Result};
use async_trait::async_trait;
use loci_domain::form::Bad;
use loci_domain::workspace::{Storage, namespace};
use loci_ledger::LOCAL;
use loci_store::local::{Local, Modes, drop_spare};
use loci_store::lock::FileLock;
use loci_store::{Backend, Lock};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder above those of all accounts but `local`.
pub const ACCOUNTS: &str = "accounts";
/// The folder above those of an account's workspaces.
pub const WORKSPACES: &str = "workspaces";

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

    /// Takes all away that an account other than `local` has where everything lies, its memory too; what its workspaces
    /// have elsewhere went with them. An answer that does not come is an error.
    async fn clear_account(&self, account: &str) -> Result<()>;
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
        let inside = inside(account, id);
        let lock = format!("{}.lock", &namespace(account, id)[..19]);
        Ok(Ground {
            backend: Arc::new(Local::new(self.home.clone(), &inside, Modes::Private)),
            lock: Arc::new(FileLock::File(self.home.join("locks").join(lock))),
            folder: Some(inside.iter().fold(self.home.clone(), |folder, name| folder.join(name))),
        })
    }

    async fn clear(&self, account: &str, id: &str, storage: &Storage) -> Result<()> {
        let Some(folder) = self.open(account, id, storage)?.folder else { return Ok(()) };
        let (home, account, id) = (self.home.clone(), account.to_owned(), id.to_owned());
        offload(move || {
            remove_folder(&folder)?;
            let mut memory = inside(&account, &id);
            memory.push(MEMORY);
            Ok(drop_spare(&home, &memory)?)
        })
        .await
    }

    async fn clear_account(&self, account: &str) -> Result<()> {
        let (home, account) = (self.home.clone(), account.to_owned());
        offload(move || {
            remove_folder(&home.join(ACCOUNTS).join(&account))?;
            Ok(drop_spare(&home, &[ACCOUNTS, &account, MEMORY])?)
        })
        .await
    }
}

/// The folder of a workspace where everything lies.
pub fn inside<'p>(account: &'p str, id: &'p str) -> Vec<&'p str> {
    match account {
        LOCAL => vec![WORKSPACES, id],
        other => vec![ACCOUNTS, other, WORKSPACES, id],
    }
}

/// Removes a folder with all that is in it, links as links; the missing is gone already.
fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(loci_store::Error::io(error).into()),
        _ => Ok(()),
    }
}

/// Work that blocks, where it blocks nobody.
pub(crate) async fn offload<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|lost| Error::File(lost.to_string()))?
}
