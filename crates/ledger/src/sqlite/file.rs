//! The database file as a file: made with the right mode, and known again by its inode.
//!
//! Never opens an existing database file: closing it would drop the POSIX locks that SQLite holds on it in this process.

use super::Result;
use super::fault;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What SQLite keeps beside a database.
pub(super) const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What a repair calls the new ledger once that is whole, until it lies in its place.
pub(super) const READY: &str = ".ready";

/// Which file it is, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    fn of(stat: &Metadata) -> FileId {
        FileId { device: stat.dev(), inode: stat.ino() }
    }

    /// True while the path still names this file, and nobody emptied it.
    pub(super) fn is_at(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|stat| FileId::of(&stat) == self && stat.len() > 0)
    }
}

/// What was found at the path.
pub(super) struct Found {
    pub(super) id: FileId,
    /// It had lain there empty for a while: somebody took away what it held.
    pub(super) emptied: bool,
}

/// Finds the file, or makes one that only its owner can read.
pub(super) fn ensure(path: &Path) -> Result<Found> {
    let stat = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
        other => other,
    };
    let stat = stat.map_err(|error| fault::io(&error, path))?;
    tighten_from(path, &stat);
    // Another process that makes it right now leaves it empty too, but only for a moment.
    let old = stat.modified().ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > Duration::from_secs(2));
    Ok(Found { id: FileId::of(&stat), emptied: stat.len() == 0 && old })
}

/// Makes the file under a lock on its folder, so that two processes never both think it missing: empty, or what a repair
/// that was cut off left ready.
///
/// It gets its name only after it was closed (see the module docs). A log without its database would be replayed into
/// the new one, or be shared with a process that still has the old one open: it goes first.
fn create(path: &Path) -> io::Result<Metadata> {
    let folder = File::open(folder(path))?;
    folder.lock()?;
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    for companion in COMPANIONS {
        remove(&beside(path, companion))?;
    }
    match fs::rename(beside(path, READY), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let fresh = beside(path, ".fresh");
            remove(&fresh)?;
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
            fs::set_permissions(&fresh, Permissions::from_mode(0o600))?;
            fs::rename(&fresh, path)?;
        }
        other => other?,
    }
    folder.sync_all()?;
    fs::metadata(path)
}

/// Removes a file; one that is not there is fine.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// `loci.db` and `-wal` make `loci.db-wal`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The folder that it lies in.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Takes everybody else's rights away, if that is ours to do.
pub(super) fn tighten(path: &Path) {
    if let Ok(stat) = fs::metadata(path) {
        tighten_from(path, &stat);
    }
}

fn tighten_from(path: &Path, stat: &Metadata) {
    if stat.permissions().mode() & 0o777 != 0o600
        && let Err(error) = fs::set_permissions(path, Permissions::from_mode(0o600))
    {
        tracing::debug!(path = %path.display(), %error, "the mode stays as it is");
    }
}
