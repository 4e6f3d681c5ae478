//! What was said in a conversation, among the sessions: there it can be recalled and learnt from.
//!
//! Owns the name of the copy and that it follows. The copy is redacted, as every session; the conversation itself is kept
//! as it was said.

use crate::{Result, Runtime};
use jiff::Timestamp;
use loci_domain::message::Message;
use loci_domain::transcript::Turn;
use loci_ledger::{LOCAL, Line};
use loci_memory::Memory;
use loci_pipeline::Where;
use loci_pipeline::jobs::extract_turn::ExtractTurn;

/// Messages that are copied at once.
const AT_ONCE: usize = 200;

/// What the copy of a conversation is called. With its number: one that was deleted and began anew is another one.
pub(crate) fn session(key: &str, number: u64) -> String {
    format!("conversation:{number}:{key}")
}

impl Runtime {
    /// Copies what is new, and asks for it to be learnt from.
    pub(crate) async fn mirror(&self, memory: &Memory, account: &str, key: &str, number: u64) -> Result<()> {
        let name = session(key, number);
        // Until nothing is left: who copied at the same time may have put back what it knew.
        loop {
            let from = memory.session_length(&name).await?;
            let lines = self.ledger().lines(number, from, AT_ONCE).await?;
            if lines.is_empty() {
                break;
            }
            memory.append_session(&name, from, lines.iter().map(turn).collect()).await?;
        }
        let bound = self.place();
        let place = Where {
            directory: bound.directory.clone().filter(|_| account == LOCAL),
            workspace: None,
            account: Some(account.to_owned()).filter(|account| account != LOCAL),
        };
        let ask = ExtractTurn { session: name, place, transcript: None };
        self.ledger().enqueue_job(&ask.wanted(memory.upkeep_of()?.0), Timestamp::now()).await?;
        Ok(())
    }
}

/// How a message of a conversation is named outside.
pub fn message_id(position: u64) -> String {
    format!("m{}", position + 1)
}

/// A stored message, read.
pub fn message(line: &Line) -> Message {
    Message { role: line.role, content: serde_json::from_str(&line.content).unwrap_or_default() }
}

fn turn(line: &Line) -> Turn {
    let message = message(line);
    Turn {
        id: message_id(line.position),
        role: line.role,
        content: message.told(),
        at: Some(line.at),
        calls: message.calls(),
    }
}
