//! Recalls: what was shown to whom, and why.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;

/// Of how many sessions it is remembered what they were shown, and what context they were given.
pub const SESSIONS_REMEMBERED: u32 = 1_000;

/// Receipts, what a session has been shown, and the context that a session was given.
#[async_trait]
pub trait Recalls {
    /// Keeps a receipt under its id, in place of an earlier one; those that came first go when there are more than `most`,
    /// whatever the clock. May be lost with the power.
    async fn keep_receipt(&self, id: &str, at: Timestamp, body: &str, most: u64) -> Result<()>;

    /// A receipt's body, if it is still kept.
    async fn receipt(&self, id: &str) -> Result<Option<String>>;

    /// The bodies of the newest receipts that hold this text, at most so many of them, newest first.
    async fn receipts_of(&self, text: &str, most: u64) -> Result<Vec<String>>;

    /// Drops the receipts whose body holds this text, without a trace in the engine's files; says how many. Durable.
    async fn drop_receipts_of(&self, text: &str) -> Result<u64>;

    /// Notes that a session was shown these virtual paths; a path may be noted again, and no paths change nothing.
    /// Sessions are bounded: those that were shown nothing for longest are forgotten when there are more than
    /// [`SESSIONS_REMEMBERED`]. May be lost with the power.
    async fn show(&self, session: &str, paths: &[String], at: Timestamp) -> Result<()>;

    /// What a session was shown, by path.
    async fn shown(&self, session: &str) -> Result<Vec<String>>;

    /// Forgets what a session was shown: its agent starts anew and has seen nothing.
    async fn forget_shown(&self, session: &str) -> Result<()>;

    /// Keeps the context block that a session was given, until its next boundary brings another one. Bounded by itself as
    /// [`Recalls::show`] is; may be lost with the power.
    async fn keep_segment(&self, session: &str, block: &str, at: Timestamp) -> Result<()>;

    /// The context block that a session was given.
    async fn segment(&self, session: &str) -> Result<Option<String>>;
}
