//! The places in which files of workspaces lie: where everything lies, object storage, another machine.
//!
//! Owns which place a record means, who may name it, and that connections are kept. Credentials come from the
//! environment of this process only; two workspaces at one place have a folder each, by their namespace.
//! Start at [`OwnStorages`].

use super::App;
use crate::config::Config;
use async_trait::async_trait;
use loci_domain::form::Bad;
use loci_domain::path::EntryPath;
use loci_domain::project::is_workspace_id;
use loci_domain::scope::Scope;
use loci_domain::workspace::{Storage, Workspace, namespace};
use loci_ledger::Ledger;
use loci_remote::s3::{self, S3};
use loci_remote::ssh::{self, Ssh};
use loci_session::storage::{ACCOUNTS, Disk, WORKSPACES, inside};
use loci_session::{Error, Ground, Result, Storages};
use loci_store::lock::LeaseLock;
use loci_store::record::{Holding, LOCAL, Record};
use loci_store::workspace::Places;
use loci_store::{Backend, Lock, Root, Show, Site};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Places that are kept open.
const KEPT: usize = 64;
/// The folder of a workspace that is its memory.
const MEMORY: &str = "memory";
/// Files that are looked at to find all workspaces of a bucket.
const MANY: usize = 1_000_000;

/// The places that this process can reach.
pub struct OwnStorages {
    /// Where everything lies that names no place of its own.
    site: Arc<dyn Site>,
    /// The bucket that this is, if it is one.
    bucket: Option<S3>,
    /// Whoever writes to a bucket holds a lease of it.
    record: Arc<dyn Record>,
    ssh: ssh::Settings,
    open: Mutex<HashMap<Storage, Place>>,
}

/// A place elsewhere, without a workspace's own part of it.
#[derive(Clone)]
enum Place {
    S3(S3),
    /// With the one lock of all who write there.
    Ssh(Ssh, Arc<dyn Lock>),
}

impl OwnStorages {
    /// Places by settings, beside the site that the process has.
    pub fn new(config: &Config, site: Arc<dyn Site>, bucket: Option<S3>, record: Arc<dyn Record>) -> OwnStorages {
        let path = |key: &str| config.text(key).filter(|path| !path.is_empty()).map(PathBuf::from);
        OwnStorages {
            site,
            bucket,
            record,
            ssh: ssh::Settings { identity: path("ssh.identity"), known_hosts: path("ssh.known_hosts") },
            open: Mutex::default(),
        }
    }

    /// The roots of the three scopes; that of a workspace whose files lie elsewhere is there.
    pub fn roots(&self, places: &Places, storage: &Storage) -> [std::result::Result<Root, String>; 3] {
        let [global, project, workspace] = places.roots();
        let workspace = match &places.workspace {
            Ok(id) if *storage != Storage::Local => self.root(places, id, storage).map_err(|error| error.to_string()),
            _ => workspace,
        };
        [global, project, workspace]
    }

    /// The root of a workspace's memory, with the name that it has in the ledger wherever its files lie.
    pub fn root(&self, places: &Places, id: &str, storage: &Storage) -> Result<Root> {
        let root = places.workspace_root(id);
        let account = places.account.as_deref().unwrap_or(LOCAL);
        let Some(place) = self.place(account, storage)? else { return Ok(root) };
        let (backend, lock) = self.inside(&place, &[&namespace(account, id), MEMORY])?;
        Ok(Root::new(root.scope, root.key, root.seat, backend, lock))
    }

    /// The place of a record; `None` = where everything lies.
    fn place(&self, account: &str, storage: &Storage) -> Result<Option<Place>> {
        if *storage == Storage::Local {
            return Ok(None);
        }
        allowed(account, storage)?;
        if let Some(known) = self.open.lock().ok().and_then(|open| open.get(storage).cloned()) {
            return Ok(Some(known));
        }
        let place = self.opened(storage)?;
        if let Ok(mut open) = self.open.lock() {
            if open.len() >= KEPT {
                open.clear();
            }
            open.insert(storage.clone(), place.clone());
        }
        Ok(Some(place))
    }

    /// The files of a workspace where everything lies.
    fn local(&self, account: &str, id: &str) -> Result<Ground> {
        if let Some(home) = self.site.disk() {
            return Disk::new(home).open(account, id, &Storage::Local);
        }
        let loci_store::Ground { backend, lock, .. } = self.site.ground(&inside(account, id));
        Ok(Ground { backend, lock, folder: None })
    }

    /// Opens a place elsewhere. Asks nobody yet.
    fn opened(&self, storage: &Storage) -> Result<Place> {
        match storage {
            Storage::S3 { bucket: Some(bucket), prefix, endpoint, region } => {
                let settings = s3::Settings {
                    bucket: bucket.clone(),
                    prefix: prefix.clone().unwrap_or_default(),
                    endpoint: endpoint.clone(),
                    region: region.clone(),
                };
                let environment = s3::environment();
                let blamed =
                    if endpoint.is_some() && !settings.may_be_asked(&environment) { "endpoint" } else { "provider" };
                Ok(Place::S3(S3::open(&settings, &environment).map_err(|error| blame(blamed, &error))?))
            }
            Storage::S3 { bucket: None, prefix, .. } => {
                let missing = "is missing; name one, or start the daemon with --files s3://bucket/prefix";
                let files = self.bucket.as_ref().ok_or_else(|| bad("bucket", missing))?;
                Ok(Place::S3(match prefix {
                    Some(prefix) => files.within(&EntryPath::parse(prefix).map_err(|error| blame("prefix", &error))?),
                    None => files.clone(),
                }))
            }
            Storage::Ssh { url } => {
                let address = ssh::Address::parse(url).map_err(|error| blame("url", &error))?;
                let ssh = Ssh::new(address, &self.ssh).map_err(|error| blame("url", &error))?;
                let lock = Arc::new(ssh.lock());
                Ok(Place::Ssh(ssh, lock))
            }
            Storage::Local => Err(bad("provider", "is not elsewhere")),
        }
    }

