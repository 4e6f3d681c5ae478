//! Tasks of a workspace or an account that goes: they end as failed, and take their changes back.
//!
//! The daemon that removes one closes its lane first; a removal by another process shows in the record.

use super::Lane;
use super::lanes::{account_of, workspace_of};
use crate::acp::wire::Trouble;
use loci_ledger::{Holding, Task, TaskEnd};
use loci_memory::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What went, as its tasks are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parting {
    Workspace,
    Account,
}

impl Parting {
    /// What such a task is told.
    pub fn trouble(self) -> Trouble {
        let (code, words) = self.words();
        Trouble::new(code, words)
    }

    /// The same for the ledger.
    pub fn end(self) -> TaskEnd {
        let (code, words) = self.words();
        TaskEnd::Failed(code.to_owned(), words.to_owned())
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Parting::Workspace => ("workspace_removed", "its workspace was removed"),
            Parting::Account => ("account_removed", "its account was removed"),
        }
    }
}

/// A lane whose tasks end as long as this is held, whatever becomes of who holds it. Then nobody needs the lane any more.
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
        self.0.over.store(true, Ordering::Release);
        self.0.wake.notify_one();
    }
}

impl Lane {
    /// Whether it belongs to a workspace or an account that is gone, or about to go.
    pub(super) async fn is_removed(&self) -> Result<bool> {
        if self.closing.load(Ordering::Acquire) {
            return Ok(true);
        }
        if let Some((account, workspace)) = workspace_of(&self.key) {
            return Ok(self.ledger.holding(Holding::Workspace, account, workspace).await?.is_none());
        }
        match account_of(&self.key) {
            Some(account) => Ok(!self.ledger.accounts().await?.iter().any(|known| known.id == account)),
            None => Ok(false),
        }
    }

    /// What its tasks are told when it is removed.
    pub(super) fn parting(&self) -> Parting {
        if account_of(&self.key).is_some() { Parting::Account } else { Parting::Workspace }
    }
}

/// Whether a task ended with its workspace.
pub fn ended(task: &Task) -> bool {
    task.end == Some(Parting::Workspace.end())
}
