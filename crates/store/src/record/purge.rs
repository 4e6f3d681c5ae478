//! Purging: what the ledger keeps for undo and explanation goes for good.

use super::Result;
use async_trait::async_trait;
use loci_domain::change::{ChangeId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;

/// Whether anything of what was dropped can still be read from the engine's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scrubbed {
    /// Nothing is left.
    Clean,
    /// Another process reads right now, so a log still holds old pages; the next call, or its end, clears it.
    LogInUse,
}

/// Dropping without a trace. What is dropped is gone for undo too: whoever asks for its image gets none.
#[async_trait]
pub trait Purge {
    /// Images with a digest above `after` (`None` = from the first), by digest, at most `limit`: a walk over all of them.
    async fn images_after(&self, after: Option<&Digest>, limit: usize) -> Result<Vec<Image>>;

    /// The files that changes of these images were made to, each place and path once: as path or as new path of a rename.
    async fn files_of(&self, images: &[Digest]) -> Result<Vec<(Place, EntryPath)>>;

    /// Drops images for good, whatever refers to them; says how many there were. Durable.
    async fn drop_images(&self, digests: &[Digest]) -> Result<u64>;

    /// A plain undo passes over these changes from now on: what they would bring back is gone. Durable.
    async fn pass_over(&self, changes: &[ChangeId]) -> Result<()>;

    /// Gives a path another name in the journal of a place and wherever a virtual path of it was noted as shown; the
    /// order and ids of changes stay. Says how many changes named it. Durable.
    async fn rename_past(&self, place: &Place, from: &EntryPath, to: &EntryPath) -> Result<u64>;

    /// Drops all receipts and all contexts that sessions were given, and says how many of both; tasks of the daemon that
    /// are over go with them. Durable.
    async fn drop_receipts(&self) -> Result<u64>;

    /// Makes sure that nothing which was ever dropped or replaced is left in the engine's own files.
    async fn scrub(&self) -> Result<Scrubbed>;
}
