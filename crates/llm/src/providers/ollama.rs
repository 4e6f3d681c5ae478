//! Ollama's own chat.
//!
//! It cuts a question that is longer than its context without a word, and its context is short unless it is told
//! otherwise: long questions ask for a longer one.

use super::dialect::{Dialect, Home, Read, arguments, call_id, nothing, replayed, shape_in_words, spent};
use super::estimate;
use super::key::Key;
use super::manners::Manners;
use crate::provider::{Ask, Call, Message, Result};
use serde_json::{Value, json};

/// The shortest context that Ollama gives by itself.
const CONTEXT: u64 = 4096;
const LONGEST_CONTEXT: u64 = 131_072;
/// Room for an answer whose length nobody limited.
const ANSWER: u64 = 1024;

#[derive(Debug)]
pub(super) struct Ollama;

impl Dialect for Ollama {
    fn home(&self) -> Home {
        Home { address: "http://127.0.0.1:11434", wants_key: false }
    }

    fn address(&self, base: &str, _model: &str) -> String {
        format!("{}/api/chat", base.strip_suffix("/api").unwrap_or(base))
    }

    fn headers(&self, key: Option<&Key>) -> Vec<(&'static str, String)> {
        key.map(|key| ("authorization", format!("Bearer {}", key.reveal()))).into_iter().collect()
    }

    fn body(&self, model: &str, ask: &Ask, manners: Manners) -> Value {
        let mut body = json!({"model": model, "stream": false});
        let mut system = ask.system.clone();
        match &ask.shape {
            // Held to a format it could not call a tool.
            Some(shape) if manners.has(Manners::WORDS) || !ask.tools.is_empty() => {
                system = shape_in_words(&system, &shape.schema);
            }
            Some(shape) => body["format"] = shape.schema.clone(),
            None => {}
        }
        let system = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
        body["messages"] = system.into_iter().chain(ask.messages.iter().flat_map(message)).collect();
        if !ask.tools.is_empty() {
            body["tools"] = ask
                .tools
                .iter()
                .map(|tool| {
                    let function =
                        json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
                    json!({"type": "function", "function": function})
                })
                .collect();
        }
        let options = options(ask, manners);
        if options != json!({}) {
            body["options"] = options;
        }
        body
    }

    fn read(&self, ask: &Ask, body: &Value) -> Result<Read> {
        let spent = spent(&body["prompt_eval_count"], &body["eval_count"]);
        let Some(message) = body["message"].as_object() else { return nothing("it has no message", spent) };
        let text = message.get("content").and_then(Value::as_str).unwrap_or_default().to_owned();
        let listed = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().enumerate();
        let calls = listed.map(|(number, call)| Call {
            id: call_id(ask, number),
            name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
            arguments: arguments(call["function"].get("arguments")),
        });
        let calls: Vec<Call> = calls.collect();
        if text.is_empty() && calls.is_empty() && body["done_reason"] == "length" {
            return nothing("it ran out of tokens", spent);
        }
        Ok(Read { text, calls, spent })
    }
}

fn options(ask: &Ask, manners: Manners) -> Value {
    let mut options = json!({});
    if let Some(temperature) = ask.temperature.filter(|_| !manners.has(Manners::PLAIN)) {
        options["temperature"] = temperature.into();
    }
    if let Some(most) = ask.max_tokens {
        options["num_predict"] = most.into();
    }
    let needed = estimate::input(ask) + ask.max_tokens.map_or(ANSWER, u64::from);
    if needed > CONTEXT {
        // Few different lengths: each new one makes it load the model again.
        options["num_ctx"] = needed.next_power_of_two().min(LONGEST_CONTEXT).into();
    }
    options
}

fn message(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({"role": "user", "content": text})],
        Message::Assistant { text, calls } => {
            let mut said = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                let call =
                    |call: &Call| json!({"function": {"name": call.name, "arguments": replayed(&call.arguments)}});
                said["tool_calls"] = calls.iter().map(call).collect();
            }
            vec![said]
        }
        Message::Results(results) => results
            .iter()
            .map(|result| json!({"role": "tool", "tool_name": result.name, "content": result.text}))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
