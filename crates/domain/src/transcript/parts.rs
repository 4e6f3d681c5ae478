//! Parts of a message as Gemini's API has them; Qwen Code and Gemini CLI keep what they send.

use super::Called;
use super::fields::called;
use serde_json::Value;

/// The content of a message, by what it is; thoughts and data are left out.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub text: String,
    pub results: Vec<String>,
    pub calls: Vec<Called>,
}

impl Parts {
    /// Reads text, a part, or parts.
    pub fn read(content: &Value) -> Parts {
        let mut read = Parts::default();
        let one = std::slice::from_ref(content);
        let parts = content.as_array().map_or(one, Vec::as_slice);
        let mut texts = Vec::new();
        for part in parts {
            match part {
                Value::String(text) => texts.push(text.as_str()),
                part if part.get("thought") == Some(&Value::Bool(true)) => {}
                part => {
                    texts.extend(part.get("text").and_then(Value::as_str));
                    read.calls.extend(part.get("functionCall").map(call));
                    read.results.extend(part.get("functionResponse").map(answer));
                }
            }
        }
        read.text = texts.join("\n");
        read
    }
}

fn call(call: &Value) -> Called {
    called(call.get("name"), call.get("args"))
}

/// What a function answered: its output or error, else all of it.
fn answer(response: &Value) -> String {
    let Some(response) = response.get("response") else { return String::new() };
    let told = ["output", "error"].iter().find_map(|name| response.get(name)?.as_str());
    told.map_or_else(|| response.to_string(), str::to_owned)
}
