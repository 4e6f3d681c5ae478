//! From an agent to the workspaces that it works in, and what it may do there.

use crate::files::Files;
use crate::{Error, Result, Runtime};
use loci_domain::agent::Agent;
use loci_domain::workspace::Storage;

/// A workspace as a model knows it.
#[derive(Clone)]
pub struct Bound {
    /// The name that the model uses.
    pub name: String,
    /// The workspace's id.
    pub workspace: String,
    /// What may be done.
    pub rights: Rights,
    /// Whether the model is told how to use it.
    pub harness: bool,
    /// Where its files lie.
    pub storage: Storage,
    /// Its files.
    pub files: Files,
}

/// What an agent may do in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Everything: it has a sandbox.
    All,
    /// Only look.
    Read,
}

impl Runtime {
    /// The workspaces of an agent, in its order; one that is gone is named.
    pub(crate) async fn bound(&self, account: &str, agent: &Agent) -> Result<Vec<Bound>> {
        self.check_names(account, agent).await?;
        let mut bound = Vec::new();
        for binding in &agent.workspaces {
            let workspace = self.workspace(account, &binding.workspace).await?;
            bound.push(Bound {
                name: binding.name.clone(),
                workspace: binding.workspace.clone(),
                rights: if agent.sandbox_of(binding).is_some() { Rights::All } else { Rights::Read },
                harness: workspace.harness,
                files: self.files_of(account, &binding.workspace, &workspace.storage)?,
                storage: workspace.storage,
            });
        }
        Ok(bound)
    }
}

/// The workspace of this name; without one, the first.
pub(crate) fn named<'a>(bound: &'a [Bound], name: Option<&str>) -> Result<&'a Bound> {
    let found = match name {
        None => bound.first(),
        Some(name) => bound.iter().find(|bound| bound.name == name),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = bound.iter().map(|bound| bound.name.as_str()).collect();
        Error::File(match name {
            Some(name) => format!("there is no workspace {name:?} here; there is: {}", names.join(", ")),
            None => "this agent has no workspace".to_owned(),
        })
    })
}
