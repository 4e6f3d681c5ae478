//! What is around a process: programs, and the directory that it works for.

use crate::args::Common;
use std::path::PathBuf;

/// A program on the search path.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|it| it.is_file())
}

/// Whether a person said which project, by flag or environment.
pub fn is_said(common: &Common) -> bool {
    !common.project.is_empty() || std::env::var_os("LOCI_PROJECT").is_some_and(|given| !given.is_empty())
}

/// The directory that a process works for, resolved.
pub fn directory(common: &Common) -> PathBuf {
    let given = match common.project.as_slice() {
        [] => std::env::var_os("LOCI_PROJECT").filter(|project| !project.is_empty()).map(PathBuf::from),
        [one] if !one.is_empty() => Some(PathBuf::from(one)),
        _ => None,
    };
    let given = given.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    given.canonicalize().unwrap_or(given)
}
