//! What the fence says when it turns a call away.

use crate::Error;

/// A denial, in words for the model.
#[derive(Debug)]
pub(super) enum No {
    /// It would have left memory.
    Escape(String),
    /// It would have written another scope.
    Scope(String),
    Other(String),
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

    /// A bad path is an attempt to leave when it was to be written.
    pub(super) fn for_writing(self) -> No {
        match self {
            No::Other(words) if words.starts_with("Path ") => No::Escape(words),
            no => no,
        }
    }
}

pub(super) fn missing(given: &str) -> No {
    No::other(format!("The path {given} does not exist."))
}
