//! Where agents keep their configuration: the person's own, or that of a project.

use crate::fault::Failure;
use loci_domain::fault::Fault;
use std::path::PathBuf;

/// Whose configuration it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The person's own, for all their projects.
    User,
    /// The project's, for all who work on it.
    Project,
}

impl Level {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Level::User => "user",
            Level::Project => "project",
        }
    }
}

/// The places that configuration is looked for in.
pub struct Reach {
    pub level: Level,
    /// The person's home directory.
    pub home: PathBuf,
    /// The top of the project.
    pub project: PathBuf,
    /// Reads the environment, in which agents let a person move things.
    pub env: fn(&str) -> Option<String>,
}

impl Reach {
    /// The places of this machine, and of a project.
    pub fn of(level: Level, project: PathBuf) -> Result<Reach, Failure> {
        let home = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
            Failure::new(Fault::Offline, "no_home", "there is no home directory in which agents keep their files")
        })?;
        Ok(Reach { level, home, project, env: |name| std::env::var(name).ok() })
    }

    /// The folder that a variable names, else the one below the home.
    pub fn folder(&self, variable: &str, usual: &str) -> PathBuf {
        match (self.env)(variable).filter(|folder| !folder.is_empty()) {
            Some(folder) => match folder.strip_prefix("~/") {
                Some(inner) => self.home.join(inner),
                None => std::path::absolute(&folder).unwrap_or_else(|_| PathBuf::from(folder)),
            },
            None => self.home.join(usual),
        }
    }
}
