//! What SQLite and the file system say, in the ledger's words.

use crate::Error;
use rusqlite::ErrorCode;
use rusqlite::ffi;
use std::io;
use std::path::Path;

/// An [`Error`] inside this engine. A type of our own, because only that may be made from what SQLite says with `?`.
#[derive(Debug)]
pub(super) struct Trouble(pub Error);

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble(error)
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Error {
        trouble.0
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        Trouble(match &error {
            rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Error::Corrupt(error.to_string()),
                ErrorCode::DiskFull => Error::Full,
                ErrorCode::ReadOnly => Error::ReadOnly,
                // A full disk shows as FULL where SQLite writes, but as this where it grows the shared memory file.
                ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Error::Full,
                // The file ends before a page that should be there.
                ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHORT_READ => {
                    Error::Corrupt(error.to_string())
                }
                _ => Error::Engine(error.to_string()),
            },
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::InvalidColumnType(..) => Error::Corrupt(error.to_string()),
            _ => Error::Engine(error.to_string()),
        })
    }
}

/// What a file operation on or beside the ledger says.
pub(super) fn io(error: &io::Error, path: &Path) -> Error {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full,
        _ => Error::Engine(format!("{}: {error}", path.display())),
    }
}

/// What a failure while opening for writing means: SQLite says only "cannot open" for a folder that may not be
/// written, a folder that is gone, and too many open files, so the folder is asked.
pub(super) fn opening(error: rusqlite::Error, folder: &Path) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => match std::fs::File::open(folder) {
            Ok(_) => Error::ReadOnly,
            Err(error) => io(&error, folder),
        },
        _ => Trouble::from(error).0,
    }
}

/// Bytes of the ledger that make no sense.
pub(super) fn damaged(what: impl Into<String>) -> Trouble {
    Trouble(Error::Corrupt(what.into()))
}

/// True for a row or page that cannot be read, as against a ledger that cannot be read now.
pub(super) fn is_damage(trouble: &Trouble) -> bool {
    matches!(trouble.0, Error::Corrupt(_))
}
