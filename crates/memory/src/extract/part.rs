//! What of a conversation is learnt from: the part that is new, and of it only what may hold a fact.
//!
//! What tools and the harness say is no source of facts, so their words are not kept; of a call only what shows whether
//! it changed memory. A transcript of any size is read as a stream, from its file or from the ledger.

use super::tools;
use crate::sessions::{AT_ONCE, Reading, Source, turn};
use crate::{Memory, Result};
use loci_domain::statement::injected;
use loci_domain::transcript::{Format, Role, Turn};

/// Lines of what Loci said that are kept at most; a conversation with more of them was not typed by anybody.
pub(super) const MOST: usize = 5_000;
/// Bytes of one message; a longer one was pasted.
const LONGEST: usize = 256 << 10;

/// A conversation to learn from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// Messages before those that are here.
    from: u64,
    /// Messages in all.
    seen: u64,
    turns: Vec<Turn>,
    /// Lines that Loci itself said in it.
    heard: Vec<String>,
}

impl From<Vec<Turn>> for Part {
    /// All of a short conversation.
    fn from(turns: Vec<Turn>) -> Part {
        let mut part = Part::default();
        turns.into_iter().for_each(|turn| part.hear(turn));
        part
    }
}

impl Part {
    /// How many messages the conversation has.
    pub fn end(&self) -> u64 {
        self.seen
    }

    /// The lines that Loci itself said in it.
    pub(super) fn heard(&self) -> &[String] {
        &self.heard
    }

    /// What comes after so many messages.
    pub(super) fn after(&self, processed: u64) -> &[Turn] {
        // A transcript that got shorter was compacted: what is left of it is not what was counted.
        let from = if processed > self.seen { 0 } else { processed };
        let passed = usize::try_from(from.saturating_sub(self.from)).unwrap_or(usize::MAX);
        self.turns.get(passed..).unwrap_or_default()
    }

    fn hear(&mut self, mut turn: Turn) {
        self.seen += 1;
        if self.heard.len() < MOST {
            self.heard.extend(injected(&turn.content));
            self.heard.truncate(MOST);
        }
        if self.seen <= self.from {
            return;
        }
        match turn.role {
            Role::User | Role::Assistant => turn.content.truncate(turn.content.floor_char_boundary(LONGEST)),
            Role::Tool | Role::System => turn.content = String::new(),
        }
        turn.calls.iter_mut().for_each(tools::slim);
        self.turns.push(turn);
    }
}

impl Memory {
    /// What is new in a transcript since something was last learnt from its session.
    pub async fn read_part(&self, session: &str, format: Format, source: &mut dyn Source) -> Result<Part> {
        let mut from = self.learnt(session).await?;
        loop {
            let mut part = Part { from, ..Part::default() };
            let mut reading = Reading::start(format, source).map_err(loci_store::Error::io)?;
            while let Some(turns) = reading.more().map_err(loci_store::Error::io)? {
                turns.into_iter().for_each(|turn| part.hear(turn));
            }
            if reading.skipped() > 0 {
                tracing::info!(skipped = reading.skipped(), "parts of a transcript make no sense");
            }
            match part.seen < from {
                true => from = 0,
                false => return Ok(part),
            }
        }
    }

    /// The same of an imported session of this project; nothing for one that is not there.
    pub async fn kept_part(&self, session: &str) -> Result<Part> {
        let record = self.record()?;
        let Some(kept) = record.session(&self.whose(), session).await? else { return Ok(Part::default()) };
        let learnt = self.learnt(session).await?;
        let mut part = Part { from: if learnt > kept.messages { 0 } else { learnt }, ..Part::default() };
        loop {
            let messages = record.messages(kept.number, part.seen, AT_ONCE).await?;
            if messages.is_empty() {
                return Ok(part);
            }
            messages.into_iter().for_each(|message| part.hear(turn(message)));
        }
    }

    /// How many messages of a session are done with.
    async fn learnt(&self, session: &str) -> Result<u64> {
        let cursor = self.record()?.cursor(&self.upkeep_of()?, session).await?;
        Ok(cursor.map_or(0, |cursor| cursor.processed))
    }
}
