//! Tombstones: what a person had forgotten, known again by keyed marks and never by its words.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_domain::fact::Key;

/// Marks ([`loci_domain::fact::marks`]) of facts that must not come back by themselves.
#[async_trait]
pub trait Tombstones {
    /// The secret that marks are made with: random, made once for each ledger, and kept for its life.
    async fn fact_key(&self) -> Result<Key>;

    /// Keeps marks for an identity; one that is there stays. Durable.
    async fn bury(&self, identity: &Identity, marks: &[Digest], at: Timestamp) -> Result<()>;

    /// Whether one of the marks is kept for one of the identities; nothing asked is `false`.
    async fn is_buried(&self, identities: &[Identity], marks: &[Digest]) -> Result<bool>;

    /// Takes marks away from all these identities: a person says it again. Durable; says whether there were any.
    async fn exhume(&self, identities: &[Identity], marks: &[Digest]) -> Result<bool>;
}
