//! Anthropic's messages.
//!
//! An answer of a shape is the call of a tool that has this shape: it works with every model, and beside other tools.
//! Thinking is skipped.

use super::dialect::{Dialect, Home, Read, arguments, below, call_id, nothing, replayed, shape_in_words, spent};
use super::key::Key;
use super::manners::Manners;
use crate::provider::{Ask, Call, Message, Result};
use serde_json::{Value, json};

/// The service wants a limit; as high as every model of today takes.
const MOST_TOKENS: u32 = 8192;

#[derive(Debug)]
pub(super) struct Anthropic;

impl Dialect for Anthropic {
    fn home(&self) -> Home {
        Home { address: "https://api.anthropic.com", wants_key: true }
    }

    fn address(&self, base: &str, _model: &str) -> String {
        below(base, "v1", "messages")
    }

    fn headers(&self, key: Option<&Key>) -> Vec<(&'static str, String)> {
        let version = ("anthropic-version", "2023-06-01".to_owned());
        std::iter::once(version).chain(key.map(|key| ("x-api-key", key.reveal().to_owned()))).collect()
    }

    fn body(&self, model: &str, ask: &Ask, manners: Manners) -> Value {
        let messages: Vec<Value> = ask.messages.iter().map(message).collect();
        let mut body =
            json!({"model": model, "max_tokens": ask.max_tokens.unwrap_or(MOST_TOKENS), "messages": messages});
        let mut tools: Vec<Value> =
            ask.tools.iter().map(|tool| written_tool(&tool.name, &tool.description, &tool.schema)).collect();
        let mut system = ask.system.clone();
        match &ask.shape {
            Some(shape) if manners.has(Manners::WORDS) => system = shape_in_words(&system, &shape.schema),
            Some(shape) => {
                // It must call something: one of the tools, or the one that is its answer.
                body["tool_choice"] = match tools.as_slice() {
                    [] => json!({"type": "tool", "name": shape.name}),
                    _ => json!({"type": "any"}),
                };
                tools.push(written_tool(&shape.name, "Gives the answer.", &shape.schema));
            }
            None => {}
        }
        if !system.is_empty() {
            body["system"] = system.into();
        }
        if !tools.is_empty() {
            body["tools"] = tools.into();
        }
        if let Some(temperature) = ask.temperature.filter(|_| !manners.has(Manners::PLAIN)) {
            body["temperature"] = temperature.into();
        }
        body
    }

    fn read(&self, ask: &Ask, body: &Value) -> Result<Read> {
        let usage = &body["usage"];
        let mut spent = spent(&usage["input_tokens"], &usage["output_tokens"]);
        if let Some(spent) = &mut spent {
            let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
            spent.input += cached.iter().filter_map(|name| usage[*name].as_u64()).sum::<u64>();
        }
        let Some(blocks) = body["content"].as_array() else { return nothing("it has no content", spent) };
        let mut read = Read { spent, ..Read::default() };
        for (number, block) in blocks.iter().enumerate() {
            match block["type"].as_str() {
                Some("text") => read.text.push_str(block["text"].as_str().unwrap_or_default()),
                Some("tool_use") => {
                    let name = block["name"].as_str().unwrap_or_default();
                    if ask.shape.as_ref().is_some_and(|shape| shape.name == name) {
                        read.text = block["input"].to_string();
                        read.calls.clear();
                        break;
                    }
                    let id = block["id"].as_str().map_or_else(|| call_id(ask, number), str::to_owned);
                    read.calls.push(Call { id, name: name.to_owned(), arguments: arguments(block.get("input")) });
                }
                _ => {}
            }
        }
        if read.text.is_empty() && read.calls.is_empty() {
            match body["stop_reason"].as_str() {
                Some("refusal") => return nothing("the model refuses", spent),
                Some("max_tokens") => return nothing("it ran out of tokens", spent),
                _ => {}
            }
        }
        Ok(read)
    }
}

fn written_tool(name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "description": description, "input_schema": schema})
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls } => {
            // An empty text is refused.
            let said = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
            let calls = calls.iter().map(|call| {
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": replayed(&call.arguments)})
            });
            json!({"role": "assistant", "content": said.into_iter().chain(calls).collect::<Vec<_>>()})
        }
        Message::Results(results) => {
            let results = results
                .iter()
                .map(|result| json!({"type": "tool_result", "tool_use_id": result.id, "content": result.text}));
            json!({"role": "user", "content": results.collect::<Vec<_>>()})
        }
    }
}

#[cfg(test)]
mod tests;
