//! What can go wrong with files, in words that name no path of the machine.

use crate::record;
use loci_domain::access::ReadOnly;
use loci_domain::fault::Fault;
use loci_domain::path::BadPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::Refused;

/// A failure of the store.
///
/// Texts that a model reads follow the published contract of the memory tool; they carry virtual paths only.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path breaks the grammar.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// The mode allows only looking.
    #[error(transparent)]
    Access(#[from] ReadOnly),
    /// The text holds a secret.
    #[error("{0}")]
    Secret(#[from] Refused),
    /// A link is on the way.
    #[error("Path would escape /memories directory via symlink")]
    Link,
    /// Neither file nor folder.
    #[error("not a regular file")]
    Odd,
    /// A folder where a file was expected.
    #[error("it is a directory")]
    Folder,
    /// A file where a folder was expected.
    #[error("a file is in the way of a directory")]
    InTheWay,
    /// Nothing is there.
    #[error("it does not exist")]
    Missing,
    /// Something is there already.
    #[error("it already exists")]
    Exists,
    /// A folder cannot move below itself.
    #[error("a directory cannot be moved into itself")]
    IntoItself,
    /// The file is not what the caller saw.
    #[error("the file was changed meanwhile")]
    Changed {
        /// What it is now; `None` = it is gone.
        now: Option<loci_domain::digest::Digest>,
    },
    /// Over a size cap.
    #[error("it has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The cap.
        limit: u64,
    },
    /// Somebody else keeps the root's lock.
    #[error("another process has been changing this memory for too long; try again")]
    Busy,
    /// The scope is not to be had here; the others are.
    #[error("The {scope} memory scope is unavailable: {reason}")]
    Unavailable {
        /// Which scope.
        scope: Scope,
        /// Why, and what to do.
        reason: String,
    },
    /// The command itself says no, in its own words.
    #[error("{text}")]
    Refused {
        /// Which kind of no.
        fault: Fault,
        /// The words.
        text: String,
    },
    /// No space is left.
    #[error("the disk is full; nothing was changed")]
    Full,
    /// The disk cannot be written.
    #[error("the file system is read-only; nothing was changed")]
    ReadOnlyDisk,
    /// The ledger's folder cannot be written, so no journal would keep what a change replaces.
    #[error(
        "the home is read-only, so no journal can keep this change; nothing was changed. \
         Make the home writable for you, or set LOCI_HOME to a folder that is"
    )]
    ReadOnlyHome,
    /// This user may not look at it.
    #[error("permission denied; look who may read and write it")]
    Forbidden,
    /// Anything else that the system says.
    #[error("the file system says: {0}")]
    Io(String),
    /// The recorder failed.
    #[error(transparent)]
    Record(#[from] record::Error),
}

/// What the store answers.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Which kind of failure it is.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Path(_) | Error::Folder | Error::InTheWay | Error::IntoItself | Error::Odd => Fault::Invalid,
            Error::Access(_) | Error::Link => Fault::Denied,
            Error::Secret(_) => Fault::Secret,
            Error::Missing => Fault::Missing,
            Error::Exists | Error::Changed { .. } => Fault::Conflict,
            Error::TooLarge { .. } => Fault::Limit,
            Error::Busy => Fault::Busy,
            Error::Unavailable { .. } | Error::Full | Error::Forbidden | Error::Io(_) => Fault::Offline,
            Error::ReadOnlyDisk | Error::ReadOnlyHome => Fault::Offline,
            Error::Refused { fault, .. } => *fault,
            Error::Record(error) => error.fault(),
        }
    }

    /// True when there is no room to write anything.
    pub fn is_no_space(&self) -> bool {
        matches!(self, Error::Full | Error::Record(record::Error::Full))
    }

    /// True when something lies there that is no file of memory: a folder, a link, a pipe, a file past all limits.
    pub fn is_other_node(&self) -> bool {
        matches!(self, Error::Folder | Error::Link | Error::Odd | Error::InTheWay | Error::TooLarge { .. })
    }

    /// A refusal in the command's own words.
    pub fn refused(fault: Fault, text: impl Into<String>) -> Error {
        Error::Refused { fault, text: text.into() }
    }

    /// What the system said, without the path that it may name.
    pub fn io(error: std::io::Error) -> Error {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Full,
            ErrorKind::ReadOnlyFilesystem => Error::ReadOnlyDisk,
            ErrorKind::PermissionDenied => Error::Forbidden,
            ErrorKind::InvalidFilename => Error::refused(Fault::Invalid, "a name is too long for this file system"),
            ErrorKind::NotFound => Error::Missing,
            ErrorKind::AlreadyExists => Error::Exists,
            ErrorKind::NotADirectory => Error::InTheWay,
            ErrorKind::IsADirectory => Error::Folder,
            // `Display` of an OS error has no path in it; one made by a library may.
            _ if error.raw_os_error().is_some() => Error::Io(error.to_string()),
            kind => Error::Io(kind.to_string()),
        }
    }
}

impl From<rustix::io::Errno> for Error {
    fn from(errno: rustix::io::Errno) -> Error {
        match errno {
            rustix::io::Errno::LOOP => Error::Link,
            errno => Error::io(errno.into()),
        }
    }
}
