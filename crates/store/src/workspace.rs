//! From a home, a project and a workspace to the three roots.
//!
//! Owns the layout of the home, wherever its folders lie ([`Site`]). Never creates a folder: only a write does.

use crate::Result;
use crate::backend::Show;
use crate::local::{Local, Modes};
use crate::lock::FileLock;
use crate::project::Project;
use crate::shelf::Book;
use crate::site::{Ground, Site};
use crate::store::Root;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of a handbook in that of its project.
const HANDBOOK: &str = "handbook";
/// Files that are looked at to find all handbooks.
const MANY: usize = 1_000_000;

/// What a process works with; what is not there says why.
#[derive(Debug, Clone)]
pub struct Places {
    /// The home, resolved.
    pub home: PathBuf,
    /// Where the folders of memory lie: in the home, or elsewhere.
    pub site: Arc<dyn Site>,
    /// Where the checkout lies, if that is on another machine.
    pub checkout: Option<Arc<dyn Site>>,
    /// The account whose scopes they are; none = `local`, which has the home itself.
    pub account: Option<String>,
    /// The project.
    pub project: std::result::Result<Project, String>,
    /// The workspace's id, already checked.
    pub workspace: std::result::Result<String, String>,
}

impl Places {
    /// The roots of the three scopes.
    pub fn roots(&self) -> [std::result::Result<Root, String>; 3] {
        [
            Ok(self.home_root(Scope::Global, &["memory"], self.owned("global"))),
            self.project.as_ref().map(|project| self.project_root(project)).map_err(Clone::clone),
            self.workspace.as_ref().map(|id| self.workspace_root(id)).map_err(Clone::clone),
        ]
    }

    /// Where a scope's files lie, as a person would write it: a folder, or an address. `None` = the scope is not there.
    pub fn folder(&self, scope: Scope) -> Option<PathBuf> {
        let inside = match scope {
            Scope::Global => vec!["memory"],
            Scope::Project => {
                let project = self.project.as_ref().ok()?;
                if let Some(checkout) = &project.shared {
                    return Some(checkout.join(".loci/memory"));
                }
                vec!["projects", &project.key, "memory"]
            }
            Scope::Workspace => vec!["workspaces", self.workspace.as_ref().ok()?, "memory"],
        };
        Some(self.site.address().join(self.whole(&inside).iter().collect::<PathBuf>()))
    }

    /// The handbook of the project, if there is a project; it lies in the home, also when its memory does not.
    pub fn handbook(&self) -> Option<Book> {
        let project = self.project.as_ref().ok()?;
        Some(self.site.book(&["projects", &project.key, HANDBOOK]))
    }

    /// The handbook of any project of the home by the project's identity.
    pub fn handbook_of(&self, project: &str) -> Book {
        self.site.book(&["projects", &key_of(project), HANDBOOK])
    }

    /// All handbooks of the home.
    pub async fn handbooks(&self) -> Result<Vec<Book>> {
        let all = self.site.ground(&["projects"]).backend.list(None, Show::All, MANY).await?;
        let mut keys: Vec<&str> = Vec::new();
        for (path, _) in &all.files {
            let mut segments = path.segments();
            if let (Some(key), Some(HANDBOOK)) = (segments.next(), segments.next()) {
                keys.push(key);
            }
        }
        keys.dedup();
        Ok(keys.into_iter().map(|key| self.site.book(&["projects", key, HANDBOOK])).collect())
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
        let inside = [".loci", "memory"];
        let ground = match &self.checkout {
            Some(site) => site.ground(&inside),
            None => {
                let place = Place(format!("checkout:{}", checkout.display()));
                let lock = FileLock::of_place(&self.home, &place);
                Ground {
                    backend: Arc::new(Local::new(checkout.to_owned(), &inside, Modes::Umask)),
                    lock: Arc::new(lock),
                    place,
                }
            }
        };
        root(Scope::Project, Identity(format!("project:{}", project.identity)), Seat::Checkout, ground)
    }

    /// An identity that no other account has.
    fn owned(&self, identity: &str) -> String {
        self.account.as_ref().map_or_else(|| identity.to_owned(), |account| format!("account:{account}:{identity}"))
    }

    /// A folder of the account, from the top of the site.
    fn whole<'p>(&'p self, inside: &[&'p str]) -> Vec<&'p str> {
        match &self.account {
            Some(account) => ["accounts", account].into_iter().chain(inside.iter().copied()).collect(),
            None => inside.to_vec(),
        }
    }

    fn home_root(&self, scope: Scope, inside: &[&str], identity: String) -> Root {
        root(scope, Identity(identity), Seat::Home, self.site.ground(&self.whole(inside)))
    }
}

fn root(scope: Scope, identity: Identity, seat: Seat, ground: Ground) -> Root {
    let Ground { place, backend, lock } = ground;
    Root::new(Some(scope), RootKey { place, identity }, seat, backend, lock)
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
