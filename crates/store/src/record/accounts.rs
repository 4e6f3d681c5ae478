//! Accounts beside the one that is there from the start, and what they hold: workspaces, agents, sandboxes.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;

/// The account that is there from the start; it has no row and no key of its own.
pub const LOCAL: &str = "local";

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// What its key is known by; the key itself is on no disk.
    pub hash: [u8; 32],
    /// When it was made.
    pub at: Timestamp,
}

/// What an account may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holding {
    /// Files that agents share.
    Workspace,
    /// Who works in them.
    Agent,
    /// Where their commands run.
    Sandbox,
}

impl Holding {
    /// All of them.
    pub const ALL: [Holding; 3] = [Holding::Workspace, Holding::Agent, Holding::Sandbox];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Holding::Workspace => "workspace",
            Holding::Agent => "agent",
            Holding::Sandbox => "sandbox",
        }
    }
}

/// One thing that an account holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its id, unique among all accounts.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// What it says, as JSON; only `domain` knows what that may be.
    pub body: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Accounts and what they hold. The account is part of every question, so that nobody sees what is somebody else's.
/// Everything here is durable.
#[async_trait]
pub trait Accounts {
    /// Adds an account; `false` when its name is taken, and then nothing is changed.
    async fn add_account(&self, account: &Account) -> Result<bool>;

    /// The account whose key has this hash.
    async fn account_of_key(&self, hash: &[u8; 32]) -> Result<Option<Account>>;

    /// All accounts by name.
    async fn accounts(&self) -> Result<Vec<Account>>;

    /// Removes an account; says whether there was one. What it holds goes before, one by one.
    async fn remove_account(&self, id: &str) -> Result<bool>;

    /// Adds a thing, unless the account has so many of the kind already.
    async fn add_holding(&self, kind: Holding, card: &Card, most: usize) -> Result<bool>;

    /// One thing of an account.
    async fn holding(&self, kind: Holding, account: &str, id: &str) -> Result<Option<Card>>;

    /// All things of a kind, in the order in which they were made.
    async fn holdings(&self, kind: Holding, account: &str) -> Result<Vec<Card>>;

    /// Puts another body and time in, if the body is still what the caller saw.
    async fn change_holding(&self, kind: Holding, card: &Card, before: &str) -> Result<bool>;

    /// Removes a thing; says whether it was there.
    async fn remove_holding(&self, kind: Holding, account: &str, id: &str) -> Result<bool>;
}
