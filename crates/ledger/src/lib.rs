//! Rows that must survive a crash: the engines behind the store's port `Record`.
//!
//! Owns the schema, the SQL and the durability of journal, catalogue, usage, pins, acceptance, search rows, vectors, recalls, sessions, accounts and conversations.
//! Never touches a memory file, and no SQL leaves this crate: SQLite and PostgreSQL are equals behind the same port.
//! Start at [`Ledger`]; the contract of each topic is in the docs of `loci_store::record` and in `testkit::contract::ledger`.

mod columns;
mod jobs;
mod packing;
pub mod postgres;
mod rows;
mod sessions;
mod span;
mod spend;
pub mod sqlite;
mod tokens;
mod turns;
mod values;

pub use loci_store::record::{
    Account, Accounts, Begin, Begun, CHUNK, CallCost, CancelledTask, Card, Catalog, Chunk, Claim, Cleared, Clients,
    Conversation, Cursor, Error, Evidences, Extraction, Extractions, Handbook, Heard, Holding, IndexHead, Job, JobEnd,
    JobStatus, Jobs, Journal, Kept, LOCAL, Lease, Leases, Line, Listener, Log, Message, Posting, Proposal, Provenance,
    Pruned, Purge, Recalls, Record, Request, Result, Retention, Room, SESSIONS_REMEMBERED, SOURCES_KEPT, Said,
    Scrubbed, Search, Searched, Session, Sessions, Snapshot, Source, Spend, Spending, Spoken, Step, Taken, Task,
    TaskEnd, TaskKind, TaskStatus, Tasks, Telling, Tellings, Token, Tombstones, Turn, TurnStatus, Turns, Upkeep,
    Vectors, Visible, Wanted, Watermark, Whose,
};
pub use postgres::Postgres;
pub use sqlite::{Repaired, Sqlite};

/// Everything that Loci keeps in a database: what the store records now, what other rooms keep later.
pub trait Ledger: Record {}

impl<T: Record> Ledger for T {}
