//! What the fence says when it turns a call away.

use crate::Error;
use loci_domain::path::BadPath;

/// A denial, in words for the model.
#[derive(Debug)]
pub(super) enum No {
    /// It would have left memory.
    Escape(String),
    /// It would have written another scope.
    Scope(String),
    /// The path is none of memory.
    Path(BadPath),
    Other(String),
}

impl std::fmt::Display for No {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            No::Escape(words) | No::Scope(words) | No::Other(words) => f.write_str(words),
            No::Path(bad) => bad.fmt(f),
        }
    }
}

impl No {
    pub(super) fn other(words: impl Into<String>) -> No {
        No::Other(words.into())
    }

    /// What is wrong with a file that was to be read.
    pub(super) fn to_read(given: &str, error: Error) -> No {
        use loci_store::Error as Store;
        No::other(match error {
            Error::Store(Store::Folder) => format!("{given} is a folder; use ls."),
            Error::Store(Store::InTheWay | Store::Missing) => return missing(given),
            Error::Store(Store::TooLarge { bytes, limit }) => {
                format!("{given} would have {bytes} bytes; the limit is {limit}.")
            }
            other => other.to_string(),
        })
    }

    /// The same for one that was to be written, where a link would have led out of memory.
    pub(super) fn to_write(given: &str, error: Error) -> No {
        use loci_store::Error as Store;
        match error {
            Error::Store(Store::Link) => No::Escape(Store::Link.to_string()),
            Error::Store(Store::InTheWay) => No::other(format!("A file is in the way of {given}.")),
            other => No::to_read(given, other),
        }
    }

    /// A path that leads elsewhere is an attempt to leave when it was to be written.
    pub(super) fn for_writing(self) -> No {
        match self {
            No::Path(bad @ (BadPath::Foreign(_) | BadPath::Escape(_))) => No::Escape(bad.to_string()),
            no => no,
        }
    }
}

pub(super) fn missing(given: &str) -> No {
    No::other(format!("The path {given} does not exist."))
}
