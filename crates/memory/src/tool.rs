//! Tool: one call of the six-command memory tool.

use crate::{Memory, Pending};
use loci_domain::access::Mode;
use loci_domain::change::Actor;
use loci_domain::secrets::Policy;
use loci_store::commands;
use loci_store::{By, Count};
use serde::Serialize;
use serde_json::Value;

/// The answer to a call, as hosts expect it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// It worked.
    Done {
        /// Always true.
        success: bool,
        /// Words for the model.
        output: String,
    },
    /// It did not; nothing was changed.
    Failed {
        /// Always false.
        success: bool,
        /// Words for the model.
        error: String,
    },
}

impl Answer {
    /// Whether the call did what it was asked to.
    pub fn succeeded(&self) -> bool {
        matches!(self, Answer::Done { .. })
    }

    /// A call that could not even be read.
    pub fn failed(error: impl Into<String>) -> Answer {
        Answer::Failed { success: false, error: error.into() }
    }
}

impl Memory {
    /// Runs one call in a mode; a failing call changes nothing.
    pub fn tool<'a>(&'a self, call: &'a Value, mode: Mode, policy: Policy) -> Pending<'a, Answer> {
        Box::pin(async move {
            let by = By::new(Actor::Agent, policy, Count::Use);
            match commands::run(&self.store, call, mode, by).await {
                Ok(output) => Answer::Done { success: true, output },
                Err(error) => Answer::failed(error.to_string()),
            }
        })
    }
}
