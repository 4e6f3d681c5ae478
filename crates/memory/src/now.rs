//! What settings say right now, for who runs for long: off means off at once.
//!
//! Owns nothing but the shape: `cli` reads the settings, each surface asks anew for each request.

use crate::context::Context;
use crate::dream;
use crate::recall::Recall;
use std::sync::Arc;
use std::time::Duration;

/// The settings that surfaces go by.
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
    /// `agent.turns`.
    pub turns: usize,
    /// `agent.seconds`.
    pub time: Duration,
    /// `forget.cli_max`: what a word of a person or an agent removes at most.
    pub forget_max: usize,
}

/// Asks anew each time. `Err` = the settings cannot be read.
pub type Settled = Arc<dyn Fn() -> Result<Now, String> + Send + Sync>;
