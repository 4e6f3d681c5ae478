//! From a home, a project and a workspace to the three roots.
//!
//! Owns the layout of the home on disk. Never creates a folder: only a write does.

use crate::local::{Generations, Local, Modes};
use crate::lock::FileLock;
use crate::project::Project;
use crate::store::Root;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::digest::Digest;
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of a handbook in that of its project.
const HANDBOOK: &str = "handbook";

/// What a process works with; what is not there says why.
#[derive(Debug, Clone)]
pub struct Places {
    /// The home, resolved.
    pub home: PathBuf,
    /// The account whose scopes they are; none = `local`, which has the home itself.
    pub account: Option<String>,
    /// The project.
    pub project: Result<Project, String>,
    /// The workspace's id, already checked.
    pub workspace: Result<String, String>,
}

impl Places {
    /// The roots of the three scopes.
    pub fn roots(&self) -> [Result<Root, String>; 3] {
        [
            Ok(self.home_root(Scope::Global, &["memory"], self.owned("global"))),
            self.project.as_ref().map(|project| self.project_root(project)).map_err(Clone::clone),
            self.workspace.as_ref().map(|id| self.workspace_root(id)).map_err(Clone::clone),
        ]
    }

    /// The folder on disk that a scope's files lie in, if the scope is there.
    pub fn folder(&self, scope: Scope) -> Option<PathBuf> {
        Some(match scope {
            Scope::Global => self.top().join("memory"),
            Scope::Project => {
                let project = self.project.as_ref().ok()?;
                match &project.shared {
                    Some(checkout) => checkout.join(".loci/memory"),
                    None => self.top().join("projects").join(&project.key).join("memory"),
                }
            }
            Scope::Workspace => self.top().join("workspaces").join(self.workspace.as_ref().ok()?).join("memory"),
        })
    }

    /// The handbook of the project, if there is a project; it lies in the home, also when its memory does not.
    pub fn handbook(&self) -> Option<Local> {
        let project = self.project.as_ref().ok()?;
        Some(Local::new(self.home.clone(), &["projects", &project.key, HANDBOOK], Modes::Private))
    }

    /// The handbook of any project of the home by the project's identity, to be replaced as a whole.
    pub fn generations(home: &Path, project: &str) -> Generations {
        Generations::new(home, &["projects", &key_of(project)], HANDBOOK)
    }

    /// The handbook of any project of the home by the project's identity, to be read.
    pub fn handbook_of(home: &Path, project: &str) -> Local {
        Local::new(home.to_owned(), &["projects", &key_of(project), HANDBOOK], Modes::Private)
    }

    /// All handbooks of the home: to be replaced, and to be read.
    pub fn handbooks(home: &Path) -> Vec<(Generations, Local)> {
        let Ok(listing) = std::fs::read_dir(home.join("projects")) else { return Vec::new() };
        let names = listing.flatten().filter(|entry| entry.path().join(HANDBOOK).is_dir());
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        names
            .map(|key| {
                let inside = ["projects", &key, HANDBOOK];
                (Generations::new(home, &inside[..2], HANDBOOK), Local::new(home.to_owned(), &inside, Modes::Private))
            })
            .collect()
    }

    /// The root of a workspace by its id.
    pub fn workspace_root(&self, id: &str) -> Root {
        self.home_root(Scope::Workspace, &["workspaces", id, "memory"], self.owned(&format!("workspace:{id}")))
    }

    /// The host-local root of a project, also when its memory lives in the checkout.
    pub fn host_local_root(&self, project: &Project) -> Root {
        let identity = self.owned(&format!("project:{}", project.identity));
        self.home_root(Scope::Project, &["projects", &project.key, "memory"], identity)
    }

    fn project_root(&self, project: &Project) -> Root {
        match &project.shared {
            Some(checkout) => self.checkout_root(project, checkout),
            None => self.host_local_root(project),
        }
    }

    fn checkout_root(&self, project: &Project, checkout: &Path) -> Root {
        let key = RootKey {
            place: Place(format!("checkout:{}", checkout.display())),
            identity: Identity(format!("project:{}", project.identity)),
        };
        let backend = Local::new(checkout.to_owned(), &[".loci", "memory"], Modes::Umask);
        self.root(Scope::Project, key, Seat::Checkout, backend)
    }

    /// Where everything of the account lies.
    fn top(&self) -> PathBuf {
        self.account.as_ref().map_or_else(|| self.home.clone(), |account| self.home.join("accounts").join(account))
    }

    /// An identity that no other account has.
    fn owned(&self, identity: &str) -> String {
        self.account.as_ref().map_or_else(|| identity.to_owned(), |account| format!("account:{account}:{identity}"))
    }

    fn home_root(&self, scope: Scope, inside: &[&str], identity: String) -> Root {
        let whole: Vec<&str> = match &self.account {
            Some(account) => ["accounts", account].into_iter().chain(inside.iter().copied()).collect(),
            None => inside.to_vec(),
        };
        let inside = &whole[..];
        let key = RootKey { place: Place(format!("home:{}", inside.join("/"))), identity: Identity(identity) };
        self.root(scope, key, Seat::Home, Local::new(self.home.clone(), inside, Modes::Private))
    }

    fn root(&self, scope: Scope, key: RootKey, seat: Seat, backend: Local) -> Root {
        let name = format!("{}.lock", &Digest::of(key.place.0.as_bytes()).to_string()[..16]);
        let lock = FileLock::File(self.home.join("locks").join(name));
        Root::new(Some(scope), key, seat, Arc::new(backend), Arc::new(lock))
    }
}

/// The folder of a project by its identity as rows have it: an id names itself, a directory is named by its last part.
fn key_of(project: &str) -> String {
    let identity = project.strip_prefix("project:").unwrap_or(project);
    let name = identity.rsplit('/').next().unwrap_or_default();
    loci_domain::project::key(name, identity)
}

/// A bare directory as a root: locked by itself, so that nothing is left in it.
pub fn bare_root(directory: PathBuf) -> Root {
    let key = RootKey { place: Place("bare".to_owned()), identity: Identity("bare".to_owned()) };
    let lock = FileLock::Directory(directory.clone());
    Root::new(None, key, Seat::Home, Arc::new(Local::new(directory, &[], Modes::Private)), Arc::new(lock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{Checkout, Width};

    #[test]
    fn a_project_is_found_again_by_its_identity() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = Checkout::find(dir.path()).unwrap();
        for id in [None, Some("shop.api")] {
            let project = checkout.project(id, Width::GitRoot).unwrap();
            assert_eq!(key_of(&format!("project:{}", project.identity)), project.key);
        }
    }
}
