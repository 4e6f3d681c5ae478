//! A message of a conversation: a role, and text or parts.
//!
//! Owns which messages there are, and what of one is words, thought, or work with tools.
//! Never loses what a part carries beside what is known here: it is kept as it came.

use crate::form::Bad;
use crate::transcript::{Called, Role};
use serde_json::Value;

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// A text, or a list of parts.
    pub content: Value,
}

/// What a part is, with the ids that tie it to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words.
    Text(&'a str),
    /// A thought.
    Reasoning,
    /// A call of a tool, by its id.
    Call(&'a str),
    /// What came of a call.
    Result(&'a str),
    /// A question to a person: its id, and the call that waits for it.
    Asks(&'a str, &'a str),
    /// A person's word on such a question: its id, and whether it is a yes.
    Answers(&'a str, bool),
}

impl Message {
    /// Reads a message; what is wrong is named by its place in the request.
    pub fn read(value: &Value, at: &str) -> Result<Message, Bad> {
        let fields = value.as_object().ok_or_else(|| Bad::new(at, "must be an object"))?;
        let role = fields.get("role").and_then(Value::as_str).and_then(Role::from_word);
        let role = role.ok_or_else(|| Bad::new(format!("{at}.role"), "must be user, assistant, tool or system"))?;
        let place = format!("{at}.content");
        let content = match fields.get("content") {
            Some(Value::String(text)) => Value::String(text.clone()),
            Some(Value::Array(_)) if role == Role::System => return Err(Bad::new(place, "must be a text")),
            Some(Value::Array(parts)) => {
                for (number, part) in parts.iter().enumerate() {
                    known(part).ok_or_else(|| {
                        let kinds =
                            "text, reasoning, tool-call, tool-result, tool-approval-request or tool-approval-response";
                        Bad::new(format!("{place}[{number}]"), format!("must be a part with its ids: {kinds}"))
                    })?;
                }
                Value::Array(parts.clone())
            }
            _ => return Err(Bad::new(place, "must be a text or a list of parts")),
        };
        Ok(Message { role, content })
    }

    /// Its parts with what they are; a plain text is one of them.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match &self.content {
            Value::String(text) => vec![Part::Text(text)],
            Value::Array(parts) => parts.iter().filter_map(known).collect(),
            _ => Vec::new(),
        }
    }

    /// Its words.
    pub fn words(&self) -> String {
        let parts = self.parts();
        let words: Vec<&str> =
            parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(*text) } else { None }).collect();
        words.join("\n")
    }

    /// What it says to whoever keeps transcripts: its words, or what a tool answered.
    pub fn told(&self) -> String {
        match (&self.content, self.role) {
            (Value::Array(parts), Role::Tool) => parts.iter().filter_map(output).collect::<Vec<_>>().join("\n"),
            _ => self.words(),
        }
    }

    /// The tools that it calls.
    pub fn calls(&self) -> Vec<Called> {
        let Value::Array(parts) = &self.content else { return Vec::new() };
        let calls = parts.iter().filter(|part| part["type"] == "tool-call");
        let called = |part: &Value| Called {
            name: part["toolName"].as_str().unwrap_or_default().to_owned(),
            arguments: part["input"].clone(),
        };
        calls.map(called).collect()
    }
}

/// What a part is; `None` = nothing that there is.
pub fn known(part: &Value) -> Option<Part<'_>> {
    let text = |name: &str| part[name].as_str().filter(|text| !text.is_empty());
    match part["type"].as_str()? {
        "text" => Some(Part::Text(part["text"].as_str()?)),
        "reasoning" => part["text"].as_str().map(|_| Part::Reasoning),
        "tool-call" => text("toolName").and(text("toolCallId")).map(Part::Call),
        "tool-result" => part.get("output").and(text("toolCallId")).map(Part::Result),
        "tool-approval-request" => Some(Part::Asks(text("approvalId")?, text("toolCallId")?)),
        "tool-approval-response" => {
            part["approved"].as_bool().zip(text("approvalId")).map(|(approved, id)| Part::Answers(id, approved))
        }
        _ => None,
    }
}

/// What a tool answered, as text.
fn output(part: &Value) -> Option<String> {
    if part["type"] != "tool-result" {
        return None;
    }
    let output = &part["output"];
    let value = output.get("value").unwrap_or(output);
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_no_message_is_named() {
        let check = |value: Value, want: &str| {
            assert_eq!(Message::read(&value, "events[0]").unwrap_err().field, want, "{value}");
        };
        check(json!("hi"), "events[0]");
        check(json!({"role": "robot", "content": "x"}), "events[0].role");
        check(json!({"role": "user"}), "events[0].content");
        check(json!({"role": "user", "content": 7}), "events[0].content");
        check(json!({"role": "system", "content": []}), "events[0].content");
        check(
            json!({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "dance"}]}),
            "events[0].content[1]",
        );
        check(json!({"role": "tool", "content": [{"type": "tool-result", "output": 1}]}), "events[0].content[0]");
    }

    #[test]
    fn words_calls_and_answers_are_told_apart() {
        let call = json!({"role": "assistant", "content": [
            {"type": "reasoning", "text": "hm"}, {"type": "text", "text": "I look."},
            {"type": "tool-call", "toolCallId": "t", "toolName": "read", "input": {"path": "a"}, "extra": 1}
        ]});
        let call = Message::read(&call, "m").unwrap();
        assert_eq!(call.words(), "I look.");
        assert_eq!(call.calls()[0].name, "read");
        assert_eq!(call.parts(), [Part::Reasoning, Part::Text("I look."), Part::Call("t")]);
        assert_eq!(call.content[2]["extra"], 1);
        let result = json!({"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "t", "toolName": "read", "output": {"type": "text", "value": "8443"}}
        ]});
        assert_eq!(Message::read(&result, "m").unwrap().told(), "8443");
    }
}
