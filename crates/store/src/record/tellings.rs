//! Tellings: what daemons tell who listens, in one order for all of them, and who they told that they may listen.
//!
//! A daemon writes what happened here and reads what all wrote, so that it does not matter which one a listener came to, nor
//! whether that one has been started anew.

use super::Result;
use async_trait::async_trait;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Telling {
    /// Whom it concerns.
    pub room: String,
    /// What kind of thing.
    pub kind: String,
    /// All about it, as JSON.
    pub data: String,
    /// The client that made it happen.
    pub client: Option<String>,
}

/// Somebody who may listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The name to listen under.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// What is heard.
    pub rooms: Vec<String>,
}

/// What is told, and to whom. It may be lost with the power, as the connections of all who listen are.
#[async_trait]
pub trait Tellings {
    /// Keeps a telling behind all others and says its number; of more than `keep`, the first ones go.
    async fn tell(&self, telling: &Telling, keep: usize) -> Result<u64>;

    /// What was told after this number, in order, at most so many. Who asks again with the last number misses nothing.
    async fn told(&self, after: u64, limit: usize) -> Result<Vec<(u64, Telling)>>;

    /// The number of the last telling; 0 = none yet. Numbers only grow, also over a ledger that was lost and made anew.
    async fn last_told(&self) -> Result<u64>;

    /// Lets somebody listen; of more than `keep`, those who came first go.
    async fn admit(&self, listener: &Listener, keep: usize) -> Result<()>;

    /// Who listens under this name.
    async fn admitted(&self, id: &str) -> Result<Option<Listener>>;
}
