//! Port: memory for whatever account and workspace a request is for.

use loci_domain::workspace::Storage;
use loci_ledger::LOCAL;
use loci_memory::Memory;

/// Which memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hall {
    /// Whose.
    pub account: String,
    /// The workspace record whose folder `memory/` is the workspace scope.
    pub workspace: Option<String>,
    /// Where the files of that workspace lie.
    pub storage: Storage,
    /// Whether the daemon's project is part of it; only ever for the account `local`.
    pub project: Project,
}

/// Whether the project that the daemon works for is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Project {
    /// It is.
    Bound,
    /// It is not.
    None,
}

impl Hall {
    /// What an account sees while it talks: global, the workspace, and for `local` the daemon's project.
    pub fn of(account: &str, workspace: Option<(&str, &Storage)>) -> Hall {
        let project = if account == LOCAL { Project::Bound } else { Project::None };
        let (workspace, storage) = workspace.unzip();
        let storage = storage.cloned().unwrap_or(Storage::Local);
        Hall { account: account.to_owned(), workspace: workspace.map(str::to_owned), storage, project }
    }

    /// What the tasks of a workspace see: global and the workspace.
    pub fn of_tasks(account: &str, workspace: &str, storage: &Storage) -> Hall {
        Hall { project: Project::None, ..Hall::of(account, Some((workspace, storage))) }
    }
}

/// Opens memory. Cheap: nothing is read before it is asked for.
pub trait Halls: Send + Sync {
    /// The memory of a hall.
    fn open(&self, hall: &Hall) -> Memory;
}
