//! Derived files that change places with a spare, so that a change of the index leaves no dead inode behind.
//!
//! Replacing a file by rename kills its old inode, and ext4 looks at every inode that died in the last minutes
//! before it makes a new one: with an index that changes at every write, that was a third of the CPU of a write.
//! A file that is exchanged with a spare in the home keeps both inodes alive. Whoever still reads the old one has it
//! whole until the change after the next.

use super::Modes;
use super::jail::Jail;
use crate::Result;
use loci_domain::digest::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, fchmod, fstat, ftruncate, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The folder of the home in which spares lie.
const FOLDER: &str = "spare";

/// Takes the spare of a folder's index away, for it holds an older text of it: called when the folder itself goes.
/// One that is not there is gone already.
pub fn drop_spare(home: &Path, inside: &[&str]) -> Result<()> {
    let spare = home.join(FOLDER).join(spare_of(&inside.join("/"), loci_domain::path::INDEX));
    match std::fs::remove_file(spare) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(crate::Error::io(error)),
        _ => Ok(()),
    }
}

/// Writes bytes to the spare and exchanges it with an existing file. `None` = not here: another way must do.
/// Called only while the root's lock is held, so nobody else has the spare.
pub(super) fn exchange(jail: &Jail, folder: &OwnedFd, name: &str, bytes: &[u8]) -> Result<Option<std::fs::File>> {
    if jail.modes != Modes::Private || jail.inside.is_empty() {
        return Ok(None);
    }
    let home = Jail { anchor: jail.anchor.clone(), inside: vec![FOLDER.to_owned()], modes: Modes::Private };
    let (spares, _) = home.make_folder(None)?;
    let spare = spare_of(&jail.inside.join("/"), name);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o600);
    let file = openat(&spares, &spare, flags, mode)?;
    let stat = fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink != 1 {
        // Somebody put it there, or linked to it: it is not ours to write into.
        let _ = unlinkat(&spares, &spare, AtFlags::empty());
        return Ok(None);
    }
    if Mode::from_raw_mode(stat.st_mode) != mode {
        fchmod(&file, mode)?;
    }
    let mut file = std::fs::File::from(file);
    file.write_all(bytes).map_err(crate::Error::io)?;
    // Cut after writing and not before: ext4 takes a file that was emptied for one that is being replaced, and sends it
    // to the disk when it is closed; the next change then waited milliseconds for that.
    if stat.st_size != bytes.len() as i64 {
        ftruncate(&file, bytes.len() as u64)?;
    }
    match renameat_with(&spares, &spare, folder, name, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Some(file)),
        // Nothing to exchange it with yet, or a file system that cannot.
        Err(Errno::NOENT | Errno::XDEV | Errno::INVAL | Errno::NOSYS) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

/// The name of the spare of a file in a folder.
fn spare_of(folder: &str, name: &str) -> String {
    Digest::of(format!("{folder}/{name}").as_bytes()).to_string()[..16].to_owned()
}
