//! Search: a person looks for a memory by the same ranking that agents get; nothing counts as used.

use crate::recall::{Recall, Recalled};
use crate::{Memory, Verb};

impl Memory {
    /// What recall would answer.
    pub fn search(&self, ask: Recall) -> Verb<'_, Recalled> {
        Box::pin(async move { Ok(self.look_up(ask).await?.0) })
    }
}
