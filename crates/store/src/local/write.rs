//! Changes that happen wholly or not at all.
//!
//! A file is written beside its place, made durable, and renamed over it; then the folder is made durable.
//! Names of unfinished work start with `.loci-`, so a listing sees them and a sweep can take them away.

use super::jail::{Jail, Made, read_in, sync_folder};
use super::{Modes, NO_FOLLOW, meta, spare};
use crate::backend::{CUT_OFF, Care, Expect, Meta};
use crate::{Error, Result};
use loci_domain::path::EntryPath;
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, fchmod, fstat, fsync, openat, renameat, renameat_with, statat,
    unlinkat,
};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::io::Write;
use ulid::Ulid;

/// How the name of every unfinished piece of work starts.
pub(super) const UNFINISHED: &str = ".loci-";

pub(super) fn write(jail: &Jail, path: &EntryPath, bytes: &[u8], expect: Expect, care: Care) -> Result<Meta> {
    let (folder, made) = jail.make_folder(path.parent().as_ref())?;
    let ready = if care == Care::Durable { sync_made(&made) } else { Ok(()) };
    let written = ready.and_then(|()| replace(jail, &folder, path.file_name(), bytes, expect, care));
    if written.is_err() {
        unmake(&made);
    }
    written
}

fn replace(jail: &Jail, folder: &OwnedFd, name: &str, bytes: &[u8], expect: Expect, care: Care) -> Result<Meta> {
    let (mode, before) = check(jail, folder, name, expect)?;
    if care == Care::Derived
        && let Some(file) = spare::exchange(jail, folder, name, bytes)?
    {
        return meta(&fstat(&file)?);
    }
    let temporary = match care {
        Care::Durable => format!("{UNFINISHED}{}.tmp", Ulid::generate()),
        Care::Derived => {
            // One name, under the root's lock, so that the next process sees at a glance what a crash left.
            let _ = unlinkat(folder, CUT_OFF, AtFlags::empty());
            CUT_OFF.to_owned()
        }
    };
    let placed = fill(folder, &temporary, bytes, mode, care).and_then(|file| {
        match expect {
            Expect::Absent => renameat_with(folder, &temporary, folder, name, RenameFlags::NOREPLACE),
            Expect::Is(_) | Expect::Anything => renameat(folder, &temporary, folder, name),
        }
        .map_err(|errno| if errno == Errno::EXIST { Error::Exists } else { errno.into() })?;
        Ok(file)
    });
    let file = placed.inspect_err(|_| {
        let _ = unlinkat(folder, &temporary, AtFlags::empty());
    })?;
    if care == Care::Durable
        && let Err(error) = sync_folder(folder)
    {
        // Not durable, so not done: what was there comes back, as well as such a disk can do it.
        let _ = match before {
            Some(before) => fill(folder, &temporary, &before, mode, Care::Derived)
                .and_then(|_| Ok(renameat(folder, &temporary, folder, name)?)),
            None => unlinkat(folder, name, AtFlags::empty()).map_err(Error::from),
        };
        return Err(error);
    }
    // Of the open file and not of the name: an editor may have replaced it since.
    meta(&fstat(&file)?)
}

/// Compares what is there with what is expected; answers the mode that the new file shall have, and the bytes that it replaces.
fn check(jail: &Jail, folder: &OwnedFd, name: &str, expect: Expect) -> Result<(Option<Mode>, Option<Vec<u8>>)> {
    let private = Some(Mode::from_raw_mode(0o600));
    match expect {
        Expect::Absent => match statat(folder, name, NO_FOLLOW) {
            Err(Errno::NOENT) => Ok((private.filter(|_| jail.modes == Modes::Private), None)),
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => Err(Error::Link),
            Ok(_) => Err(Error::Exists),
            Err(errno) => Err(errno.into()),
        },
        Expect::Anything => match statat(folder, name, NO_FOLLOW) {
            Err(Errno::NOENT) => Ok((private.filter(|_| jail.modes == Modes::Private), None)),
            Ok(stat) => meta(&stat).map(|_| (private.filter(|_| jail.modes == Modes::Private), None)),
            Err(errno) => Err(errno.into()),
        },
        Expect::Is(digest) => {
            let blob = read_in(folder, name, u64::MAX >> 1)?;
            let now = blob.as_ref().map(|blob| blob.digest());
            if now != Some(digest) {
                return Err(Error::Changed { now });
            }
            let mode = match jail.modes {
                Modes::Private => private,
                Modes::Umask => Some(Mode::from_raw_mode(statat(folder, name, NO_FOLLOW)?.st_mode & 0o777)),
            };
            Ok((mode, blob.map(|blob| blob.bytes)))
        }
    }
}

