//! Changes that happen wholly or not at all.
//!
//! A file is written beside its place, made durable, and renamed over it; then the folder is made durable.
//! Names of unfinished work start with `.loci-`, so a listing sees them and a sweep can take them away.

use super::jail::{Jail, Made, read_in, sync_folder};
use super::{Modes, NO_FOLLOW, meta};
use crate::backend::{Care, Expect, Meta};
use crate::{Error, Result};
use loci_domain::path::EntryPath;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, fchmod, fstat, fsync, openat, renameat, renameat_with, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::io::Write;
use ulid::Ulid;

/// How the name of every unfinished piece of work starts.
pub(super) const UNFINISHED: &str = ".loci-";

pub(super) fn write(jail: &Jail, path: &EntryPath, bytes: &[u8], expect: Expect, care: Care) -> Result<Meta> {
    let (folder, made) = jail.make_folder(path.parent().as_ref())?;
    let written = replace(jail, &folder, path.file_name(), bytes, expect, care);
    match &written {
        Ok(_) if care == Care::Durable => made.iter().try_for_each(|made| sync_folder(&made.parent))?,
        Ok(_) => {}
        Err(_) => unmake(&made),
    }
    written
}

fn replace(jail: &Jail, folder: &OwnedFd, name: &str, bytes: &[u8], expect: Expect, care: Care) -> Result<Meta> {
    let mode = check(jail, folder, name, expect)?;
    let temporary = format!("{UNFINISHED}{}.tmp", Ulid::generate());
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
    if care == Care::Durable {
        sync_folder(folder)?;
    }
    // Of the open file and not of the name: an editor may have replaced it since.
    meta(&fstat(&file)?)
}

/// Compares what is there with what is expected; answers the mode that the new file shall have.
fn check(jail: &Jail, folder: &OwnedFd, name: &str, expect: Expect) -> Result<Option<Mode>> {
    let private = Some(Mode::from_raw_mode(0o600));
    match expect {
        Expect::Absent => match statat(folder, name, NO_FOLLOW) {
            Err(Errno::NOENT) => Ok(private.filter(|_| jail.modes == Modes::Private)),
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => Err(Error::Link),
            Ok(_) => Err(Error::Exists),
            Err(errno) => Err(errno.into()),
        },
        Expect::Anything => match statat(folder, name, NO_FOLLOW) {
            Err(Errno::NOENT) => Ok(private.filter(|_| jail.modes == Modes::Private)),
            Ok(stat) => meta(&stat).map(|_| private.filter(|_| jail.modes == Modes::Private)),
            Err(errno) => Err(errno.into()),
        },
        Expect::Is(digest) => {
            let now = read_in(folder, name, u64::MAX >> 1)?;
            let now = now.map(|blob| blob.digest());
            if now != Some(digest) {
                return Err(Error::Changed { now });
            }
            match jail.modes {
                Modes::Private => Ok(private),
                Modes::Umask => Ok(Some(Mode::from_raw_mode(statat(folder, name, NO_FOLLOW)?.st_mode & 0o777))),
            }
        }
    }
}

/// Writes a new file; `mode` is forced, without one the umask decides.
fn fill(folder: &OwnedFd, name: &str, bytes: &[u8], mode: Option<Mode>, care: Care) -> Result<std::fs::File> {
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
    match unlinkat(&folder, name, AtFlags::empty()) {
        Ok(()) => sync_folder(&folder),
        Err(Errno::NOENT) => Ok(()),
        Err(Errno::ISDIR | Errno::PERM) => {
            // One rename takes the whole folder away; a crash after it leaves only what a sweep removes.
            let gone = format!("{UNFINISHED}{}.gone", Ulid::generate());
            renameat(&folder, name, &folder, &gone)?;
            sync_folder(&folder)?;
            clear(&folder, &CString::new(gone).unwrap_or_default())
        }
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
    let moved = renameat_with(&source, name, &target, to.file_name(), RenameFlags::NOREPLACE);
    if let Err(errno) = moved {
        unmake(&made);
        return Err(if errno == Errno::EXIST { Error::Exists } else { errno.into() });
    }
    made.iter().try_for_each(|made| sync_folder(&made.parent))?;
    sync_folder(&target)?;
    sync_folder(&source)
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
fn clear(folder: &OwnedFd, name: &CStr) -> Result<()> {
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
