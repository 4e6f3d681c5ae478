//! What can go wrong with a verb.

use loci_domain::fault::Fault;

/// A failure of a verb, in words for a person.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store says no.
    #[error(transparent)]
    Store(#[from] loci_store::Error),
    /// Nothing is at that path.
    #[error("{0} does not exist")]
    Missing(String),
    /// A file is needed.
    #[error("{0} is a directory, not a file")]
    NotAFile(String),
    /// A document is needed, and a folder was named.
    #[error("{0} is a folder; name a document in it (loci list shows them)")]
    Folder(String),
    /// Over the size cap.
    #[error("{path} has {bytes} bytes; the limit is {limit}. Split it into smaller files by topic, or remove it")]
    TooLarge {
        /// Which file.
        path: String,
        /// Its size.
        bytes: u64,
        /// The cap.
        limit: u64,
    },
    /// What the system says of a file.
    #[error("{path}: {error}")]
    Unread {
        /// Which file.
        path: String,
        /// What it says.
        error: loci_store::Error,
    },
    /// A root stays where it is.
    #[error("Cannot {verb} the {root} directory itself")]
    Root {
        /// What was to be done to it.
        verb: &'static str,
        /// Which one.
        root: String,
    },
    /// Something is in the way.
    #[error("{0} already exists")]
    Exists(String),
    /// The file is not what was seen.
    #[error("{path} was changed meanwhile; it stays as it is")]
    Changed {
        /// Which file.
        path: String,
    },
    /// It is no text.
    #[error("{0} is not a text file")]
    NotText(String),
    /// It is made by Loci.
    #[error("MEMORY.md is generated; edit the documents that it lists")]
    Generated,
    /// A person pinned it, and a machine asked.
    #[error("{0} is pinned; only a person may change it")]
    Pinned(String),
    /// Scopes do not exchange files by renaming.
    #[error("a memory stays in its scope; create it there and remove it here")]
    OtherScope,
    /// No change or group has this name.
    #[error("no change or group is called {0}")]
    NoSuchChange(String),
    /// All is undone.
    #[error("nothing is left to undo")]
    NothingToUndo,
    /// No receipt has this id, or it is no longer kept.
    #[error("no receipt is called {0}")]
    NoSuchReceipt(String),
    /// No session has this name.
    #[error("no session is called {0}")]
    NoSuchSession(String),
    /// It cannot be the name of a session.
    #[error("{0:?} is no name for a session; use 1 to 200 bytes without control characters")]
    BadSession(String),
    /// Retention took the bytes.
    #[error("the journal no longer has the bytes of {path}")]
    Expired {
        /// Which file.
        path: String,
    },
    /// The change is of another file.
    #[error("the change {id} is not of {path}")]
    OtherFile {
        /// Which change.
        id: String,
        /// Which file was asked for.
        path: String,
    },
    /// What was to be remembered is blank, too long or no text.
    #[error("{0}")]
    Content(String),
    /// What was to be forgotten is blank or too long.
    #[error("{0}")]
    Query(String),
    /// The model tried to write outside memory.
    #[error("the model tried to write outside memory; nothing was changed")]
    RememberEscape,
    /// The model wrote another scope than the one that was asked for.
    #[error("the model tried to write another scope than the one asked for; nothing was changed")]
    RememberScope,
    /// The model wrote nothing.
    #[error("the model stored nothing")]
    RememberNothing,
    /// The model would have dropped what was there.
    #[error("the model would have dropped {0} other memories; nothing was changed")]
    RememberLoss(usize),
    /// A prompt template cannot be used.
    #[error("the prompt {file}: {reason}")]
    Prompt {
        /// Which file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// No proposal of a dream has this id.
    #[error("no proposal is called {0}")]
    NoSuchProposal(String),
    /// Another process took the run over.
    #[error("another process took this run over; nothing was changed")]
    LeaseLost,
    /// It is no address of a page of the handbook.
    #[error(transparent)]
    Address(#[from] loci_domain::page::BadUri),
    /// A bare directory has no journal, pins or trust.
    #[error("a bare directory has no journal")]
    Bare,
}

/// What a verb answers.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Which kind of failure it is.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Store(error) => error.fault(),
            Error::Missing(_) | Error::NoSuchChange(_) | Error::NothingToUndo | Error::OtherFile { .. } => {
                Fault::Missing
            }
            Error::Expired { .. } | Error::NoSuchReceipt(_) | Error::NoSuchSession(_) => Fault::Missing,
            Error::NoSuchProposal(_) => Fault::Missing,
            Error::LeaseLost => Fault::Busy,
            Error::Folder(_) | Error::NotAFile(_) | Error::NotText(_) | Error::OtherScope | Error::BadSession(_) => {
                Fault::Invalid
            }
            Error::Prompt { .. } | Error::Address(_) | Error::Root { .. } => Fault::Invalid,
            Error::Exists(_) | Error::Changed { .. } => Fault::Conflict,
            Error::TooLarge { .. } => Fault::Limit,
            Error::Unread { error, .. } => error.fault(),
            Error::Generated | Error::Pinned(_) | Error::RememberEscape | Error::RememberScope => Fault::Denied,
            Error::Content(_) | Error::Query(_) => Fault::Invalid,
            Error::RememberNothing | Error::RememberLoss(_) => Fault::Upstream,
            Error::Bare => Fault::Offline,
        }
    }

    /// A stable word for scripts.
    pub fn code(&self) -> &'static str {
        use loci_store::Error as Store;
        match self {
            Error::Store(Store::Path(_)) => "invalid_path",
            Error::Store(Store::Unavailable { .. }) => "scope_unavailable",
            Error::TooLarge { .. } | Error::Store(Store::TooLarge { .. }) => "file_too_large",
            Error::Store(Store::Link) => "link_refused",
            Error::Store(Store::Record(loci_store::record::Error::Corrupt(_))) => "ledger_damaged",
            Error::Content(_) => "invalid_content",
            Error::Query(_) => "invalid_query",
            Error::RememberEscape => "remember_path_escape",
            Error::RememberScope => "remember_scope_mismatch",
            Error::RememberNothing => "remember_no_update",
            Error::RememberLoss(_) => "remember_failed",
            Error::Prompt { .. } => "invalid_prompt",
            Error::Address(_) => "invalid_uri",
            Error::Expired { .. } => "expired",
            Error::NothingToUndo => "nothing_to_undo",
            Error::NoSuchChange(_) => "no_such_change",
            Error::NoSuchProposal(_) => "no_such_proposal",
            Error::LeaseLost => "lease_lost",
            Error::NoSuchSession(_) => "no_such_session",
            Error::NoSuchReceipt(_) => "no_such_receipt",
            other => match other.fault() {
                Fault::Invalid => "invalid",
                Fault::Missing => "not_found",
                Fault::Conflict => "conflict",
                Fault::Denied => "denied",
                Fault::Secret => "secret_refused",
                Fault::Busy => "busy",
                Fault::Limit => "limit",
                Fault::Upstream => "upstream",
                Fault::Offline => "unavailable",
                Fault::Bug => "internal",
            },
        }
    }
}

impl From<loci_store::record::Error> for Error {
    fn from(error: loci_store::record::Error) -> Error {
        Error::Store(error.into())
    }
}
