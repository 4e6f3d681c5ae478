//! Whether a turn still has its conversation: asked when a tool is called, and again right before something is written.
//!
//! A command may run for minutes, and the lease may go to another turn meanwhile. What a late one leaves must not be found
//! by the one that took over.

use crate::{Error, Result, Runtime};
use loci_ledger::{Turn, TurnStatus};

/// The turn in whose name something is done.
#[derive(Clone, Copy)]
pub(crate) struct Fence<'a> {
    runtime: &'a Runtime,
    account: &'a str,
    key: &'a str,
    id: &'a str,
}

impl<'a> Fence<'a> {
    /// The fence of a turn.
    pub(crate) fn of(runtime: &'a Runtime, account: &'a str, key: &'a str, id: &'a str) -> Fence<'a> {
        Fence { runtime, account, key, id }
    }

    /// The turn, if it still has the conversation.
    pub(crate) async fn passed(&self) -> Result<Turn> {
        let turn = self.runtime.turn(self.account, self.key, self.id).await?;
        match turn.status {
            TurnStatus::Running => Ok(turn),
            TurnStatus::Lost => Err(Error::LeaseLost),
            TurnStatus::Completed | TurnStatus::Failed => Err(Error::TurnFinished),
        }
    }
}
