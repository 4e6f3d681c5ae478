//! Search: a person looks for a memory by the same ranking that agents get; nothing counts as used.

use crate::recall::{Recall, Recalled};
use crate::{Memory, Result};

impl Memory {
    /// What recall would answer.
    pub async fn search(&self, ask: Recall) -> Result<Recalled> {
        Ok(self.look_up(ask).await?.0)
    }
}
