//! Who sees a memory: everybody's, this project's, or this unit of work's.

use std::fmt;
use std::str::FromStr;

/// One of the three places in which memory lives, as a model names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// This person, all projects.
    Global,
    /// This repository.
    Project,
    /// This unit of work; it dies with it.
    Workspace,
}

impl Scope {
    /// All scopes, in the order in which they are shown.
    pub const ALL: [Scope; 3] = [Scope::Global, Scope::Project, Scope::Workspace];

    /// The word that virtual paths use.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Global => "global",
            Scope::Project => "project",
            Scope::Workspace => "workspace",
        }
    }

    /// The scope that a virtual path's first segment names; `user` is no such segment.
    pub fn from_segment(segment: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.word() == segment)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no scope.
#[derive(Debug, thiserror::Error)]
#[error("unknown scope {0:?}; use global, project or workspace")]
pub struct UnknownScope(String);

impl FromStr for Scope {
    type Err = UnknownScope;

    /// Reads a flag or a field, where `user` is another word for `global`.
    fn from_str(word: &str) -> Result<Scope, UnknownScope> {
        match word {
            "user" => Ok(Scope::Global),
            _ => Scope::from_segment(word).ok_or_else(|| UnknownScope(word.to_owned())),
        }
    }
}
