//! Who is in the house: `ledger.lock` beside the ledger.
//!
//! Every open ledger holds it shared; a repair holds it alone, so it never swaps the file under somebody's feet.
//! The lock ends with the process, whatever ends the process.

use super::Result;
use super::{fault, file};
use crate::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an open waits for a repair.
const OPEN_WAITS: Duration = Duration::from_secs(10);
/// How long a repair waits for the others to go.
const REPAIR_WAITS: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// The lock, for as long as it lives.
pub(super) struct Guard {
    _file: File,
}

/// Joins the others that have the ledger open.
pub(super) fn shared(db: &Path) -> Result<Guard> {
    hold(db, OPEN_WAITS, File::try_lock_shared)
}

/// Waits until nobody else has the ledger open.
pub(super) fn alone(db: &Path) -> Result<Guard> {
    hold(db, REPAIR_WAITS, File::try_lock)
}

fn hold(db: &Path, wait: Duration, lock: fn(&File) -> std::result::Result<(), TryLockError>) -> Result<Guard> {
    let path = file::folder(db).join("ledger.lock");
    let opened = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path);
    let file = opened.map_err(|error| fault::io(&error, &path))?;
    let until = Instant::now() + wait;
    loop {
        match lock(&file) {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(Error::Busy.into()),
            Err(TryLockError::Error(error)) => return Err(fault::io(&error, &path).into()),
        }
    }
    file::tighten(&path);
    Ok(Guard { _file: file })
}
