//! A project on another machine: `--project ssh://[user@]host[:port]/path`.
//!
//! Owns its identity (host, port and the repository over there) and the folder that its memory lies in. It is looked at once
//! a process; one that cannot be reached leaves the project scope unavailable with the reason, and the other scopes work.

use super::kept::Kept;
use crate::config::Config;
use loci_domain::change::Place;
use loci_domain::project::key;
use loci_remote::ssh::{Address, Folder, SCHEME, Settings, Shared, Ssh, Surveyed};
use loci_store::project::{Project, Width};
use loci_store::{Ground, Site};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder on another machine.
pub struct Afar {
    address: Address,
    settings: Settings,
    /// The connection by which it was looked at.
    ssh: Ssh,
    surveyed: Surveyed,
}

/// The top of a checkout over there.
#[derive(Clone)]
struct Top {
    ssh: Ssh,
    url: String,
}

/// Whether a project is named by an address and not by a directory.
pub fn is_afar(project: &str) -> bool {
    project.starts_with(SCHEME)
}

impl Afar {
    /// Looks at a folder over there, or remembers how it was.
    pub async fn find(url: &str, config: &Config) -> Result<Arc<Afar>, String> {
        if let Some(known) = Afar::known(url) {
            return Ok(known);
        }
        let path = |key: &str| config.text(key).filter(|path| !path.is_empty()).map(PathBuf::from);
        let settings = Settings { identity: path("ssh.identity"), known_hosts: path("ssh.known_hosts") };
        let address = Address::parse(url).map_err(|error| error.to_string())?;
        let ssh = Ssh::new(address.clone(), &settings).map_err(|error| error.to_string())?;
        let surveyed = ssh.survey().await.map_err(|error| error.to_string())?;
        let afar = Arc::new(Afar { address, settings, ssh, surveyed });
        Kept::with(|kept| kept.machines.insert(url.to_owned(), Arc::clone(&afar)));
        Ok(afar)
    }

    /// A folder that this process has looked at.
    pub fn known(url: &str) -> Option<Arc<Afar>> {
        Kept::with(|kept| kept.machines.get(url).cloned())
    }

    /// The text of its `.loci/config.toml`.
    pub fn config(&self) -> Option<&str> {
        self.surveyed.config.as_deref()
    }

    /// The project under this configuration; a refusal says why there is none.
    pub fn project(&self, declared_id: Option<&str>, width: Width) -> Result<Project, String> {
        let top = self.top(width);
        let own = match width {
            Width::GitRoot => self.surveyed.repository.as_deref().unwrap_or(&top.path),
            Width::Workspace => &top.path,
        };
        let shared = match top.memory {
            Shared::There => Some(PathBuf::from(self.url(&top.path))),
            Shared::Absent => None,
            Shared::Link(inner) => {
                return Err(format!("{inner} of the checkout is a symbolic link; replace it with a directory"));
            }
        };
        let (identity, name) = match declared_id {
            Some(id) => (id.to_owned(), id.to_owned()),
            None => {
                let Address { host, port, .. } = &self.address;
                let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
                let name = own.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (format!("{SCHEME}{host}:{}{}", port.unwrap_or(22), own.display()), name)
            }
        };
        Ok(Project { key: key(&name, &identity), identity, shared, top: PathBuf::from(self.url(&top.path)) })
    }

    /// The folder that a project of this width begins at.
    pub fn site(&self, width: Width) -> Result<Arc<dyn Site>, String> {
        let path = &self.top(width).path;
        let ssh = match *path == self.surveyed.directory.path {
            true => self.ssh.clone(),
            false => {
                let address = Address { path: path.display().to_string(), ..self.address.clone() };
                Ssh::new(address, &self.settings).map_err(|error| error.to_string())?
            }
        };
        Ok(Arc::new(Top { ssh, url: self.url(path) }))
    }

    fn top(&self, width: Width) -> &Folder {
        match width {
            Width::GitRoot => self.surveyed.top.as_ref().unwrap_or(&self.surveyed.directory),
            Width::Workspace => &self.surveyed.directory,
        }
    }

    /// How a folder over there is named from here, so that it can be given as a project again.
    fn url(&self, path: &Path) -> String {
        Address { path: path.display().to_string(), ..self.address.clone() }.url()
    }
}

impl Site for Top {
    fn ground(&self, inside: &[&str]) -> Ground {
        Ground {
            place: Place(format!("checkout:{}", self.url)),
            backend: Arc::new(self.ssh.inside(inside)),
            lock: Arc::new(self.ssh.lock()),
        }
    }

    fn address(&self) -> PathBuf {
        PathBuf::from(&self.url)
    }
}

impl std::fmt::Debug for Top {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Top").field(&self.url).finish()
    }
}
