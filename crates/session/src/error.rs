//! What can go wrong with records, files and turns, in words that name no path of the machine.

use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::form::Bad;
use loci_domain::path::BadPath;

/// A failure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field is not as it must be.
    #[error(transparent)]
    Form(#[from] Bad),
    /// The path breaks the grammar, or is not the caller's to change.
    #[error("{0}")]
    Path(String),
    /// A link is on the way.
    #[error("a link is on the way to that file; links are not followed")]
    Link,
    /// Nothing is there.
    #[error("there is no {what} {id}")]
    Missing {
        /// Which kind of thing.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// A record names another one that is not there.
    #[error("the {what} {id} is not there; {advice}")]
    Dangling {
        /// Which kind of thing.
        what: &'static str,
        /// Its id.
        id: String,
        /// What to do.
        advice: &'static str,
    },
    /// A file is where another one is to go.
    #[error("there is a file at newPath already")]
    Occupied {
        /// Its version; `None` = it is a folder.
        now: Option<Digest>,
    },
    /// The file is not what the caller expects.
    #[error("the file is not what you expect; read it again")]
    Conflict {
        /// Its version now; `None` = it is not there.
        now: Option<Digest>,
    },
    /// Somebody else changed the record at the same moment.
    #[error("the record was changed meanwhile; try again")]
    Raced,
    /// A name is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// Not a text file.
    #[error("it is no text file (UTF-8 without NUL bytes)")]
    NotText,
    /// Over a size cap.
    #[error("it has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The cap.
        limit: u64,
    },
    /// There are too many of them.
    #[error("there are {0} already, that is the limit")]
    Full(usize),
    /// Another turn has the conversation.
    #[error("another turn is under way in this conversation until {0}; try again when it is over")]
    Busy(Timestamp),
    /// Another turn took the conversation over.
    #[error("another turn has taken this conversation over; this one writes nothing any more")]
    LeaseLost,
    /// The turn is over.
    #[error("this turn is over")]
    TurnFinished,
    /// A file cannot be handled.
    #[error("{0}")]
    File(String),
    /// Memory, files or rows failed.
    #[error(transparent)]
    Memory(#[from] loci_memory::Error),
}

/// What this room answers.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Which kind of failure it is.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Form(_) | Error::Path(_) | Error::NotText | Error::Dangling { .. } | Error::File(_) => {
                Fault::Invalid
            }
            Error::Link => Fault::Denied,
            Error::Missing { .. } => Fault::Missing,
            Error::Conflict { .. } | Error::Occupied { .. } | Error::Raced | Error::Taken(_) => Fault::Conflict,
            Error::TooLarge { .. } | Error::Full(_) => Fault::Limit,
            Error::Busy(_) | Error::LeaseLost | Error::TurnFinished => Fault::Conflict,
            Error::Memory(error) => error.fault(),
        }
    }

    /// A stable word for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Form(_) => "invalid_field",
            Error::Path(_) => "invalid_path",
            Error::Link => "link_refused",
            Error::Missing { what, .. } => match *what {
                "account" => "account_not_found",
                "workspace" => "workspace_not_found",
                "agent" => "agent_not_found",
                "sandbox" => "sandbox_not_found",
                "conversation" => "conversation_not_found",
                "turn" => "turn_not_found",
                _ => "not_found",
            },
            Error::Dangling { .. } => "invalid_reference",
            Error::Conflict { .. } | Error::Occupied { .. } | Error::Raced | Error::Taken(_) => "conflict",
            Error::NotText => "not_text",
            Error::TooLarge { .. } => "file_too_large",
            Error::Full(_) => "limit",
            Error::Busy(_) => "conversation_busy",
            Error::LeaseLost => "lease_lost",
            Error::TurnFinished => "turn_finished",
            Error::File(_) => "invalid_file",
            Error::Memory(error) => error.code(),
        }
    }
}

impl From<loci_store::record::Error> for Error {
    fn from(error: loci_store::record::Error) -> Error {
        Error::Memory(error.into())
    }
}

impl From<BadPath> for Error {
    fn from(bad: BadPath) -> Error {
        Error::Path(match bad {
            BadPath::Escape(_) | BadPath::Foreign(_) => "the path would leave the workspace".to_owned(),
            BadPath::Invalid { reason, .. } => format!("a path is relative to the workspace, as notes/a.md: {reason}"),
        })
    }
}

impl From<loci_store::Error> for Error {
    fn from(error: loci_store::Error) -> Error {
        use loci_store::Error as Store;
        match error {
            Store::Path(bad) => bad.into(),
            Store::Link => Error::Link,
            Store::Changed { now } => Error::Conflict { now },
            Store::TooLarge { bytes, limit } => Error::TooLarge { bytes, limit },
            Store::Folder | Store::InTheWay | Store::Odd | Store::IntoItself => Error::File(error.to_string()),
            Store::Missing => Error::Missing { what: "file", id: "of that path".to_owned() },
            other => Error::Memory(other.into()),
        }
    }
}
