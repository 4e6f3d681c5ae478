//! Background work: transcripts become memories.
//!
//! Owns the kinds of jobs (`jobs/<name>.rs`), the one place where a job is claimed, run and settled ([`runner`]), what is to
//! be done at all ([`survey`]), a whole run of both phases ([`pass`]), when a daemon does one ([`schedule`]), and who works
//! on a machine ([`seat`]).
//! Never talks to a person; what it did is in its [`Report`] and in the ledger.
//! Start at [`runner::Runner`].

pub mod jobs;
pub mod pass;
pub mod report;
pub mod rooms;
pub mod runner;
pub mod schedule;
pub mod seat;
pub mod settings;
pub mod survey;

pub use pass::{Progress, Quietly};
pub use report::{Report, last_report};
pub use rooms::{Desk, Room, Rooms, Where};
pub use runner::Runner;
pub use seat::Seat;
pub use settings::Settings;
