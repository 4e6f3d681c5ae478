//! Which project a directory belongs to.
//!
//! Owns identity: a declared id, else the repository (all its worktrees are one), else the directory.
//! Never runs git: three small files of a repository say all that is needed.

use loci_domain::project::key;
use std::path::{Path, PathBuf};

/// A project as far as memory cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// What names it, the same from every worktree and subfolder.
    pub identity: String,
    /// Its folder's name in the home.
    pub key: String,
    /// The checkout whose `.loci/memory` is the project scope, if that folder exists.
    pub shared: Option<PathBuf>,
    /// The top of the working tree, or the directory itself.
    pub top: PathBuf,
}

/// What a directory is part of, before any configuration is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// The directory itself, resolved.
    pub directory: PathBuf,
    /// The top of the working tree that it is in.
    pub top: Option<PathBuf>,
    /// The repository that all worktrees share.
    pub repository: Option<PathBuf>,
}

/// How wide a project is (`project.scope`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// The repository.
    GitRoot,
    /// Exactly this directory.
    Workspace,
}

impl Checkout {
    /// Looks at a directory and its parents.
    pub fn find(directory: &Path) -> std::io::Result<Checkout> {
        let directory = directory.canonicalize()?;
        let top =
            directory.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned);
        let repository = top.as_deref().map(repository);
        Ok(Checkout { directory, top, repository })
    }

    /// The nearest `.loci/config.toml` from the directory up to the top of the working tree.
    pub fn config_file(&self) -> Option<PathBuf> {
        let stop = self.top.as_deref().unwrap_or(&self.directory);
        let inside = self.directory.ancestors().take_while(|folder| folder.starts_with(stop));
        inside.map(|folder| folder.join(".loci/config.toml")).find(|file| is_plain(file))
    }

    /// The project under this configuration; a refusal says why there is none.
    pub fn project(&self, declared_id: Option<&str>, width: Width) -> Result<Project, String> {
        let top = match width {
            Width::GitRoot => self.top.as_deref().unwrap_or(&self.directory),
            Width::Workspace => &self.directory,
        };
        let own = match width {
            Width::GitRoot => self.repository.as_deref().unwrap_or(&self.directory),
            Width::Workspace => &self.directory,
        };
        let (identity, name) = match declared_id {
            Some(id) => (id.to_owned(), id.to_owned()),
            None => (own.display().to_string(), own.file_name().unwrap_or_default().to_string_lossy().into_owned()),
        };
        let shared = shared_memory(top)?.then(|| top.to_owned());
        Ok(Project { key: key(&name, &identity), identity, shared, top: top.to_owned() })
    }
}

/// True for what `project.id` may be: it can never be mistaken for a path.
pub fn is_project_id(id: &str) -> bool {
    loci_domain::project::is_workspace_id(id)
}

/// Whether `.loci/memory` is there; a link in its place is refused, since a checkout could point it anywhere.
fn shared_memory(top: &Path) -> Result<bool, String> {
    for inner in [".loci", ".loci/memory"] {
        match top.join(inner).symlink_metadata() {
            Ok(meta) if meta.is_symlink() => {
                return Err(format!("{inner} of the checkout is a symbolic link; replace it with a directory"));
            }
            Ok(meta) if meta.is_dir() => {}
            Ok(_) | Err(_) => return Ok(false),
        }
    }
    Ok(true)
}

/// A regular file whose folder is no link either.
fn is_plain(file: &Path) -> bool {
    let plain = |path: &Path| path.symlink_metadata().is_ok_and(|meta| !meta.is_symlink());
    file.is_file() && plain(file) && file.parent().is_some_and(plain)
}

/// The repository behind a working tree: linked worktrees name it by `gitdir:` and `commondir`.
fn repository(top: &Path) -> PathBuf {
    shared_git_dir(&top.join(".git")).map_or_else(
        || top.to_owned(),
        |git_dir| match git_dir.file_name() {
            Some(name) if name == ".git" => git_dir.parent().unwrap_or(&git_dir).to_owned(),
            _ => git_dir,
        },
    )
}

/// The git dir that all worktrees of a repository share, where the working tree says so by a file `.git`.
fn shared_git_dir(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return None;
    }
    let text = std::fs::read_to_string(dot_git).ok()?;
    let git_dir = dot_git.parent()?.join(text.trim().strip_prefix("gitdir:")?.trim());
    match std::fs::read_to_string(git_dir.join("commondir")) {
        Ok(common) => git_dir.join(common.trim()).canonicalize().ok(),
        // The main tree of a submodule, or of a repository whose git dir lies apart: its worktrees name this git dir too.
        // One called `.git` is of the tree that it lies in, whoever else points there.
        Err(_) => git_dir.canonicalize().ok().filter(|dir| !dir.ends_with(".git") && dir.join("HEAD").is_file()),
    }
}

#[cfg(test)]
mod tests;
