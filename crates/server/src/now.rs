//! What settings say right now: a daemon runs for long, and off means off at once.

use crate::fault::Refusal;
use axum::http::StatusCode;
use loci_memory::context::Context;
use loci_memory::dream;
use loci_memory::recall::Recall;
use std::sync::Arc;

/// The settings that routes go by.
#[derive(Debug, Clone)]
pub struct Now {
    /// `memory.enabled`.
    pub memory: bool,
    /// `recall.enabled`.
    pub recall: bool,
    /// A question without words: its limits are those of the settings.
    pub question: Recall,
    /// A context with the budgets of the settings.
    pub context: Context,
    /// The gates and limits of dreaming.
    pub dream: dream::Settings,
}

impl Now {
    /// Refuses while memory is off.
    pub(crate) fn on(&self) -> Result<(), Refusal> {
        let text = "memory is switched off (memory.enabled = false)";
        if self.memory { Ok(()) } else { Err(Refusal::new(StatusCode::CONFLICT, "managed_memory_unavailable", text)) }
    }
}

/// Asks anew each time. `Err` = the settings cannot be read.
pub type Settled = Arc<dyn Fn() -> Result<Now, String> + Send + Sync>;
