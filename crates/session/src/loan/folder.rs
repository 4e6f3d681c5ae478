//! A private folder for the time of one command: gone afterwards, whatever the command made of it.
//!
//! Its owner holds a lock on it, so what a killed process left behind is known, and goes when the next one is made.

use super::FILES;
use crate::{Error, Result};
use loci_domain::path::LONGEST;
use loci_store::local::{Local, Modes};
use loci_store::lock::private_dirs;
use loci_store::store::fresh_id;
use std::fs::{File, Permissions, read_dir, remove_dir, remove_file, set_permissions};
use std::io::{ErrorKind, Result as Io};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder in it that the command sees.
const INSIDE: &str = "files";
/// How often a name is tried: somebody who clears up may take a new folder for an old one.
const TRIES: usize = 8;
/// Files and folders that a command may leave before nobody looks at them any more.
const NODES: usize = 20 * FILES;

pub(super) struct Folder {
    top: PathBuf,
    _held: File,
}

impl Folder {
    /// A new one; those of processes that died are taken away.
    pub fn make(within: &Path) -> Result<Folder> {
        sweep(within);
        for _ in 0..TRIES {
            let top = within.join(fresh_id());
            private_dirs(&top).map_err(loci_store::Error::io)?;
            match claimed(&top) {
                Ok(Some(held)) => return Ok(Folder { top, _held: held }),
                Ok(None) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(loci_store::Error::io(error).into()),
            }
        }
        Err(loci_store::Error::Busy.into())
    }

    /// What the command sees.
    pub fn inside(&self) -> PathBuf {
        self.top.join(INSIDE)
    }

    /// The same as a place for files.
    pub fn backend(&self) -> Local {
        Local::new(self.inside(), &[], Modes::Private)
    }

    /// Makes everything readable that a command made unreadable: it is the workspace's, and the command is over.
    pub fn open_up(&self) -> Result<()> {
        let (mut folders, mut nodes) = (vec![self.inside()], 0);
        let deepest = self.inside().as_os_str().len() + LONGEST;
        while let Some(folder) = folders.pop() {
            // No file in it can have a name that is kept.
            if folder.as_os_str().len() > deepest {
                continue;
            }
            let opened = set_mode(&folder, 0o700).and_then(|()| read_dir(&folder));
            for entry in opened.map_err(loci_store::Error::io)? {
                let entry = entry.map_err(loci_store::Error::io)?;
                let kind = entry.file_type().map_err(loci_store::Error::io)?;
                nodes += 1;
                if nodes > NODES {
                    return Err(Error::File(format!("the command left more than {NODES} files; nothing was kept")));
                }
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    set_mode(&entry.path(), 0o600).map_err(loci_store::Error::io)?;
                }
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = take_away(&self.top) {
            tracing::warn!(%error, "a command's folder stays until the next command");
        }
    }
}

/// Locks a folder and makes room in it; `None` = somebody else was first.
fn claimed(top: &Path) -> Io<Option<File>> {
    let held = File::open(top)?;
    if held.try_lock().is_err() {
        return Ok(None);
    }
    std::fs::create_dir(top.join(INSIDE))?;
    Ok(Some(held))
}

/// Takes away what nobody holds.
fn sweep(within: &Path) {
    for entry in read_dir(within).into_iter().flatten().flatten() {
        let held = File::open(entry.path()).ok().filter(|folder| folder.try_lock().is_ok());
        if held.is_some() {
            let _ = take_away(&entry.path());
        }
    }
}

/// Takes a folder away, whatever is in it. Folders in folders are moved up first: so no depth is too deep for a path, for
/// the stack or for the descriptors of a process.
fn take_away(top: &Path) -> Io<()> {
    loop {
        let mut empty = true;
        for entry in read_dir(top)? {
            let folder = entry?;
            empty = false;
            if !folder.file_type()?.is_dir() {
                remove_file(folder.path())?;
                continue;
            }
            set_mode(&folder.path(), 0o700)?;
            for inner in read_dir(folder.path())? {
                let inner = inner?;
                if inner.file_type()?.is_dir() {
                    // One that cannot be written cannot be moved either.
                    set_mode(&inner.path(), 0o700)?;
                    std::fs::rename(inner.path(), top.join(fresh_id()))?;
                } else {
                    remove_file(inner.path())?;
                }
            }
            remove_dir(folder.path())?;
        }
        if empty {
            return remove_dir(top);
        }
    }
}

fn set_mode(path: &Path, mode: u32) -> Io<()> {
    set_permissions(path, Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_whatever_was_made() {
        let home = tempfile::tempdir().unwrap();
        let within = home.path().join("loans");
        let folder = Folder::make(&within).unwrap();
        let mut deep = folder.inside();
        for _ in 0..60 {
            deep = deep.join("d".repeat(60));
        }
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(folder.inside().join("locked"), "x").unwrap();
        set_mode(&folder.inside().join("locked"), 0).unwrap();
        std::os::unix::fs::symlink("/", folder.inside().join("link")).unwrap();
        std::fs::create_dir(folder.inside().join("shut")).unwrap();
        set_mode(&folder.inside().join("shut"), 0).unwrap();
        folder.open_up().unwrap();
        drop(folder);
        assert_eq!(read_dir(&within).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_goes_and_what_is_held_stays() {
        let home = tempfile::tempdir().unwrap();
        let dead = home.path().join("dead/files/a");
        std::fs::create_dir_all(&dead).unwrap();
        let held = Folder::make(home.path()).unwrap();
        let other = Folder::make(home.path()).unwrap();
        assert!(!dead.exists() && held.inside().is_dir() && other.inside().is_dir());
    }
}
