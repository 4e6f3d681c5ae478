//! Compaction: the older part of a long conversation, told in short.
//!
//! Owns what is covered: from the first message that is not covered yet up to the last one before what is under way. A call
//! in it that waits for a person is shown all the same (`context.rs`). Earlier summaries are part of the next one. Stored
//! messages stay as they are.
//!
//! Invariant: latest_message_is_never_lost. A summary says which places it stands for, and only those go out of sight.

use crate::context::Compaction;
use crate::mirror::{message, message_id};
use crate::prune::active;
use crate::turn::Going;
use crate::{Result, Runtime};
use loci_domain::message::Message;
use loci_ledger::{Line, Step, Visible};
use loci_memory::summarise::{Summarise, Summarised};
use std::time::Duration;
use tokio::time::timeout;

/// Characters that a model is given at once, at least.
const LEAST: usize = 20_000;
/// How often a model is asked for one summary; what is left then waits for the next turn.
const CALLS: usize = 16;
/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// Characters of a tool's input and output that a summary is made of.
const CLUTTER: usize = 2000;

impl Runtime {
    /// Tells the older part in short and keeps that, when there is an older part.
    pub(crate) async fn compact(&self, going: &Going, visible: &Visible, limit: usize) -> Result<Compaction> {
        let messages: Vec<Message> = visible.rest.iter().map(message).collect();
        let Some(last) = active(&messages, visible.own).checked_sub(1) else { return Ok(Compaction::None) };
        let to = visible.rest[last].position;
        // By place and not by order: an event that is tried again stands last, but may lie within the range.
        let mut lines: Vec<&Line> = visible.rest.iter().filter(|line| line.position <= to).collect();
        lines.sort_by_key(|line| line.position);
        let from = visible.summary.as_ref().and_then(|summary| summary.covers).map(|(from, _)| from);
        let from = from.or(lines.first().map(|line| line.position)).unwrap_or(to);
        // What goes out of sight is offered to whoever learns from conversations, before it goes.
        if let Err(error) = self.mirror(&going.memory, &going.account, &going.key, going.turn.conversation).await {
            tracing::warn!(%error, "the older part of a conversation is not offered for learning yet");
        }
        let told = timeout(PATIENCE, self.told(going, visible, &lines, limit)).await;
        let (text, to) = match told {
            Ok(Ok((text, to))) => (text, to),
            Ok(Err(reason)) => return Ok(Compaction::Failed(reason)),
            Err(_) => return Ok(Compaction::Failed("the model took too long".to_owned())),
        };
        let content = serde_json::Value::String(text).to_string();
        match self.ledger().keep_summary(going.turn.token, &content, (from, to)).await? {
            Step::Done(_) => Ok(Compaction::Done),
            Step::Lost | Step::Over => Ok(Compaction::Failed("another turn took the conversation over".to_owned())),
        }
    }

    /// The summary and the last place that it stands for; `Err` = the reason why there is none.
    async fn told(
        &self,
        going: &Going,
        visible: &Visible,
        lines: &[&Line],
        limit: usize,
    ) -> std::result::Result<(String, u64), String> {
        let mut summary = visible.summary.as_ref().map(|summary| message(summary).words()).unwrap_or_default();
        let mut reached = None;
        for (text, last) in pieces(lines, limit.max(LEAST)).into_iter().take(CALLS) {
            let ask = Summarise {
                role: going.agent.model.clone(),
                earlier: summary,
                conversation: text,
                length: (limit / 4).max(1),
            };
            match going.memory.summarise(ask).await {
                Ok(Summarised::Text(text)) => summary = text,
                Ok(Summarised::Failed(reason)) => return Err(reason),
                Err(error) => return Err(error.to_string()),
            }
            reached = last.or(reached);
        }
        reached.map(|last| (summary, last)).ok_or_else(|| "a message is too long to be told in short".to_owned())
    }
}

/// Text of at most so many characters each, with the place of the last message that is whole with it, if there is one.
fn pieces(lines: &[&Line], most: usize) -> Vec<(String, Option<u64>)> {
    let mut pieces: Vec<(String, Option<u64>)> = Vec::new();
    let (mut text, mut length, mut whole) = (String::new(), 0, None);
    for line in lines {
        let rendered = rendered(line);
        let mut rest = rendered.as_str();
        while !rest.is_empty() {
            if length >= most {
                pieces.push((std::mem::take(&mut text), whole.take()));
                length = 0;
            }
            let end = rest.char_indices().nth(most - length).map_or(rest.len(), |(at, _)| at);
            text.push_str(&rest[..end]);
            length += rest[..end].chars().count();
            rest = &rest[end..];
        }
        whole = Some(line.position);
    }
    pieces.push((text, whole));
    pieces
}

fn rendered(line: &Line) -> String {
    let message = message(line);
    let mut text = format!("[{}] {}: {}\n", message_id(line.position), line.role.word(), message.told());
    for call in message.calls() {
        text.push_str(&format!("  calls {} {}\n", call.name, short(&call.arguments.to_string())));
    }
    if line.role == loci_domain::transcript::Role::Tool { format!("{}\n", short(&text)) } else { text }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(CLUTTER) {
        Some((end, _)) => format!("{} [cut]", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use loci_domain::transcript::Role;

    fn line(position: u64, role: Role, text: &str) -> Line {
        let content = serde_json::Value::String(text.to_owned()).to_string();
        Line { position, role, content, at: Timestamp::UNIX_EPOCH, turn: "t".to_owned(), covers: None }
    }

    #[test]
    fn latest_message_is_never_lost() {
        let lines = [line(0, Role::User, "a"), line(1, Role::Assistant, "b"), line(2, Role::User, "c")];
        let messages: Vec<Message> = lines.iter().map(message).collect();
        assert_eq!(active(&messages, 1), 2);
        assert_eq!(active(&messages[2..], 1), 0);
    }

    #[test]
    fn pieces_hold_everything_and_say_how_far_they_go() {
        let long = "x".repeat(100);
        let lines = [line(0, Role::User, "short"), line(1, Role::Assistant, &long), line(2, Role::User, "end")];
        let lines: Vec<&Line> = lines.iter().collect();
        let pieces = pieces(&lines, 40);
        assert!(pieces.iter().all(|(text, _)| text.chars().count() <= 40));
        let whole: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(whole.matches('x').count(), 100);
        assert_eq!(pieces.first().unwrap().1, Some(0));
        assert_eq!(pieces.last().unwrap().1, Some(2));
    }
}
