//! What a folder on another machine is part of: the repository around it, its configuration, whether it has memory.
//!
//! Owns the look, once over one connection; the rules are those of `loci_store::project`. Never runs git, and never follows a
//! link to configuration or memory.

use super::Ssh;
use super::jail::contents;
use super::link::Session;
use super::trouble::{Work, or_missing};
use loci_store::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read for it.
const LARGEST: u64 = 64 << 10;

/// A folder on another machine, looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// The folder itself, all links resolved.
    pub directory: Folder,
    /// The top of the working tree that it is in.
    pub top: Option<Folder>,
    /// The repository that all worktrees share.
    pub repository: Option<PathBuf>,
    /// The text of the nearest `.loci/config.toml` up to the top.
    pub config: Option<String>,
}

/// A folder, and whether memory lies in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Where.
    pub path: PathBuf,
    /// Its `.loci/memory`.
    pub memory: Shared,
}

/// Whether a folder has a `.loci/memory`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// It has.
    There,
    /// It has none.
    Absent,
    /// This is a link, and could lead anywhere.
    Link(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Link,
    Odd,
}

impl Ssh {
    /// Looks at the folder of the address and at the folders around it.
    pub async fn survey(&self) -> Result<Surveyed> {
        self.link.run(|session: Arc<Session>, _| async move { survey(&session).await }).await
    }
}

async fn survey(session: &Session) -> Work<Surveyed> {
    let directory = session.anchor.clone();
    let mut top = None;
    for folder in directory.ancestors() {
        if kind(session, &folder.join(".git")).await?.is_some() {
            top = Some(folder.to_owned());
            break;
        }
    }
    let repository = match &top {
        Some(top) => Some(repository(session, top).await?),
        None => None,
    };
    let config = config(session, &directory, top.as_deref().unwrap_or(&directory)).await?;
    let top = match top {
        Some(path) => Some(Folder { memory: shared(session, &path).await?, path }),
        None => None,
    };
    let directory = Folder { memory: shared(session, &directory).await?, path: directory };
    Ok(Surveyed { directory, top, repository, config })
}

async fn kind(session: &Session, path: &Path) -> Work<Option<Kind>> {
    let found = or_missing(session.sftp.fs().symlink_metadata(path).await)?;
    Ok(found.map(|meta| match meta.file_type() {
        Some(kind) if kind.is_symlink() => Kind::Link,
        Some(kind) if kind.is_dir() => Kind::Folder,
        Some(kind) if kind.is_file() => Kind::File,
        _ => Kind::Odd,
    }))
}

async fn shared(session: &Session, folder: &Path) -> Work<Shared> {
    for inner in [".loci", ".loci/memory"] {
        match kind(session, &folder.join(inner)).await? {
            Some(Kind::Link) => return Ok(Shared::Link(inner)),
            Some(Kind::Folder) => {}
            Some(Kind::File | Kind::Odd) | None => return Ok(Shared::Absent),
        }
    }
    Ok(Shared::There)
}

async fn config(session: &Session, directory: &Path, top: &Path) -> Work<Option<String>> {
    for folder in directory.ancestors().take_while(|folder| folder.starts_with(top)) {
        let plain = kind(session, &folder.join(".loci")).await? == Some(Kind::Folder);
        let file = folder.join(".loci/config.toml");
        if plain && kind(session, &file).await? == Some(Kind::File) {
            return read(session, &file).await;
        }
    }
    Ok(None)
}

/// The repository behind a working tree: linked worktrees name it by `gitdir:` and `commondir`.
async fn repository(session: &Session, top: &Path) -> Work<PathBuf> {
    let Some(git_dir) = shared_git_dir(session, top).await? else { return Ok(top.to_owned()) };
    Ok(match git_dir.file_name() {
        Some(name) if name == ".git" => git_dir.parent().unwrap_or(&git_dir).to_owned(),
        _ => git_dir,
    })
}

async fn shared_git_dir(session: &Session, top: &Path) -> Work<Option<PathBuf>> {
    let dot_git = top.join(".git");
    if kind(session, &dot_git).await? != Some(Kind::File) {
        return Ok(None);
    }
    let text = read(session, &dot_git).await?.unwrap_or_default();
    let Some(named) = text.trim().strip_prefix("gitdir:") else { return Ok(None) };
    let git_dir = top.join(named.trim());
    let fs = || session.sftp.fs();
    if let Some(common) = read(session, &git_dir.join("commondir")).await? {
        return or_missing(fs().canonicalize(git_dir.join(common.trim())).await);
    }
    // The main tree of a submodule, or of a repository whose git dir lies apart: its worktrees name this git dir too.
    // One called `.git` is of the tree that it lies in, whoever else points there.
    let Some(dir) = or_missing(fs().canonicalize(&git_dir).await)? else { return Ok(None) };
    let own = !dir.ends_with(".git") && kind(session, &dir.join("HEAD")).await? == Some(Kind::File);
    Ok(own.then_some(dir))
}

async fn read(session: &Session, path: &Path) -> Work<Option<String>> {
    let Some(mut file) = or_missing(session.sftp.open(path).await)? else { return Ok(None) };
    let bytes = contents(&mut file, LARGEST).await?;
    file.close().await?;
    Ok(String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= LARGEST))
}
