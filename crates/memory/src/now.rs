//! What settings say right now, for who runs for long: off means off at once.
//!
//! Owns nothing but the shape: `cli` reads the settings, each surface asks anew for each request.

use crate::context::{Boundary, Context};
use crate::dream;
use crate::recall::Recall;
use loci_domain::hot::Limits;
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

impl Default for Now {
    /// The settings as they come; `cli` has a test that holds this to them.
    fn default() -> Now {
        let (limit, doc_chars, turns, time) = (5, 1200, 6, Duration::from_secs(300));
        let model = Some(Duration::from_secs(10));
        Now {
            memory: true,
            recall: true,
            question: Recall { query: String::new(), scope: None, limit, doc_chars, session: None, model },
            context: Context {
                query: None,
                budget: 20_000,
                session: None,
                boundary: Boundary::No,
                hot: Limits::default(),
                half_life_days: 7.0,
                summary_tokens: None,
                recall_limit: limit,
                doc_chars,
            },
            dream: dream::Settings {
                enabled: true,
                min_hours: 24,
                min_sessions: 5,
                scan_minutes: 10,
                lock_minutes: 60,
                max_loss: 0.2,
                turns,
                time,
            },
            turns,
            time,
            forget_max: 5,
        }
    }
}

/// Asks anew each time. `Err` = the settings cannot be read.
pub type Settled = Arc<dyn Fn() -> Result<Now, String> + Send + Sync>;
