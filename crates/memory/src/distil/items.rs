//! A session as JSON items, in parts that fit one question.
//!
//! Owns that every message of people and agents reaches some part, whatever its length, and that no more than one part is in
//! memory. What the system said is left out: it is the agent's own set-up, not the conversation. So is what Loci put in
//! itself. Of what tools were given and said only the beginning counts: the rest is noise.

use super::AT_ONCE;
use crate::Result;
use loci_domain::secrets;
use loci_domain::statement::without_injected;
use loci_domain::tokens::estimate;
use loci_domain::transcript::Role;
use loci_store::record::{Message, Record};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Characters of a tool's input and output that are told.
const CLUTTER: usize = 2_000;

/// Messages on their way to a model.
pub(super) struct Items<'a> {
    record: &'a dyn Record,
    session: u64,
    /// Tokens of a part.
    room: usize,
    /// How many messages were taken from the ledger.
    taken: u64,
    over: bool,
    waiting: VecDeque<(String, usize)>,
}

impl<'a> Items<'a> {
    pub(super) fn new(record: &'a dyn Record, session: u64, room: usize) -> Items<'a> {
        Items { record, session, room, taken: 0, over: false, waiting: VecDeque::new() }
    }

    /// The next part: JSON items, one a line.
    pub(super) async fn next(&mut self) -> Result<Option<String>> {
        let (mut part, mut tokens) = (String::new(), 0);
        loop {
            while let Some((item, weight)) = self.waiting.front() {
                if tokens > 0 && tokens + weight > self.room {
                    return Ok(Some(part));
                }
                tokens += weight;
                part.push_str(item);
                part.push('\n');
                self.waiting.pop_front();
            }
            if self.over {
                return Ok(Some(part).filter(|part| !part.is_empty()));
            }
            self.take().await?;
        }
    }

    async fn take(&mut self) -> Result<()> {
        let messages = self.record.messages(self.session, self.taken, AT_ONCE).await?;
        self.taken += messages.len() as u64;
        self.over = messages.len() < AT_ONCE;
        for message in messages {
            self.waiting.extend(items(message, self.room));
        }
        Ok(())
    }
}

/// A message as one item, or as several where it does not fit a part by itself.
fn items(message: Message, room: usize) -> Vec<(String, usize)> {
    if message.role == Role::System {
        return Vec::new();
    }
    let calls = match short(&message.calls) {
        None => serde_json::from_str(&message.calls).unwrap_or_default(),
        Some(cut) => Value::String(cut),
    };
    // As text, before its line ends become signs of JSON: a key of several lines is found only so.
    let content = without_injected(&message.content);
    let content = secrets::redact(content.trim());
    let content = match (message.role, short(&content)) {
        (Role::Tool, Some(cut)) => cut.into(),
        _ => content,
    };
    if content.is_empty() && calls.is_null() {
        return Vec::new();
    }
    let item = |content: &str, part: Option<(usize, usize)>, calls: &Value| {
        let mut item = json!({"id": message.id, "role": message.role.word(), "content": content});
        if let Some((number, of)) = part {
            item["part"] = format!("{number} of {of}").into();
        }
        if !calls.is_null() {
            item["toolCalls"] = calls.clone();
        }
        let text = item.to_string();
        let weight = estimate(&text).max(1);
        (text, weight)
    };
    let whole = item(&content, None, &calls);
    if whole.1 <= room {
        return vec![whole];
    }
    // What was called is text like any other once it has to be cut.
    let text = if calls.is_null() { content.into_owned() } else { format!("{content}\n{calls}") };
    let pieces = (whole.1.div_ceil(room) * 5).div_ceil(4).max(2);
    let step = text.len().div_ceil(pieces).max(1);
    let mut cut = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let to = text.ceil_char_boundary((from + step).min(text.len()));
        cut.push(&text[from..to]);
        from = to;
    }
    let of = cut.len();
    cut.iter().enumerate().map(|(at, piece)| item(piece, Some((at + 1, of)), &Value::Null)).collect()
}

/// The beginning of what is too long.
fn short(text: &str) -> Option<String> {
    text.char_indices().nth(CLUTTER).map(|(end, _)| format!("{} [cut]", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: Role, content: &str) -> Message {
        Message { id: "m1".into(), role, content: content.into(), at: None, calls: String::new(), mark: 0 }
    }

    #[test]
    fn every_word_of_a_long_message_is_in_some_item() {
        let text: String = (0..4_000).map(|number| format!("word{number} 漢字\n")).collect();
        let items = items(message(Role::Assistant, &text), 2_000);
        assert!(items.len() > 2);
        assert!(items.iter().all(|(_, weight)| *weight <= 2_000), "{:?}", items.iter().map(|item| item.1).max());
        let said = |item: &(String, usize)| {
            serde_json::from_str::<Value>(&item.0).unwrap()["content"].as_str().unwrap().to_owned()
        };
        assert_eq!(items.iter().map(said).collect::<String>(), text.trim());
    }

    #[test]
    fn the_noise_of_tools_is_cut() {
        let mut noisy = message(Role::Tool, &"Compiling a crate\n".repeat(5_000));
        noisy.calls = json!([{"name": "write", "arguments": {"content": "x".repeat(9_000)}}]).to_string();
        let items = items(noisy, 20_000);
        assert_eq!(items.len(), 1);
        assert!(items[0].0.len() < 3 * CLUTTER && items[0].0.contains("[cut]"), "{}", items[0].0.len());
    }

    #[test]
    fn what_is_no_conversation_is_left_out() {
        assert!(items(message(Role::System, "You are an agent."), 500).is_empty());
        assert!(items(message(Role::User, "  \n"), 500).is_empty());
        let injected = "<hot_memories>\nold words\n</hot_memories>\nWhat now?";
        let items = items(message(Role::User, injected), 500);
        assert!(items[0].0.contains("What now?") && !items[0].0.contains("old words"), "{items:?}");
    }

    #[test]
    fn a_key_of_several_lines_is_taken_out() {
        let key = format!(
            "-----BEGIN RSA {0}-----\n{1}\n{1}\n-----END RSA {0}-----",
            "PRIVATE KEY",
            "MIIEowIBAAKCAQEA7".repeat(3)
        );
        let items = items(message(Role::Tool, &key), 500);
        assert!(items[0].0.contains("[REDACTED:") && !items[0].0.contains("MIIEow"), "{items:?}");
    }
}
