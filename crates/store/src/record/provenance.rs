//! Provenance: which conversation an entry came from.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;

/// How many sources of a fact are kept.
pub const SOURCES_KEPT: u32 = 16;

/// Where a fact was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// In which session.
    pub session: String,
    /// By which message, if it has an id.
    pub message: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// Sources of entries, by the mark of the entry's summary ([`loci_domain::fact::mark`]): so they stay with the entry
/// when it moves to another line or file, and say nothing of its words.
#[async_trait]
pub trait Provenance {
    /// Notes a source of a fact; the same session and message again replace the time. The [`SOURCES_KEPT`] latest noted
    /// ones of a fact are kept, whatever the clock. Durable.
    async fn note_source(&self, identity: &Identity, fact: &Digest, source: &Source) -> Result<()>;

    /// The sources of a fact, in the order in which they were first noted; empty for an unknown one.
    async fn sources(&self, identity: &Identity, fact: &Digest) -> Result<Vec<Source>>;

    /// Forgets all sources of these facts. Durable.
    async fn forget_sources(&self, identity: &Identity, facts: &[Digest]) -> Result<()>;
}
