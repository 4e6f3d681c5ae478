//! The port `Record`: what every change of a file is written down through.
//!
//! Owns the contract of journal, catalogue and search rows by topic; `testkit::contract::ledger` checks it.
//! Never knows an engine: `ledger` implements it on SQLite and PostgreSQL as equals.
//! Start at [`Journal`]: a change is intended, made, settled.
//!
//! Durability: what is acknowledged and cannot be derived again ([`Journal::intend`], [`Catalog::pin`], [`Catalog::accept`])
//! is on disk when the call returns. [`Journal::settle`] may be lost with the power and is then derived again
//! from pending changes and from the files.
//!
//! Times are kept to the microsecond, the finest grain that all engines share; what is finer is cut off.

mod accounts;
mod catalog;
mod clients;
mod evidence;
mod extractions;
mod jobs;
mod journal;
mod leases;
mod provenance;
mod purge;
mod recalls;
mod search;
mod sessions;
mod spend;
mod tasks;
mod tellings;
mod tombstones;
mod turns;
mod upkeep;

pub use accounts::{Account, Accounts, Card, Holding, LOCAL};
pub use catalog::{Catalog, IndexHead};
pub use clients::{Clients, Token};
pub use evidence::Evidences;
pub use extractions::{Cleared, Extraction, Extractions, Handbook, Snapshot, Watermark};
pub use jobs::{Claim, Job, JobEnd, JobStatus, Jobs, Wanted};
pub use journal::{Journal, Log, Pruned, Retention};
pub use leases::{Lease, Leases, Taken};
pub use provenance::{Provenance, SOURCES_KEPT, Source};
pub use purge::{Purge, Scrubbed};
pub use recalls::{Recalls, SESSIONS_REMEMBERED};
pub use search::{Posting, Search, Searched, Vectors};
pub use sessions::{CHUNK, Chunk, Heard, Kept, Message, Said, Session, Sessions, Whose};
pub use spend::{CallCost, Spend, Spending};
pub use tasks::{CancelledTask, Room, Task, TaskEnd, TaskKind, TaskStatus, Tasks};
pub use tellings::{Listener, Telling, Tellings};
pub use tombstones::Tombstones;
pub use turns::{Begin, Begun, Conversation, Line, Spoken, Step, Turn, TurnStatus, Turns, Visible};
pub use upkeep::{Cursor, Proposal, Request, Upkeep};

use loci_domain::fault::Fault;

/// Everything that the store writes down.
pub trait Record:
    Journal
    + Catalog
    + Search
    + Recalls
    + Evidences
    + Tombstones
    + Provenance
    + Purge
    + Leases
    + Upkeep
    + Spend
    + Sessions
    + Clients
    + Tasks
    + Jobs
    + Accounts
    + Turns
    + Extractions
    + Tellings
    + Send
    + Sync
{
}

impl<T> Record for T where
    T: Journal
        + Catalog
        + Search
        + Recalls
        + Evidences
        + Tombstones
        + Provenance
        + Purge
        + Leases
        + Upkeep
        + Spend
        + Sessions
        + Clients
        + Tasks
        + Jobs
        + Accounts
        + Turns
        + Extractions
        + Tellings
        + Send
        + Sync
{
}

/// What can go wrong with rows.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Somebody else kept the database locked for too long.
    #[error("the ledger is busy: another process has been writing to it for too long")]
    Busy,
    /// A newer Loci wrote it.
    #[error("the ledger has schema {found}, this version of loci knows {known}; it was left untouched")]
    Newer {
        /// The schema in the file.
        found: u32,
        /// The newest schema that this binary knows.
        known: u32,
    },
    /// Its bytes make no sense.
    #[error("the ledger is damaged: {0}")]
    Corrupt(String),
    /// No space is left for it.
    #[error("the disk is full: the ledger cannot grow")]
    Full,
    /// It cannot be written here.
    #[error("the ledger is read-only here")]
    ReadOnly,
    /// The server that has it does not answer, or does not let us in.
    #[error("the ledger cannot be reached: {0}")]
    Offline(String),
    /// A row that was named is not there.
    #[error("no such row: {0}")]
    Missing(String),
    /// Anything else that the engine says.
    #[error("the ledger: {0}")]
    Engine(String),
}

impl Error {
    /// Which kind of failure it is.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Busy => Fault::Busy,
            Error::Newer { .. } | Error::Full | Error::ReadOnly | Error::Offline(_) => Fault::Offline,
            Error::Corrupt(_) | Error::Engine(_) => Fault::Bug,
            Error::Missing(_) => Fault::Missing,
        }
    }
}

/// What every topic answers.
pub type Result<T> = std::result::Result<T, Error>;
