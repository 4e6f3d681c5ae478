//! Background work: transcripts become memories.
//!
//! Owns the kinds of jobs (`jobs/<name>.rs`), the one place where a job is claimed, run and settled ([`runner`]), and who
//! does so on a machine ([`seat`]).
//! Never talks to a person; what it did is read from the ledger.
//! Start at [`runner::Runner`].

pub mod jobs;
pub mod rooms;
pub mod runner;
pub mod seat;

pub use rooms::{Room, Rooms, Where};
pub use runner::Runner;
pub use seat::Seat;
