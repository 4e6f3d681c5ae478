//! The echo guard: what Loci itself said is no news, however it comes back.

use super::part::MOST;
use loci_domain::alike;
use loci_domain::statement::injected;

const GUIDANCE: &str = include_str!("../../prompts/guidance.md");

/// What a session was told by Loci.
pub(super) struct Heard(Vec<String>);

impl Heard {
    /// From the blocks in the conversation, and from the context that the session was given.
    pub(super) fn of(said: &[String], segment: Option<&str>) -> Heard {
        let parts: Vec<crate::context::Part> =
            segment.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let given = parts.iter().flat_map(|part| injected(&part.text));
        let guidance = GUIDANCE.lines().map(|line| line.trim_start_matches("- ").to_owned());
        let mut lines: Vec<String> = said.iter().cloned().chain(given).take(MOST).chain(guidance).collect();
        lines.sort_unstable();
        lines.dedup();
        Heard(lines)
    }

    /// True when this is only what the session was told.
    pub(super) fn echoes(&self, summary: &str) -> bool {
        let plain = format!(" {} ", alike::normalised(summary));
        self.0.iter().any(|line| {
            alike::likeness(line, summary) >= alike::NEAR || format!(" {} ", alike::normalised(line)).contains(&plain)
        })
    }
}
