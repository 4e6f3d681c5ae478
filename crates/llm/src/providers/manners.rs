//! What a service was found not to take.
//!
//! Models differ in what they let themselves be told: some refuse any temperature, some call the limit of the answer by
//! another name, some local servers know no schemas. Which one does so cannot be told from its name for long, but it says
//! so itself: it answers 400 and names the parameter. Then it is asked again without, and never told so again.

use crate::provider::Ask;
use std::sync::atomic::{AtomicU8, Ordering};

/// What is left out or said otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Manners(u8);

impl Manners {
    /// No temperature.
    pub(super) const PLAIN: Manners = Manners(1);
    /// `max_completion_tokens` instead of `max_tokens`.
    pub(super) const COMPLETION: Manners = Manners(2);
    /// The shape in words instead of a schema.
    pub(super) const WORDS: Manners = Manners(4);

    pub(super) fn has(self, one: Manners) -> bool {
        self.0 & one.0 != 0
    }
}

/// The manners learned so far.
#[derive(Debug, Default)]
pub(super) struct Learned(AtomicU8);

impl Learned {
    pub(super) fn now(&self) -> Manners {
        Manners(self.0.load(Ordering::Relaxed))
    }

    /// Whether a refusal teaches something about this question that was not known when it was asked.
    pub(super) fn take_refusal(&self, ask: &Ask, asked: Manners, refusal: &[u8]) -> bool {
        let refusal = String::from_utf8_lossy(refusal);
        let names = |words: &[&str]| words.iter().any(|word| refusal.contains(word));
        let lesson = if ask.temperature.is_some() && !asked.has(Manners::PLAIN) && names(&["temperature"]) {
            Manners::PLAIN
        } else if ask.max_tokens.is_some() && !asked.has(Manners::COMPLETION) && names(&["max_completion_tokens"]) {
            Manners::COMPLETION
        } else if ask.shape.is_some()
            && !asked.has(Manners::WORDS)
            && names(&["response_format", "json_schema", "responseSchema", "response_schema", "tool_choice"])
        {
            Manners::WORDS
        } else {
            return false;
        };
        self.0.fetch_or(lesson.0, Ordering::Relaxed);
        true
    }
}
