//! The journal: every change to a memory file, who made it, and the bytes before and after.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::{Change, ChangeId, GroupId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::Batch;

/// Which changes to read.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// Only of these places; none = nothing.
    pub places: Vec<Place>,
    /// Only of this file or folder and what lies below it: as path or as new path of a rename, within `places`.
    pub path: Option<EntryPath>,
    /// At most this many.
    pub limit: usize,
}

/// What retention keeps.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// Changes made before this may go.
    pub oldest: Timestamp,
    /// Images may use this many (compressed) bytes; the oldest changes go first.
    pub bytes: u64,
}

/// What retention removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Changes.
    pub changes: u64,
    /// Images that nothing refers to any more.
    pub images: u64,
}

/// Changes and the bytes they refer to.
///
/// A change is first *intended* (durable, with its images), then made on disk, then *settled* (or *voided*).
/// Pending changes are in no log. The order of the log is the order of recording, whatever the clock said.
#[async_trait]
pub trait Journal {
    /// Writes changes as pending, with their images; they are on disk when this returns. An id that is on record stays as it is.
    async fn intend(&self, changes: &[Change], images: &[Image]) -> Result<()>;

    /// Records a step as a whole (see [`Batch`]): journals what was noticed, settles what was intended, updates catalogue,
    /// search, usage and acceptance. Settling a change that `undoes` another marks that one as undone, clears the
    /// mark of the one that the undone change had itself taken back, and so on along the chain. Moves happen all at once,
    /// so two files may change places; what was known of a file that is moved onto goes. Settling an unknown or settled id does nothing.
    async fn settle(&self, batch: Batch) -> Result<()>;

    /// Drops pending changes that never became true, with images that nothing else refers to. An unknown or settled id does nothing.
    async fn void(&self, ids: &[ChangeId]) -> Result<()>;

    /// Changes of a place that were intended and neither settled nor voided, oldest first.
    async fn pending(&self, place: &Place) -> Result<Vec<Change>>;

    /// Settled changes, newest first.
    async fn changes(&self, ask: &Log) -> Result<Vec<Change>>;

    /// One settled change.
    async fn change(&self, id: &ChangeId) -> Result<Option<Change>>;

    /// The settled changes of a group, oldest first; empty for an unknown one.
    async fn group(&self, id: &GroupId) -> Result<Vec<Change>>;

    /// The newest group of these places that a plain undo would take back: not an undo itself, not wholly undone,
    /// not an editor's. Its changes in these places that are not undone yet, oldest first; empty when nothing is left.
    async fn last_undoable(&self, places: &[Place]) -> Result<Vec<Change>>;

    /// The bytes with this digest, if the journal still has them.
    async fn image(&self, digest: &Digest) -> Result<Option<Vec<u8>>>;

    /// Applies retention: old changes go, then the oldest ones until the images fit; images that neither a change nor
    /// a catalogue row refers to go with them. Pending changes stay.
    async fn prune(&self, keep: Retention) -> Result<Pruned>;
}
