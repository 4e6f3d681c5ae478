//! A folder on disk that is only ever replaced as a whole.
//!
//! Owns the staging folder beside it, and the one step in which that takes its place. Never changes a file of the folder
//! itself, so a reader sees one generation or the next, and no gap between them.
//!
//! A process that was frozen between its last look at its claim and the step has nothing left to put in place once another
//! one swept, and the step fails without a change.
//! Invariant: a_swept_generation_is_never_put_in_place.

use super::jail::{Jail, sync_folder};
use super::write::{self, UNFINISHED, clear, fill};
use super::{Modes, NO_FOLLOW, offload};
use crate::backend::Care;
use crate::shelf::{Shelf, Staged};
use crate::{Error, Result};
use async_trait::async_trait;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use rustix::fd::OwnedFd;
use rustix::fs::{Dir, Mode, RenameFlags, renameat, renameat_with, statat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ulid::Ulid;

/// A folder with its generations.
#[derive(Debug, Clone)]
pub struct Generations {
    beside: Arc<Jail>,
    name: String,
}

impl Generations {
    /// The folder `name` in `inside` below `anchor`, private to its owner.
    pub fn new(anchor: &Path, inside: &[&str], name: &str) -> Generations {
        let anchor: PathBuf = std::fs::canonicalize(anchor).unwrap_or_else(|_| anchor.to_owned());
        let inside = inside.iter().map(|segment| (*segment).to_owned()).collect();
        Generations { beside: Arc::new(Jail { anchor, inside, modes: Modes::Private }), name: name.to_owned() }
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&Jail, &str) -> Result<T> + Send + 'static) -> Result<T> {
        let (beside, name) = (Arc::clone(&self.beside), self.name.clone());
        offload(move || work(&beside, &name)).await
    }
}

#[async_trait]
impl Shelf for Generations {
    async fn sweep(&self) -> Result<()> {
        self.run(|beside, _| sweep(beside)).await
    }

    async fn stage(&self, files: Vec<(EntryPath, Clean)>) -> Result<Staged> {
        self.run(move |beside, _| {
            let name = format!("{UNFINISHED}{}.staging", Ulid::generate());
            let written = stage(beside, &name, &files);
            if written.is_err() {
                drop_from(beside, &name);
            }
            written.map(|()| Staged(name))
        })
        .await
    }

    async fn swap(&self, staged: Staged) -> Result<()> {
        self.run(move |beside, name| {
            let Some(folder) = beside.folder(None)? else { return Err(Error::Missing) };
            let before = put(&folder, &staged.0, name)?;
            sync_folder(&folder)?;
            if let Some(before) = before {
                // It is in place already; what cannot be cleared now is swept later.
                let _ = clear(&folder, &CString::new(before).unwrap_or_default());
            }
            Ok(())
        })
        .await
    }

    async fn discard(&self, staged: Staged) -> Result<()> {
        self.run(move |beside, _| {
            drop_from(beside, &staged.0);
            Ok(())
        })
        .await
    }

    async fn clear(&self) -> Result<()> {
        self.run(|beside, name| {
            sweep(beside)?;
            let path = EntryPath::parse(name).map_err(Error::from)?;
            write::remove(beside, &path)
        })
        .await
    }
}

/// Takes everything unfinished away. Each under another name first: a step that comes meanwhile finds a generation whole
/// or not at all.
fn sweep(beside: &Jail) -> Result<()> {
    let Some(folder) = beside.folder(None)? else { return Ok(()) };
    let mut names = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let name = entry?.file_name().to_owned();
        if name.to_bytes().starts_with(UNFINISHED.as_bytes()) {
            names.push(name);
        }
    }
    for name in names {
        let gone = CString::new(format!("{UNFINISHED}{}.gone", Ulid::generate())).unwrap_or_default();
        match renameat(&folder, &name, &folder, &gone) {
            Ok(()) => clear(&folder, &gone)?,
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

/// Writes all files of a generation, then makes every folder of it durable.
fn stage(beside: &Jail, name: &str, files: &[(EntryPath, Clean)]) -> Result<()> {
    let mut inside = beside.inside.clone();
    inside.push(name.to_owned());
    let jail = Jail { anchor: beside.anchor.clone(), inside, modes: beside.modes };
    let mut folders: BTreeMap<Option<EntryPath>, OwnedFd> = BTreeMap::from([(None, jail.make_folder(None)?.0)]);
    for (path, bytes) in files {
        let mut above = path.parent();
        while let Some(folder) = above {
            above = folder.parent();
            if !folders.contains_key(&Some(folder.clone())) {
                let made = jail.make_folder(Some(&folder))?.0;
                folders.insert(Some(folder), made);
            }
        }
        let Some(folder) = folders.get(&path.parent()) else { return Err(Error::Missing) };
        fill(folder, path.file_name(), bytes.as_bytes(), Some(Mode::from_raw_mode(0o600)), Care::Durable)?;
    }
    folders.values().try_for_each(sync_folder)
}

/// The step itself; answers the name under which the generation before lies now, if there was one.
fn put(folder: &OwnedFd, staged: &str, name: &str) -> Result<Option<String>> {
    match renameat_with(folder, staged, folder, name, RenameFlags::NOREPLACE) {
        Ok(()) => return Ok(None),
        Err(Errno::EXIST) => {}
        // Where names cannot be kept from being replaced, an empty place is looked for instead.
        Err(Errno::INVAL | Errno::NOSYS) if matches!(statat(folder, name, NO_FOLLOW), Err(Errno::NOENT)) => {
            return Ok(renameat(folder, staged, folder, name).map(|()| None)?);
        }
        Err(Errno::INVAL | Errno::NOSYS) => {}
        Err(errno) => return Err(errno.into()),
    }
    match renameat_with(folder, staged, folder, name, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Some(staged.to_owned())),
        // A file system that exchanges nothing: the one before steps aside, and comes back if the new one cannot come.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            statat(folder, staged, NO_FOLLOW)?;
            let aside = format!("{UNFINISHED}{}.gone", Ulid::generate());
            renameat(folder, name, folder, &aside)?;
            if let Err(errno) = renameat(folder, staged, folder, name) {
                renameat(folder, &aside, folder, name)?;
                return Err(errno.into());
            }
            Ok(Some(aside))
        }
        Err(errno) => Err(errno.into()),
    }
}

fn drop_from(beside: &Jail, name: &str) {
    if let (Ok(Some(folder)), Ok(name)) = (beside.folder(None), CString::new(name)) {
        let _ = clear(&folder, &name);
    }
}

#[cfg(test)]
mod tests;