    /// The ids of the workspaces of `local` that have something where everything lies, whether they have a record or not.
    pub async fn folders(&self) -> Result<Vec<String>> {
        let mut ids: Vec<String> = match self.site.disk() {
            Some(home) => names_in(&home.join(WORKSPACES))?,
            None => {
                let all = self.site.ground(&[WORKSPACES]).backend.list(None, Show::All, MANY).await?;
                all.files.iter().filter_map(|(path, _)| path.segments().next().map(str::to_owned)).collect()
            }
        };
        ids.retain(|id| is_workspace_id(id));
        ids.sort();
        ids.dedup();
        Ok(ids)
    }

    /// Removes a folder of the site with all that is in it.
    async fn take_away(&self, folder: &[&str]) -> Result<()> {
        let (name, above) = folder.split_last().unwrap_or((&"", &[]));
        Ok(self.site.ground(above).backend.remove(&EntryPath::parse(name)?).await?)
    }

    /// A folder at a place, and what serialises its writers.
    fn inside(&self, place: &Place, folders: &[&str]) -> Result<(Arc<dyn Backend>, Arc<dyn Lock>)> {
        match place {
            Place::S3(s3) => {
                let name = folders.join("/");
                let lock = LeaseLock::new(Arc::clone(&self.record), format!("root:workspace:{name}"));
                Ok((Arc::new(s3.within(&EntryPath::parse(&name)?)), Arc::new(lock)))
            }
            Place::Ssh(ssh, lock) => Ok((Arc::new(ssh.inside(folders)), Arc::clone(lock))),
        }
    }
}

#[async_trait]
impl Storages for OwnStorages {
    fn open(&self, account: &str, id: &str, storage: &Storage) -> Result<Ground> {
        let Some(place) = self.place(account, storage)? else { return self.local(account, id) };
        let (backend, lock) = self.inside(&place, &[&namespace(account, id)])?;
        Ok(Ground { backend, lock, folder: None })
    }

    async fn clear(&self, account: &str, id: &str, storage: &Storage) -> Result<()> {
        let folder = EntryPath::parse(&namespace(account, id))?;
        // Both look for what is there before the first of it goes, and fail when nobody answers.
        match self.place(account, storage)? {
            None => match self.site.disk() {
                Some(home) => Disk::new(home).clear(account, id, storage).await,
                None => self.take_away(&inside(account, id)).await,
            },
            Some(Place::S3(s3)) => match s3.remove(&folder).await {
                // An answer too: nothing is there.
                Err(error) if s3::is_no_bucket(&error) => Ok(()),
                removed => Ok(removed?),
            },
            Some(Place::Ssh(ssh, _)) => Ok(ssh.remove(&folder).await?),
        }
    }

    async fn clear_account(&self, account: &str) -> Result<()> {
        match self.site.disk() {
            Some(home) => Disk::new(home).clear_account(account).await,
            None => self.take_away(&[ACCOUNTS, account]).await,
        }
    }
}

impl App {
    /// Where a scope's files lie, as a person would write it, unless that is a workspace's own place.
    pub fn folder(&self, scope: Scope) -> Option<PathBuf> {
        let here = scope != Scope::Workspace || self.storage == Storage::Local;
        self.places.folder(scope).filter(|_| here)
    }
}

/// Where the files of the workspace lie that a process works with; one without a record lies in the home.
pub async fn storage_of(
    places: &Places,
    ledger: &dyn Ledger,
) -> std::result::Result<Storage, loci_store::record::Error> {
    let Ok(id) = &places.workspace else { return Ok(Storage::Local) };
    let account = places.account.as_deref().unwrap_or(LOCAL);
    let card = ledger.holding(Holding::Workspace, account, id).await?;
    Ok(card.map_or(Storage::Local, |card| read(&serde_json::from_str(&card.body).unwrap_or_default())))
}

/// Where the files of a record lie.
pub fn read(body: &serde_json::Value) -> Storage {
    Workspace::read(body).map_or(Storage::Local, |workspace| workspace.storage)
}

/// What an account names is reached with the daemon's own keys, so only the daemon's owner may name any machine.
fn allowed(account: &str, storage: &Storage) -> Result<()> {
    match storage {
        _ if account == LOCAL => Ok(()),
        Storage::Ssh { .. } => {
            Err(bad("provider", "ssh is for the account local only: it is reached with the daemon's keys"))
        }
        Storage::S3 { endpoint: Some(_), .. } => {
            Err(bad("endpoint", "is for the account local only: it would be sent what the daemon signs"))
        }
        Storage::S3 { .. } | Storage::Local => Ok(()),
    }
}

/// The names in a folder of this machine's disk; one that is not there has none.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(loci_store::Error::io(error).into()),
    }
}

fn blame(field: &str, error: &dyn std::error::Error) -> Error {
    bad(field, &format!("does not do: {error}"))
}

fn bad(field: &str, reason: &str) -> Error {
    Bad::new(format!("config.storage.{field}"), reason).into()
}

#[cfg(test)]
mod tests;
