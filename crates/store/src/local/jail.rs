//! Opening what lies below the anchor, and nothing else.

use super::{Modes, NO_FOLLOW, meta};
use crate::backend::{Blob, Meta, Node};
use crate::{Error, Result};
use loci_domain::path::EntryPath;
use rustix::fd::OwnedFd;
use rustix::fs::{FileType, Mode, OFlags, fchmod, fstat, fsync, mkdirat, open, openat, statat};
use rustix::io::Errno;
use std::io::Read;
use std::path::PathBuf;

pub(super) struct Jail {
    pub anchor: PathBuf,
    pub inside: Vec<String>,
    pub modes: Modes,
}

/// A folder that a write had to make.
pub(super) struct Made {
    pub parent: OwnedFd,
    pub name: String,
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC).union(OFlags::RDONLY);

impl std::fmt::Debug for Jail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.anchor.display(), self.inside.join("/"))
    }
}

impl Jail {
    /// The folder at `path` (`None` = the root); `None` when it or a parent is missing.
    pub fn folder(&self, path: Option<&EntryPath>) -> Result<Option<OwnedFd>> {
        let anchor = match open(&self.anchor, FOLDER, Mode::empty()) {
            Ok(anchor) => anchor,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        let segments: Vec<&str> = self.segments(path).collect();
        if segments.is_empty() {
            return Ok(Some(anchor));
        }
        match below(&anchor, &segments) {
            Ok(folder) => Ok(Some(folder)),
            Err(Error::Missing) => Ok(None),
            // Below a file there is nothing; but a file in place of the root itself is not an empty memory.
            Err(Error::InTheWay) if path.is_some() => self.folder(None).map(|_| None),
            Err(error) => Err(error),
        }
    }

    /// The folder at `path`, made with its parents where missing; also says what was made, outermost first.
    pub fn make_folder(&self, path: Option<&EntryPath>) -> Result<(OwnedFd, Vec<Made>)> {
        if let Some(folder) = self.folder(path)? {
            return Ok((folder, Vec::new()));
        }
        if !self.anchor.exists() {
            crate::lock::private_dirs(&self.anchor).map_err(Error::io)?;
        }
        let mut made = Vec::new();
        match self.make_steps(path, &mut made) {
            Ok(folder) => Ok((folder, made)),
            Err(error) => {
                super::write::unmake(&made);
                Err(error)
            }
        }
    }

    fn make_steps(&self, path: Option<&EntryPath>, made: &mut Vec<Made>) -> Result<OwnedFd> {
        let mut here = open(&self.anchor, FOLDER, Mode::empty())?;
        for segment in self.segments(path) {
            let mode = Mode::from_raw_mode(if self.modes == Modes::Private { 0o700 } else { 0o777 });
            let parent = here.try_clone().map_err(Error::io)?;
            let fresh = match mkdirat(&here, segment, mode) {
                Ok(()) => true,
                Err(Errno::EXIST) => false,
                Err(errno) => return Err(errno.into()),
            };
            if fresh {
                made.push(Made { parent, name: segment.to_owned() });
            }
            here = below(&here, &[segment])?;
            if fresh && self.modes == Modes::Private {
                // Whatever the umask took away.
                fchmod(&here, mode)?;
            }
        }
        Ok(here)
    }

    /// The folder that holds `path`, and the name in it.
    pub fn parent<'p>(&self, path: &'p EntryPath) -> Result<Option<(OwnedFd, &'p str)>> {
        Ok(self.folder(path.parent().as_ref())?.map(|folder| (folder, path.file_name())))
    }

    pub fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        let Some(path) = path else {
            return self.folder(None)?.map(|root| meta(&fstat(&root)?)).transpose();
        };
        let Some((folder, name)) = self.parent(path)? else { return Ok(None) };
        match statat(&folder, name, NO_FOLLOW) {
            Ok(stat) => meta(&stat).map(Some),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    pub fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        match self.parent(path)? {
            Some((folder, name)) => read_in(&folder, name, limit),
            None => Ok(None),
        }
    }

    fn segments<'p>(&'p self, path: Option<&'p EntryPath>) -> impl Iterator<Item = &'p str> {
        let inner = path.map_or("", EntryPath::as_str);
        self.inside.iter().map(String::as_str).chain(inner.split('/').filter(|segment| !segment.is_empty()))
    }
}

/// Reads a file of an open folder, never through a link and never from a pipe or device.
pub(super) fn read_in(folder: &OwnedFd, name: &str, limit: u64) -> Result<Option<Blob>> {
    // NONBLOCK: opening a pipe must not wait for somebody to write to it.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(folder, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        // A socket or a device without a driver cannot be opened at all.
        Err(Errno::NXIO | Errno::NODEV) => return Err(Error::Odd),
        Err(errno) => return Err(errno.into()),
    };
    let meta = meta(&fstat(&file)?)?;
    if meta.node == Node::Folder {
        return Err(Error::Folder);
    }
    if meta.bytes > limit {
        return Err(Error::TooLarge { bytes: meta.bytes, limit });
    }
    let mut bytes = Vec::with_capacity(meta.bytes as usize + 1);
    std::fs::File::from(file).take(limit + 1).read_to_end(&mut bytes).map_err(Error::io)?;
    if bytes.len() as u64 > limit {
        return Err(Error::TooLarge { bytes: bytes.len() as u64, limit });
    }
    Ok(Some(Blob { bytes, meta }))
}

/// Makes the entries of a folder durable.
pub(super) fn sync_folder(folder: &OwnedFd) -> Result<()> {
    Ok(fsync(folder)?)
}

/// Opens a folder below an open one, refusing every link on the way.
fn below(from: &OwnedFd, segments: &[&str]) -> Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match openat2(from, segments.join("/"), FOLDER, Mode::empty(), resolve) {
            Err(Errno::NOSYS | Errno::PERM) => {}
            other => return Ok(other?),
        }
    }
    step_by_step(from, segments)
}

/// The same where the kernel has no `openat2`: one component at a time.
fn step_by_step(from: &OwnedFd, segments: &[&str]) -> Result<OwnedFd> {
    let mut here = from.try_clone().map_err(Error::io)?;
    for segment in segments {
        here = match openat(&here, *segment, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(next) => next,
            // A link gives ENOTDIR here, as a file does.
            Err(Errno::NOTDIR) => {
                let stat = statat(&here, *segment, NO_FOLLOW)?;
                let link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
                return Err(if link { Error::Link } else { Error::InTheWay });
            }
            Err(errno) => return Err(errno.into()),
        };
    }
    Ok(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_opening_refuse_links() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a/b")).unwrap();
        std::fs::write(dir.path().join("file"), "x").unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("inner")).unwrap();
        std::os::unix::fs::symlink("/", dir.path().join("outer")).unwrap();
        let root = open(dir.path(), FOLDER, Mode::empty()).unwrap();
        for open_below in [below, step_by_step] {
            assert!(open_below(&root, &["a", "b"]).is_ok());
            assert!(matches!(open_below(&root, &["inner", "b"]), Err(Error::Link)));
            assert!(matches!(open_below(&root, &["outer"]), Err(Error::Link)));
            assert!(matches!(open_below(&root, &["file"]), Err(Error::InTheWay)));
            assert!(matches!(open_below(&root, &["none"]), Err(Error::Missing)));
        }
    }
}
