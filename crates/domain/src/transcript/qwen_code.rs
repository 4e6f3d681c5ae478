//! Qwen Code's format: JSON Lines like Claude Code's, with messages of Gemini's API.

use super::parts::Parts;
use super::{Piece, Role, Title, Titled, Turn};
use crate::foreign;
use serde_json::Value;

pub(super) fn read(line: &str) -> Option<Piece> {
    let line = foreign::json(line)?;
    let text = |name: &str| line.get(name).and_then(Value::as_str);
    let role = match text("type")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool_result" => Role::Tool,
        // Telemetry, compressions, commands of the screen.
        _ => return Some(about(&line, Vec::new())),
    };
    let parts = Parts::read(line.get("message")?.get("parts")?);
    let at = text("timestamp").and_then(|at| at.parse().ok());
    let id = text("uuid").unwrap_or_default().to_owned();
    let turn = match role {
        Role::Tool => Turn { id, role, content: parts.results.join("\n"), at, calls: Vec::new() },
        role => Turn { id, role, content: parts.text, at, calls: parts.calls },
    };
    let empty = turn.content.is_empty() && turn.calls.is_empty();
    Some(about(&line, if empty { Vec::new() } else { vec![turn] }))
}

fn about(line: &Value, turns: Vec<Turn>) -> Piece {
    let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    let told = |name: &str| line.pointer(&format!("/systemPayload/{name}")).and_then(Value::as_str);
    let by = if told("titleSource") == Some("auto") { Titled::Machine } else { Titled::Person };
    let title = told("customTitle").map(|text| Title { by, text: text.to_owned() });
    Piece { turns, session: text("sessionId"), directory: text("cwd"), title, ..Piece::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(kind: &str, parts: Value) -> Option<Turn> {
        let line = json!({"uuid": "u", "sessionId": "s", "cwd": "/p", "timestamp": "2026-03-01T10:00:00Z", "type": kind,
                          "message": {"role": "x", "parts": parts}});
        let piece = read(&line.to_string()).unwrap();
        assert_eq!((piece.session.as_deref(), piece.directory.as_deref()), (Some("s"), Some("/p")));
        piece.turns.into_iter().next()
    }

    #[test]
    fn who_speaks_and_what_is_left_out() {
        let said = one("user", json!([{"text": "I like tables."}])).unwrap();
        assert_eq!((said.role, said.content.as_str(), said.id.as_str()), (Role::User, "I like tables.", "u"));
        let parts = json!([{"text": "hm", "thought": true}, {"text": "I look."},
                           {"functionCall": {"id": "c", "name": "read_file", "args": {"path": "a"}}}]);
        let said = one("assistant", parts).unwrap();
        assert_eq!((said.content.as_str(), said.calls[0].name.as_str()), ("I look.", "read_file"));
        let parts = json!([{"functionResponse": {"name": "read_file", "response": {"output": "| a |"}}}]);
        let said = one("tool_result", parts).unwrap();
        assert_eq!((said.role, said.content.as_str()), (Role::Tool, "| a |"));
        assert_eq!(one("assistant", json!([{"text": "hm", "thought": true}])), None);
        assert_eq!(one("system", json!([])), None);
        for broken in ["", "[]", "{}", "root:x:0:0", r#"{"type":"user"}"#, r#"{"type":"user","message":{}}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
