//! Upkeep: how far each conversation was read, what waits to be read, and what was proposed.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;

/// How far a session's transcript was read for durable facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Which session.
    pub session: String,
    /// How many messages of it were processed.
    pub processed: u64,
    /// When that was.
    pub updated_at: Timestamp,
}

/// A transcript that waits to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Which session.
    pub session: String,
    /// Where the transcript is, in the asker's own words.
    pub source: String,
    /// Its format.
    pub format: String,
    /// When it was asked for.
    pub at: Timestamp,
}

/// Changes that wait for a person's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its name.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// What it is about, in a sentence.
    pub summary: String,
    /// The changes, in the words of who made it.
    pub body: String,
}

/// What upkeep has to know the next time. All of it is durable, and by the identity whose upkeep it is.
#[async_trait]
pub trait Upkeep {
    /// How far a session was read; `None` for an unknown one, and for a row that makes no sense: it is healed by the next
    /// [`Upkeep::set_cursor`].
    async fn cursor(&self, of: &Identity, session: &str) -> Result<Option<Cursor>>;

    /// Notes how far a session was read, also when that is less than before.
    async fn set_cursor(&self, of: &Identity, cursor: &Cursor) -> Result<()>;

    /// The sessions whose cursor was set after this moment (`None` = ever), by name.
    async fn read_since(&self, of: &Identity, since: Option<Timestamp>) -> Result<Vec<String>>;

    /// Keeps the one request that waits, in place of an earlier one; says which one that was.
    async fn queue(&self, of: &Identity, request: &Request) -> Result<Option<Request>>;

    /// Takes the request that waits; asked again it is gone.
    async fn unqueue(&self, of: &Identity) -> Result<Option<Request>>;

    /// The request that waits.
    async fn queued(&self, of: &Identity) -> Result<Option<Request>>;

    /// Keeps a proposal.
    async fn propose(&self, of: &Identity, proposal: &Proposal) -> Result<()>;

    /// The proposals that wait, oldest first.
    async fn proposals(&self, of: &Identity) -> Result<Vec<Proposal>>;

    /// Drops a proposal; says whether it was there.
    async fn drop_proposal(&self, of: &Identity, id: &str) -> Result<bool>;

    /// Drops all proposals of all identities: a purge must not leave what it removes waiting in one. Says how many.
    async fn drop_proposals(&self) -> Result<u64>;
}
