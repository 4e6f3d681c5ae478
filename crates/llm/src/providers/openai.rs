//! OpenAI's chat completions, and the many that speak nearly the same.
//!
//! Lenient in what it reads: usage may be missing, content may be null or parts, arguments may be an object, ids may be
//! missing. Strict in what it writes: only what every such server knows.

use super::dialect::{Dialect, Home, Read, arguments, call_id, nothing, replayed, shape_in_words, spent, text};
use super::key::Key;
use super::manners::Manners;
use crate::provider::{Ask, Call, Message, Result, Shape};
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct OpenAi;

impl Dialect for OpenAi {
    fn home(&self) -> Home {
        Home { address: "https://api.openai.com/v1", wants_key: true }
    }

    fn address(&self, base: &str, _model: &str) -> String {
        format!("{base}/chat/completions")
    }

    fn headers(&self, key: Option<&Key>) -> Vec<(&'static str, String)> {
        key.map(|key| ("authorization", format!("Bearer {}", key.reveal()))).into_iter().collect()
    }

    fn body(&self, model: &str, ask: &Ask, manners: Manners) -> Value {
        let mut body = json!({"model": model, "stream": false});
        let mut system = ask.system.clone();
        match &ask.shape {
            Some(shape) if manners.has(Manners::WORDS) => system = shape_in_words(&system, &shape.schema),
            Some(shape) => body["response_format"] = response_format(shape),
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
        if let Some(temperature) = ask.temperature.filter(|_| !manners.has(Manners::PLAIN)) {
            body["temperature"] = temperature.into();
        }
        if let Some(most) = ask.max_tokens {
            let name = if manners.has(Manners::COMPLETION) { "max_completion_tokens" } else { "max_tokens" };
            body[name] = most.into();
        }
        body
    }

    fn read(&self, ask: &Ask, body: &Value) -> Result<Read> {
        let spent = spent(&body["usage"]["prompt_tokens"], &body["usage"]["completion_tokens"]);
        let choice = &body["choices"][0];
        let Some(message) = choice["message"].as_object() else { return nothing("it has no choices", spent) };
        let field = |name: &str| message.get(name).unwrap_or(&Value::Null);
        let text = text(field("content"));
        let listed = field("tool_calls").as_array().into_iter().flatten().enumerate();
        let calls: Vec<Call> = listed.map(|(number, call)| read_call(ask, number, call)).collect();
        if text.is_empty() && calls.is_empty() {
            if field("refusal").is_string() {
                return nothing("the model refuses", spent);
            }
            match choice["finish_reason"].as_str() {
                Some("content_filter") => return nothing("it was filtered", spent),
                Some("length") => return nothing("it ran out of tokens", spent),
                _ => {}
            }
        }
        Ok(Read { text, calls, spent })
    }
}

fn message(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({"role": "user", "content": text})],
        Message::Assistant { text, calls } => {
            let mut said = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                said["tool_calls"] = calls.iter().map(written_call).collect();
                // Some servers take no empty text beside calls.
                if text.is_empty() {
                    said["content"] = Value::Null;
                }
            }
            vec![said]
        }
        Message::Results(results) => results
            .iter()
            .map(|result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text}))
            .collect(),
    }
}

fn written_call(call: &Call) -> Value {
    // Servers that fill a template read the arguments as JSON and fail where they are none.
    let function = json!({"name": call.name, "arguments": replayed(&call.arguments).to_string()});
    json!({"id": call.id, "type": "function", "function": function})
}

fn read_call(ask: &Ask, number: usize, call: &Value) -> Call {
    let id = call["id"].as_str().filter(|id| !id.is_empty());
    Call {
        id: id.map_or_else(|| call_id(ask, number), str::to_owned),
        name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(call["function"].get("arguments")),
    }
}

fn response_format(shape: &Shape) -> Value {
    let strict = is_strict(&shape.schema);
    json!({"type": "json_schema", "json_schema": {"name": shape.name, "schema": shape.schema, "strict": strict}})
}

/// Whether a schema keeps OpenAI's rules for answers that are sure to fit: every object closed, every property required.
/// With others it is refused if it is called strict.
fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let closed = fields.get("properties").and_then(Value::as_object).is_none_or(|properties| {
                let required = fields.get("required").and_then(Value::as_array);
                let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|n| n == name));
                fields.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(is_required)
            });
            closed && fields.values().all(is_strict)
        }
        Value::Array(items) => items.iter().all(is_strict),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
