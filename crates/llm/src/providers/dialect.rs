//! What the languages have in common.
//!
//! Owns the port [`Dialect`] between a call and a wire format, and the readings that several formats share.
//! Never does IO: all of it is from values to values.

use super::estimate;
use super::key::Key;
use super::manners::Manners;
use crate::provider::{Answer, Ask, Call, Error, Result, Spent};
use serde_json::{Map, Value, json};
use std::fmt::Debug;

/// One wire format.
pub(super) trait Dialect: Debug + Send + Sync {
    /// Where the service is unless somebody says otherwise, and whether that place wants a key.
    fn home(&self) -> Home;

    /// The address of a call below a base address, which has no `/` at its end.
    fn address(&self, base: &str, model: &str) -> String;

    /// The headers of a call, each with what is secret about it.
    fn headers(&self, key: Option<&Key>) -> Vec<(&'static str, String)>;

    /// The question.
    fn body(&self, model: &str, ask: &Ask, manners: Manners) -> Value;

    /// The answer; what it cost is absent where the service does not say.
    fn read(&self, ask: &Ask, body: &Value) -> Result<Read>;
}

/// The place of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    pub(super) address: &'static str,
    pub(super) wants_key: bool,
}

/// What an answer says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Read {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) spent: Option<Spent>,
}

impl Read {
    /// The answer, its cost estimated where nobody told it, so that the budget counts all the same.
    pub(super) fn into_answer(self, ask: &Ask) -> Answer {
        let text = without_thinking(&self.text);
        let text = if ask.shape.is_some() { object(text) } else { text };
        let spent = self.spent.unwrap_or_else(|| estimate::spent(ask, &self.text, &self.calls));
        Answer { text: text.to_owned(), calls: self.calls, spent }
    }
}

/// Small models write what they think into the answer itself.
fn without_thinking(text: &str) -> &str {
    let trimmed = text.trim_start();
    let thought = trimmed.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    thought.map_or(text, |(_, said)| said.trim_start())
}

/// The JSON object of an answer that was to be one: small models wrap it in a code fence or in words.
fn object(text: &str) -> &str {
    let whole = text.trim();
    let parses = |text: &str| serde_json::from_str::<Map<String, Value>>(text).is_ok();
    if parses(whole) {
        return whole;
    }
    match (whole.find('{'), whole.rfind('}')) {
        (Some(from), Some(to)) if from < to && parses(&whole[from..=to]) => &whole[from..=to],
        _ => text,
    }
}

/// Arguments as a model wrote them: an object where they are one, else its words.
pub(super) fn arguments(written: Option<&Value>) -> Value {
    match written {
        None | Some(Value::Null) => json!({}),
        Some(Value::Object(object)) => Value::Object(object.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => json!({}),
        Some(Value::String(text)) => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(object)) => Value::Object(object),
            // Some services encode twice.
            Ok(Value::String(inner)) => serde_json::from_str::<Map<String, Value>>(&inner)
                .map_or_else(|_| Value::String(text.clone()), Value::Object),
            _ => Value::String(text.clone()),
        },
        Some(other) => Value::String(other.to_string()),
    }
}

/// Arguments for a service that takes objects only: what was malformed is wrapped, for a conversation must go on.
pub(super) fn replayed(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        malformed => json!({ "malformed": malformed }),
    }
}

/// A name for a call that came without; no two of a conversation are the same.
pub(super) fn call_id(ask: &Ask, number: usize) -> String {
    format!("call_{}_{number}", ask.messages.len())
}

/// A text, or the texts among parts.
pub(super) fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Counted tokens, if both counts or one of them are there.
pub(super) fn spent(input: &Value, output: &Value) -> Option<Spent> {
    let (input, output) = (input.as_u64(), output.as_u64());
    (input.is_some() || output.is_some())
        .then(|| Spent { input: input.unwrap_or_default(), output: output.unwrap_or_default() })
}

/// There is nothing in it to use, but it may have cost something.
pub(super) fn nothing<T>(why: &'static str, spent: Option<Spent>) -> Result<T> {
    Err(Error::Nothing { why, spent: spent.unwrap_or_default() })
}

/// An address below a base that may already end with the version.
pub(super) fn below(base: &str, version: &str, rest: &str) -> String {
    if base.ends_with(&format!("/{version}")) { format!("{base}/{rest}") } else { format!("{base}/{version}/{rest}") }
}

/// The shape in words, for a service that cannot be held to it.
pub(super) fn shape_in_words(system: &str, schema: &Value) -> String {
    let demand = format!("Answer with one JSON object and nothing else. It must fit this JSON schema:\n{schema}");
    if system.is_empty() { demand } else { format!("{system}\n\n{demand}") }
}

#[cfg(test)]
mod tests;
