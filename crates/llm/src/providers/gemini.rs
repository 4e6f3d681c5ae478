//! Google's Gemini: `generateContent`.
//!
//! Its schemas are a part of JSON schema, so the rest is cut off. Its calls have no ids, but signatures of the thoughts
//! that led to them, which it wants back: they travel in our ids.

mod schema;

use super::dialect::{Dialect, Home, Read, arguments, call_id, nothing, replayed, shape_in_words, spent};
use super::key::Key;
use super::manners::Manners;
use crate::provider::{Ask, Call, CallResult, Message, Result};
use serde_json::{Value, json};

/// Between the name of a call and its signature; base64 has none.
const SIGNED: char = '|';

#[derive(Debug)]
pub(super) struct Gemini;

impl Dialect for Gemini {
    fn home(&self) -> Home {
        Home { address: "https://generativelanguage.googleapis.com", wants_key: true }
    }

    fn address(&self, base: &str, model: &str) -> String {
        let model = model.strip_prefix("models/").unwrap_or(model);
        let versioned = ["/v1", "/v1beta", "/v1alpha"].iter().any(|version| base.ends_with(version));
        let version = if versioned { "" } else { "/v1beta" };
        format!("{base}{version}/models/{model}:generateContent")
    }

    fn headers(&self, key: Option<&Key>) -> Vec<(&'static str, String)> {
        key.map(|key| ("x-goog-api-key", key.reveal().to_owned())).into_iter().collect()
    }

    fn body(&self, _model: &str, ask: &Ask, manners: Manners) -> Value {
        let contents: Vec<Value> = ask.messages.iter().map(message).collect();
        let mut body = json!({"contents": contents});
        let mut system = ask.system.clone();
        let mut config = json!({});
        match &ask.shape {
            // Most models take tools or a schema, not both.
            Some(shape) if manners.has(Manners::WORDS) || !ask.tools.is_empty() => {
                system = shape_in_words(&system, &shape.schema);
            }
            Some(shape) => {
                config["responseMimeType"] = "application/json".into();
                config["responseSchema"] = schema::cut(&shape.schema);
            }
            None => {}
        }
        if !system.is_empty() {
            body["systemInstruction"] = json!({"parts": [{"text": system}]});
        }
        if !ask.tools.is_empty() {
            let declared: Vec<Value> = ask
                .tools
                .iter()
                .map(|tool| {
                    let mut declared = json!({"name": tool.name, "description": tool.description});
                    // An object without properties is refused.
                    if tool.schema["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
                        declared["parameters"] = schema::cut(&tool.schema);
                    }
                    declared
                })
                .collect();
            body["tools"] = json!([{"functionDeclarations": declared}]);
        }
        if let Some(temperature) = ask.temperature.filter(|_| !manners.has(Manners::PLAIN)) {
            config["temperature"] = temperature.into();
        }
        if let Some(most) = ask.max_tokens {
            config["maxOutputTokens"] = most.into();
        }
        if config != json!({}) {
            body["generationConfig"] = config;
        }
        body
    }

    fn read(&self, ask: &Ask, body: &Value) -> Result<Read> {
        let usage = &body["usageMetadata"];
        let mut spent = spent(&usage["promptTokenCount"], &usage["candidatesTokenCount"]);
        if let Some(spent) = &mut spent {
            spent.output += usage["thoughtsTokenCount"].as_u64().unwrap_or_default();
        }
        if body["promptFeedback"]["blockReason"].is_string() {
            return nothing("the question was blocked", spent);
        }
        let candidate = &body["candidates"][0];
        if !candidate.is_object() {
            return nothing("it has no candidates", spent);
        }
        let mut read = Read { spent, ..Read::default() };
        let parts = candidate["content"]["parts"].as_array().into_iter().flatten();
        for (number, part) in parts.filter(|part| part["thought"] != json!(true)).enumerate() {
            read.text.push_str(part["text"].as_str().unwrap_or_default());
            if part["functionCall"].is_object() {
                read.calls.push(read_call(ask, number, part));
            }
        }
        if read.text.is_empty() && read.calls.is_empty() {
            return match candidate["finishReason"].as_str() {
                None | Some("STOP") => Ok(read),
                Some("MAX_TOKENS") => nothing("it ran out of tokens", spent),
                Some("MALFORMED_FUNCTION_CALL") => nothing("the model's call was malformed", spent),
                Some(_) => nothing("it was filtered", spent),
            };
        }
        Ok(read)
    }
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "parts": [{"text": text}]}),
        Message::Assistant { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({"text": text}));
            json!({"role": "model", "parts": said.into_iter().chain(calls.iter().map(written_call)).collect::<Vec<_>>()})
        }
        Message::Results(results) => {
            json!({"role": "user", "parts": results.iter().map(written_result).collect::<Vec<_>>()})
        }
    }
}

fn written_call(call: &Call) -> Value {
    let mut part = json!({"functionCall": {"name": call.name, "args": replayed(&call.arguments)}});
    if let Some((_, signature)) = call.id.split_once(SIGNED) {
        part["thoughtSignature"] = signature.into();
    }
    part
}

fn written_result(result: &CallResult) -> Value {
    json!({"functionResponse": {"name": result.name, "response": {"result": result.text}}})
}

fn read_call(ask: &Ask, number: usize, part: &Value) -> Call {
    let mut id = call_id(ask, number);
    if let Some(signature) = part["thoughtSignature"].as_str() {
        id.push(SIGNED);
        id.push_str(signature);
    }
    let call = &part["functionCall"];
    Call { id, name: call["name"].as_str().unwrap_or_default().to_owned(), arguments: arguments(call.get("args")) }
}

#[cfg(test)]
mod tests;