/// Writes a new file; `mode` is forced, without one the umask decides.
pub(super) fn fill(
    folder: &OwnedFd,
    name: &str,
    bytes: &[u8],
    mode: Option<Mode>,
    care: Care,
) -> Result<std::fs::File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, mode.unwrap_or(Mode::from_raw_mode(0o666)))?;
    if let Some(mode) = mode {
        fchmod(&file, mode)?;
    }
    let mut file = std::fs::File::from(file);
    file.write_all(bytes).map_err(Error::io)?;
    if care == Care::Durable {
        fsync(&file)?;
    }
    Ok(file)
}

/// Takes away folders that were made for a write that then failed.
pub(super) fn unmake(made: &[Made]) {
    for Made { parent, name } in made.iter().rev() {
        let _ = unlinkat(parent, name, AtFlags::REMOVEDIR);
    }
}

pub(super) fn remove(jail: &Jail, path: &EntryPath) -> Result<()> {
    let Some((folder, name)) = jail.parent(path)? else { return Ok(()) };
    match statat(&folder, name, NO_FOLLOW) {
        Ok(stat) => drop(meta(&stat)?),
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
        Err(errno) => return Err(errno.into()),
    }
    // One rename takes a whole folder away; a crash after it leaves only what a sweep removes.
    let gone = format!("{UNFINISHED}{}.gone", Ulid::generate());
    match renameat(&folder, name, &folder, &gone) {
        Ok(()) => {}
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(errno.into()),
    }
    if let Err(error) = sync_folder(&folder) {
        let _ = renameat_with(&folder, &gone, &folder, name, RenameFlags::NOREPLACE);
        return Err(error);
    }
    // It is gone for good; what cannot be cleared now is swept later.
    let _ = clear(&folder, &CString::new(gone).unwrap_or_default());
    Ok(())
}

pub(super) fn remove_empty(jail: &Jail, folder: &EntryPath) -> Result<()> {
    let Some((parent, name)) = jail.parent(folder)? else { return Ok(()) };
    match unlinkat(&parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT | Errno::NOTDIR | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

pub(super) fn rename(jail: &Jail, from: &EntryPath, to: &EntryPath) -> Result<()> {
    if to != from && to.is_within(from) {
        return Err(Error::IntoItself);
    }
    let Some((source, name)) = jail.parent(from)? else { return Err(Error::Missing) };
    match statat(&source, name, NO_FOLLOW) {
        Ok(stat) => drop(meta(&stat)?),
        Err(Errno::NOENT) => return Err(Error::Missing),
        Err(errno) => return Err(errno.into()),
    }
    let (target, made) = jail.make_folder(to.parent().as_ref())?;
    let moved = sync_made(&made).and_then(|()| {
        renameat_with(&source, name, &target, to.file_name(), RenameFlags::NOREPLACE)
            .map_err(|errno| if errno == Errno::EXIST { Error::Exists } else { errno.into() })?;
        sync_folder(&target).and_then(|()| sync_folder(&source)).inspect_err(|_| {
            let _ = renameat_with(&target, to.file_name(), &source, name, RenameFlags::NOREPLACE);
        })
    });
    if moved.is_err() {
        unmake(&made);
    }
    moved
}

fn sync_made(made: &[Made]) -> Result<()> {
    made.iter().try_for_each(|made| sync_folder(&made.parent))
}

pub(super) fn sweep(jail: &Jail, folder: Option<&EntryPath>) -> Result<()> {
    let Some(folder) = jail.folder(folder)? else { return Ok(()) };
    let mut names = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let name = entry?.file_name().to_owned();
        if name.to_bytes().starts_with(UNFINISHED.as_bytes()) {
            names.push(name);
        }
    }
    names.iter().try_for_each(|name| clear(&folder, name))
}

/// Removes a file, a link, or a folder with all that is in it; links are removed, never followed.
pub(super) fn clear(folder: &OwnedFd, name: &CStr) -> Result<()> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(errno) => return Err(errno.into()),
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let inner = openat(folder, name, flags, Mode::empty())?;
    for entry in Dir::read_from(&inner)? {
        let entry = entry?;
        // By its very bytes: a name need not be text.
        if entry.file_name() != c"." && entry.file_name() != c".." {
            clear(&inner, entry.file_name())?;
        }
    }
    Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}
