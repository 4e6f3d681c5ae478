//! Evidence: what documents named in their project, as it was when they were written.
//!
//! Kept by whose memory it is and path, as usage is: it moves and goes with its document (see [`super::Journal::settle`]).
//! It may be lost with the power or with the ledger; then it is taken anew, and nothing is stale until something changes.

use super::Result;
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::evidence::Evidence;
use loci_domain::path::EntryPath;

/// Reading evidence; it is written by [`super::Journal::settle`], one for each document, in place of the one of other bytes.
#[async_trait]
pub trait Evidences {
    /// All evidence of an identity, by path; documents that name nothing have none.
    async fn evidence(&self, identity: &Identity) -> Result<Vec<Evidence>>;

    /// The evidence of one document, whichever bytes it was taken for; its things are in the order in which they came.
    async fn evidence_of(&self, identity: &Identity, path: &EntryPath) -> Result<Option<Evidence>>;
}
