//! What settings say right now: a daemon runs for long, and off means off at once.

use crate::fault::Refusal;
use axum::http::StatusCode;
pub use loci_memory::now::{Now, Settled};

/// Refuses while memory is off.
pub(crate) fn on(now: &Now) -> Result<(), Refusal> {
    let text = "memory is switched off (memory.enabled = false)";
    if now.memory { Ok(()) } else { Err(Refusal::new(StatusCode::CONFLICT, "managed_memory_unavailable", text)) }
}
