//! The echo guard: what Loci itself said is no news, however it comes back.

use loci_domain::alike;
use loci_domain::statement::injected;
use loci_domain::transcript::Turn;

const GUIDANCE: &str = include_str!("../../prompts/guidance.md");
/// Lines that are compared at most; a conversation with more of them was not typed by anybody.
const MOST: usize = 5_000;

/// What a session was told by Loci.
pub(super) struct Heard(Vec<String>);

impl Heard {
    /// From the blocks in the conversation, and from the context that the session was given.
    pub(super) fn of(turns: &[Turn], segment: Option<&str>) -> Heard {
        let parts: Vec<crate::context::Part> =
            segment.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let texts = turns.iter().map(|turn| turn.content.as_str()).chain(parts.iter().map(|part| part.text.as_str()));
        let guidance = GUIDANCE.lines().map(|line| line.trim_start_matches("- ").to_owned());
        let mut lines: Vec<String> = texts.flat_map(injected).take(MOST).chain(guidance).collect();
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
