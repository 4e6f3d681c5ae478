//! Summarise: the older part of a conversation, in a few words that take its place.
//!
//! Owns the question to the model and the bounds of its answer. Never keeps anything: the caller does.

use crate::prompts::{SUMMARISE, data};
use crate::{Memory, Result};
use loci_llm::Role;
use loci_llm::provider::{Ask, Message};

/// Something to be told in short.
#[derive(Debug, Clone)]
pub struct Summarise {
    /// Which model: `default`, `fast` or `smol`.
    pub role: String,
    /// The summary of what came before, which the new one includes; may be empty.
    pub earlier: String,
    /// What was said since.
    pub conversation: String,
    /// Characters of the summary at most.
    pub length: usize,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summarised {
    /// The summary.
    Text(String),
    /// There is none, for this reason; it holds no word of the conversation.
    Failed(String),
}

impl Memory {
    /// Asks the model; there is no way to do this without one, and that is a reason too.
    pub async fn summarise(&self, ask: Summarise) -> Result<Summarised> {
        let earlier = if ask.earlier.is_empty() { String::new() } else { data("earlier_summary", &ask.earlier) };
        let length = ask.length.to_string();
        let conversation = data("conversation", &ask.conversation);
        let values = [("length", length.as_str()), ("earlier", &earlier), ("conversation", &conversation)];
        let prompt = self.prompts.filled(&SUMMARISE, &values)?;
        let ask_model = Ask { messages: vec![Message::User(prompt)], temperature: Some(0.0), ..Ask::default() };
        let answer = match self.models.ask(named(&ask.role), &ask_model).await {
            Ok(answer) => answer,
            Err(error) => return Ok(Summarised::Failed(error.to_string())),
        };
        let text = answer.text.trim();
        if text.is_empty() {
            return Ok(Summarised::Failed("the model said nothing".to_owned()));
        }
        // A model that cannot count is cut where a character ends.
        Ok(Summarised::Text(text.chars().take(ask.length.max(1)).collect()))
    }
}

fn named(role: &str) -> Role {
    match role {
        "fast" => Role::Fast,
        "smol" => Role::Smol,
        _ => Role::Default,
    }
}
