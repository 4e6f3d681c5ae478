//! Opening the ledger of a home, whatever state it is in.

use super::{Damage, home};
use crate::fault::Failure;
use loci_ledger::Sqlite;
use loci_store::lock::private_dirs;
use loci_store::record::Error as RecordError;
use std::path::Path;

/// Opens the ledger; a damaged one is set aside, and what can be read of it is kept.
/// True beside it: it lives in memory for this one command.
pub(super) fn open_ledger(home: &Path, damage: Damage, warnings: &mut Vec<String>) -> Result<(Sqlite, bool), Failure> {
    let file = home.join("loci.db");
    if let Err(error) = private_dirs(home) {
        return unwritable(loci_store::Error::io(error), warnings);
    }
    match Sqlite::open(&file) {
        Ok(ledger) => Ok((ledger, false)),
        Err(RecordError::Corrupt(_)) if damage == Damage::Mended => {
            let repaired = Sqlite::repair(&file)?;
            let aside = repaired.aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            warnings.push(format!(
                "the ledger was damaged and is rebuilt from the files; the old one is kept as {aside} ({} changes of the journal were saved)",
                repaired.changes
            ));
            Ok((Sqlite::open(&file)?, false))
        }
        Err(RecordError::ReadOnly) => unwritable(loci_store::Error::ReadOnlyDisk, warnings),
        Err(error) => Err(error.into()),
    }
}

/// Looks at every page of the ledger and repairs it if one is damaged; answers what was done.
pub async fn mend_ledger() -> Result<Option<String>, Failure> {
    let file = home()?.join("loci.db");
    let damaged = match Sqlite::open(&file) {
        Ok(ledger) => !ledger.check().await?.is_empty(),
        Err(_) => return Ok(None),
    };
    if !damaged {
        return Ok(None);
    }
    let aside = Sqlite::repair(&file)?.aside;
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(format!("was damaged and is rebuilt from the files; the old one is kept as {name}")))
}

/// A home that cannot be written can still be read: the ledger then lives in memory for this one command.
fn unwritable(error: loci_store::Error, warnings: &mut Vec<String>) -> Result<(Sqlite, bool), Failure> {
    match error {
        loci_store::Error::ReadOnlyDisk => {
            warnings.push("the home is read-only: usage, pins and the journal are not available".to_owned());
            Ok((Sqlite::in_memory()?, true))
        }
        other => Err(other.into()),
    }
}
