//! Codex's format: a rollout of JSON Lines, each `{"timestamp","type","payload"}`; what was said is in `response_item`s.
//!
//! `event_msg` lines tell the same again for a screen, and are passed over. What Codex says in the user's name (where it
//! runs, what AGENTS.md holds) is no person's word.

use super::fields::{called, starts_as};
use super::{Piece, Role, Turn};
use crate::foreign;
use serde_json::Value;

/// How text starts that Codex writes in the user's name.
const HARNESS: [&str; 7] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
];

pub(super) fn read(line: &str) -> Option<Piece> {
    let line = foreign::json(line)?;
    let payload = line.get("payload")?;
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    let call = |payload: &Value, with: &str| called(payload.get("name"), payload.get(with));
    match line.get("type")?.as_str()? {
        "session_meta" => {
            let own = |name: &str| text(name).map(str::to_owned);
            Some(Piece { session: own("id"), directory: own("cwd"), ..Piece::default() })
        }
        "response_item" => {
            let at = line.get("timestamp").and_then(|at| at.as_str()?.parse().ok());
            let (role, content, calls) = match text("type")? {
                "message" => {
                    let content = words(payload.get("content")?);
                    (speaker(text("role")?, &content)?, content, Vec::new())
                }
                "function_call" => (Role::Assistant, String::new(), vec![call(payload, "arguments")]),
                "custom_tool_call" => (Role::Assistant, String::new(), vec![call(payload, "input")]),
                "function_call_output" | "custom_tool_call_output" => {
                    (Role::Tool, result(payload.get("output")?), Vec::new())
                }
                // Thoughts, searches, snapshots.
                _ => return Some(Piece::default()),
            };
            if content.is_empty() && calls.is_empty() {
                return Some(Piece::default());
            }
            let id = text("id").unwrap_or_default().to_owned();
            Some(Piece { turns: vec![Turn { id, role, content, at, calls }], ..Piece::default() })
        }
        _ => Some(Piece::default()),
    }
}

fn speaker(role: &str, content: &str) -> Option<Role> {
    Some(match role {
        "user" if starts_as(content, &HARNESS) => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" | "developer" => Role::System,
        _ => return None,
    })
}

fn words(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten();
    parts.filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
}

/// What a tool answered: text, often JSON with the text in `output`, or parts.
fn result(output: &Value) -> String {
    match output {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(inner)) => inner.get("output").and_then(Value::as_str).unwrap_or(text).to_owned(),
            _ => text.clone(),
        },
        Value::Object(inner) => inner.get("content").map(result).unwrap_or_default(),
        parts => words(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Called;
    use super::*;
    use serde_json::json;

    fn turns(payload: Value) -> Vec<(Role, String)> {
        let line = json!({"timestamp": "2026-03-01T10:00:00.000Z", "type": "response_item", "payload": payload});
        let piece = read(&line.to_string()).unwrap_or_else(|| panic!("{line} makes no sense"));
        piece.turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    fn message(role: &str, text: &str) -> Value {
        json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})
    }

    #[test]
    fn who_speaks() {
        for (role, text, speaker) in [
            ("user", "Use tabs.", Role::User),
            ("assistant", "Yes.", Role::Assistant),
            ("developer", "Be brief.", Role::System),
            ("user", "<environment_context>\n<cwd>/p</cwd></environment_context>", Role::System),
            ("user", "# AGENTS.md instructions for /p\nAlways obey.", Role::System),
        ] {
            assert_eq!(turns(message(role, text)), [(speaker, text.to_owned())]);
        }
        let answer =
            json!({"type": "function_call_output", "call_id": "c", "output": "{\"output\":\"ok\",\"metadata\":{}}"});
        assert_eq!(turns(answer), [(Role::Tool, "ok".to_owned())]);
    }

    #[test]
    fn calls_and_what_is_about_the_session() {
        let line = json!({"type": "response_item", "timestamp": "x",
            "payload": {"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}"}});
        let piece = read(&line.to_string()).unwrap();
        assert_eq!(piece.turns[0].calls, [Called { name: "shell".to_owned(), arguments: json!({"command": ["ls"]}) }]);
        let meta = json!({"type": "session_meta", "payload": {"id": "s", "cwd": "/p"}});
        let piece = read(&meta.to_string()).unwrap();
        assert_eq!((piece.session.as_deref(), piece.directory.as_deref()), (Some("s"), Some("/p")));
        assert!(turns(json!({"type": "reasoning", "summary": [{"text": "hm"}]})).is_empty());
        let again = json!({"type": "event_msg", "payload": {"type": "user_message", "message": "Use tabs."}});
        assert!(read(&again.to_string()).unwrap().turns.is_empty());
        for broken in ["", "[]", "{}", "root:x:0:0:root:/root:/bin/bash", r#"{"type":"response_item"}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
