//! Gemini CLI's format: one JSON object with all `messages`, or since 2026 JSON Lines that tell the same in steps: a line
//! about the session, a line a message (told again when it grew), `$set` and `$rewindTo` for what changed behind.

use super::parts::Parts;
use super::{Called, Piece, Role, Turn};
use serde_json::Value;

pub(super) fn read(file: &str) -> Option<Piece> {
    let mut session = None;
    let mut messages: Vec<Value> = Vec::new();
    let whole = serde_json::from_str::<Value>(file).ok().filter(|whole| whole.get("messages").is_some());
    match whole {
        Some(mut whole) => {
            session = text(&whole, "sessionId");
            if let Some(Value::Array(all)) = whole.get_mut("messages").map(Value::take) {
                messages = all;
            }
        }
        None => {
            for line in file.lines() {
                let Ok(line @ Value::Object(_)) = serde_json::from_str::<Value>(line) else { continue };
                session = session.or_else(|| text(&line, "sessionId"));
                step(line, &mut messages);
            }
        }
    }
    // A file without a session is none of Gemini's.
    session.as_ref()?;
    Some(Piece { turns: messages.iter().flat_map(turns).collect(), session, directory: None })
}

/// What one line changes.
fn step(line: Value, messages: &mut Vec<Value>) {
    let place = |id: &Value| messages.iter().position(|message| message.get("id") == Some(id));
    if let Some(back) = line.get("$rewindTo") {
        messages.truncate(place(back).unwrap_or(0));
    } else if let Some(Value::Array(all)) = line.pointer("/$set/messages") {
        *messages = all.clone();
    } else if let (Some(id), Some(_)) = (line.get("id"), line.get("type")) {
        match place(id) {
            Some(place) => messages[place] = line,
            None => messages.push(line),
        }
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// A message, and what the tools that it called answered.
fn turns(message: &Value) -> Vec<Turn> {
    let role = match message.get("type").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("gemini") => Role::Assistant,
        // Warnings and notes of the screen.
        _ => return Vec::new(),
    };
    let at = text(message, "timestamp").and_then(|at| at.parse().ok());
    let id = text(message, "id").unwrap_or_default();
    let said = message.get("content").map(Parts::read).unwrap_or_default();
    let (mut calls, mut results) = (said.calls, said.results);
    for call in message.get("toolCalls").and_then(Value::as_array).into_iter().flatten() {
        let arguments = call.get("args").cloned().unwrap_or_default();
        calls.push(Called { name: text(call, "name").unwrap_or_default(), arguments });
        results.extend(call.get("result").map(Parts::read).unwrap_or_default().results);
    }
    let mut turns = Vec::new();
    if !said.text.is_empty() || !calls.is_empty() {
        turns.push(Turn { id: id.clone(), role, content: said.text, at, calls });
    }
    if !results.is_empty() {
        let id = if id.is_empty() { id } else { format!("{id}/result") };
        turns.push(Turn { id, role: Role::Tool, content: results.join("\n"), at, calls: Vec::new() });
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(file: &str) -> Vec<(Role, String)> {
        read(file).unwrap().turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    #[test]
    fn one_object_or_lines_say_the_same() {
        let head = json!({"sessionId": "s", "projectHash": "x", "startTime": "2026-03-01T10:00:00Z"});
        let asks =
            json!({"id": "g1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": [{"text": "Look."}]});
        let early = json!({"id": "g2", "type": "gemini", "content": ""});
        let answers = json!({"id": "g2", "type": "gemini", "content": "I look.", "thoughts": [{"subject": "hm"}],
            "toolCalls": [{"name": "ls", "args": {"path": "."},
                           "result": [{"functionResponse": {"name": "ls", "response": {"output": "a.md"}}}]}]});
        let note = json!({"id": "g3", "type": "info", "content": "Update available"});
        let expected = [(Role::User, "Look."), (Role::Assistant, "I look."), (Role::Tool, "a.md")]
            .map(|(role, text)| (role, text.to_owned()));
        let mut whole = head.clone();
        whole["messages"] = json!([asks, answers, note]);
        assert_eq!(said(&whole.to_string()), expected);
        assert_eq!(said(&serde_json::to_string_pretty(&whole).unwrap()), expected);
        let gone = json!({"id": "g9", "type": "user", "content": "Never mind."});
        let back = json!({"$rewindTo": "g9"});
        let lines = [&head, &asks, &early, &answers, &note, &gone, &back].map(Value::to_string).join("\n");
        assert_eq!(said(&lines), expected);
        assert_eq!(read(&lines).unwrap().session.as_deref(), Some("s"));
        let set = json!({"$set": {"messages": [{"id": "g1", "type": "user", "content": "Only this."}]}});
        assert_eq!(said(&format!("{lines}\n{set}")), [(Role::User, "Only this.".to_owned())]);
    }

    #[test]
    fn what_is_none_of_geminis_makes_no_sense() {
        for broken in ["", "{}", "[]", "root:x:0:0:root:/root:/bin/bash\nx", r#"{"messages":[]}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
