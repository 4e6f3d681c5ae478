//! Clients of the daemon, and the tokens that were given out by name.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;

/// A token that opens the daemon beside its own one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What a person calls it.
    pub name: String,
    /// What it is known by; the token itself is on no disk.
    pub hash: [u8; 32],
    /// Whether it may only read.
    pub read_only: bool,
    /// When it was made.
    pub at: Timestamp,
}

/// Who may ask, and by what name. Everything here is durable.
#[async_trait]
pub trait Clients {
    /// Registers a client; of more than `keep`, the ones that were registered first go. One that is there stays.
    async fn register_client(&self, id: &str, at: Timestamp, keep: usize) -> Result<()>;

    /// Whether a client is registered, letter by letter.
    async fn knows_client(&self, id: &str) -> Result<bool>;

    /// Adds a token; `false` when its name is taken, and then nothing is changed.
    async fn add_token(&self, token: &Token) -> Result<bool>;

    /// The token with this hash.
    async fn token(&self, hash: &[u8; 32]) -> Result<Option<Token>>;

    /// All tokens by name.
    async fn tokens(&self) -> Result<Vec<Token>>;

    /// Removes a token; says whether there was one.
    async fn remove_token(&self, name: &str) -> Result<bool>;
}
