//! The catalogue: what lies in each root, and what only the ledger knows of it (usage, pins, acceptance).

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::{Identity, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::{Known, Listed, RootKey};

/// The first lines of an index, and how many there would be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexHead {
    /// The lines of the first documents in path order, each with its line break; those that cannot be read as documents
    /// are left out.
    pub lines: String,
    /// How many such documents there are in all.
    pub total: usize,
}

/// Files of each root as last seen. Paths are in byte order of the whole path.
#[async_trait]
pub trait Catalog {
    /// Every file of a place with its mark; empty for an unknown place.
    async fn known(&self, place: &Place) -> Result<Vec<Known>>;

    /// One file.
    async fn known_file(&self, place: &Place, path: &EntryPath) -> Result<Option<Known>>;

    /// The version of the rules (segmentation, cards) that all rows of a place were made by; `None` = never scanned.
    async fn rules(&self, place: &Place) -> Result<Option<u32>>;

    /// Notes that all rows of a place are made by these rules; puts an unknown place on record.
    async fn set_rules(&self, place: &Place, rules: u32) -> Result<()>;

    /// How many files a place holds; constant time.
    async fn count(&self, place: &Place) -> Result<u64>;

    /// The first `limit` documents for the index; its cost does not grow with the number of files.
    async fn index_head(&self, place: &Place, limit: usize) -> Result<IndexHead>;

    /// Every file with usage, pin and acceptance (looked up by identity).
    async fn listed(&self, root: &RootKey) -> Result<Vec<Listed>>;

    /// One file with usage, pin and acceptance.
    async fn listed_file(&self, root: &RootKey, path: &EntryPath) -> Result<Option<Listed>>;

    /// Counts one use of a file. May be lost with the power.
    async fn touch(&self, identity: &Identity, path: &EntryPath, at: Timestamp) -> Result<()>;

    /// The same for several files at once.
    async fn touch_each(&self, used: &[(Identity, EntryPath)], at: Timestamp) -> Result<()>;

    /// Sets or takes away a pin; usage stays. Durable; says whether anything changed.
    async fn pin(&self, identity: &Identity, path: &EntryPath, pinned: Option<Timestamp>) -> Result<bool>;

    /// Accepts bytes as trusted for an identity, or takes that back. Durable.
    async fn accept(&self, identity: &Identity, digest: &Digest, accepted: Option<Timestamp>) -> Result<()>;

    /// Forgets all rows of a place, its journal too (a workspace that ended), and of its identity usage, pins, acceptance,
    /// tombstones and sources.
    async fn drop_root(&self, root: &RootKey) -> Result<()>;

    /// Every place with its identity, in byte order; one that was never settled has none yet and is left out.
    async fn roots(&self) -> Result<Vec<RootKey>>;

    /// A small note that outlives processes (when retention last ran, which roots share a project id).
    async fn note(&self, key: &str) -> Result<Option<String>>;

    /// Writes a note; `None` removes it. Durable.
    async fn set_note(&self, key: &str, value: Option<&str>) -> Result<()>;
}
