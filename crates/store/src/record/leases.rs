//! Leases: a name that one holder has for a while, across processes and machines.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use std::time::Duration;

/// A name that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// What is held.
    pub name: String,
    /// By whom, in the holder's own words ([`crate::owner::Owner`]).
    pub owner: String,
    /// The fencing token: higher than that of every lease before it, of this name or another.
    pub token: u64,
    /// Until when, by the ledger's time.
    pub until: Timestamp,
}

/// What came of asking for a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It is the asker's.
    Mine(Lease),
    /// Somebody else has it, and it has not run out.
    Theirs(Lease),
}

/// Leases with fencing tokens. All times are the ledger's, so that holders need not agree about the clock.
/// Everything here is durable: a lease that was granted is known after a crash.
#[async_trait]
pub trait Leases {
    /// Takes a name for so long, if nobody holds it, the holder's time is over, or the holder is the one whose `dead`
    /// token is given. A lease of the same owner is no exception: who asks twice is told so.
    async fn take_lease(&self, name: &str, owner: &str, lasts: Duration, dead: Option<u64>) -> Result<Taken>;

    /// Prolongs a lease to so long from now; `None` when it was lost. One that ran out and that nobody took is still the
    /// holder's.
    async fn renew_lease(&self, lease: &Lease, lasts: Duration) -> Result<Option<Lease>>;

    /// Gives a lease back; says whether it was still the holder's.
    async fn release_lease(&self, lease: &Lease) -> Result<bool>;

    /// Whether a lease is still the holder's: to be asked right before what it protects is written. One that ran out is
    /// not, also when nobody took it.
    async fn holds_lease(&self, lease: &Lease) -> Result<bool>;

    /// Who holds a name; also one whose time is over, until somebody else takes it.
    async fn lease(&self, name: &str) -> Result<Option<Lease>>;
}
