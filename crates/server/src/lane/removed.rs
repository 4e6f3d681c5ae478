//! Tasks of a workspace that goes: they end as failed, and take their changes back.
//!
//! The daemon that removes a workspace closes its lane first; a removal by another process shows in the record.

use super::Lane;
use super::lanes::workspace_of;
use crate::acp::wire::Trouble;
use loci_ledger::{Holding, Task, TaskEnd};
use loci_memory::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const CODE: &str = "workspace_removed";
const WORDS: &str = "its workspace was removed";

/// A lane whose tasks end as long as this is held, whatever becomes of who holds it.
#[must_use]
pub struct Closed(Arc<Lane>);

impl Closed {
    /// Closes a lane, and has it look at what it has.
    pub fn new(lane: Arc<Lane>) -> Closed {
        lane.closing.store(true, Ordering::Release);
        lane.cancelled.notify_one();
        lane.wake.notify_one();
        Closed(lane)
    }

    pub fn lane(&self) -> &Lane {
        &self.0
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        self.0.closing.store(false, Ordering::Release);
    }
}

impl Lane {
    /// Whether it belongs to a workspace that is gone, or about to go.
    pub(super) async fn is_removed(&self) -> Result<bool> {
        let Some((account, workspace)) = workspace_of(&self.key) else { return Ok(false) };
        if self.closing.load(Ordering::Acquire) {
            return Ok(true);
        }
        Ok(self.ledger.holding(Holding::Workspace, account, workspace).await?.is_none())
    }
}

/// What such a task is told.
pub fn trouble() -> Trouble {
    Trouble::new(CODE, WORDS)
}

/// The same for the ledger.
pub fn end() -> TaskEnd {
    TaskEnd::Failed(CODE.to_owned(), WORDS.to_owned())
}

/// Whether a task ended so.
pub fn ended(task: &Task) -> bool {
    matches!(&task.end, Some(TaskEnd::Failed(code, _)) if code == CODE)
}
