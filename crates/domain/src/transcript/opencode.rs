//! OpenCode's format: an object of `info` and `messages`, as `opencode export` writes it, each message again `info` and
//! `parts`. Its storage keeps the same values in files of their own; whoever reads that puts them together like this.
//!
//! Parts that OpenCode itself wrote into a person's message (`synthetic`) are not the person's words.

use super::fields::{called, text, time};
use super::{Called, Piece, Role, Title, Titled, Turn};
use crate::foreign;
use serde_json::Value;

pub(super) fn read(unit: &str) -> Option<Piece> {
    let unit = foreign::json(unit)?;
    let info = unit.get("info");
    if unit.get("messages").is_some() {
        return Some(info.map(about).unwrap_or_default());
    }
    match unit.get("parts") {
        Some(parts) => Some(Piece { turns: turns(info?, parts.as_array()?)?, ..Piece::default() }),
        // The file of a session, without what was said in it.
        None => (unit.get("id").is_some() && unit.get("directory").is_some()).then(|| about(&unit)),
    }
}

fn about(info: &Value) -> Piece {
    let title = text(info, "title").map(|text| Title { by: Titled::Machine, text });
    Piece {
        session: text(info, "id"),
        directory: text(info, "directory"),
        parent: text(info, "parentID"),
        title,
        ..Piece::default()
    }
}

/// A message, and what the tools that it called answered; `None` for a role that is none.
fn turns(info: &Value, parts: &[Value]) -> Option<Vec<Turn>> {
    let is = |value: &Value, flag: &str| value.get(flag) == Some(&Value::Bool(true));
    let role = match info.get("role").and_then(Value::as_str)? {
        "user" => Role::User,
        // A summary of what was said before.
        "assistant" if is(info, "summary") => Role::System,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let id = text(info, "id").unwrap_or_default();
    let at = time(info.pointer("/time/created"));
    let (mut texts, mut calls, mut results): (Vec<&str>, Vec<Called>, Vec<String>) = Default::default();
    for part in parts {
        match part.get("type").and_then(Value::as_str) {
            Some("text") if !is(part, "synthetic") && !is(part, "ignored") => {
                texts.extend(part.get("text").and_then(Value::as_str));
            }
            Some("tool") => {
                calls.push(called(part.get("tool"), part.pointer("/state/input")));
                let answer = part.pointer("/state/output").or(part.pointer("/state/error"));
                results.extend(answer.and_then(Value::as_str).map(str::to_owned));
            }
            // Thoughts, files, snapshots, steps.
            _ => {}
        }
    }
    let mut turns = Vec::new();
    if !texts.is_empty() || !calls.is_empty() {
        turns.push(Turn { id: id.clone(), role, content: texts.join("\n"), at, calls });
    }
    if !results.is_empty() {
        let id = if id.is_empty() { id } else { format!("{id}/result") };
        turns.push(Turn { id, role: Role::Tool, content: results.join("\n"), at, calls: Vec::new() });
    }
    Some(turns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(role: &str, parts: Value) -> Vec<(Role, String)> {
        let message =
            json!({"info": {"id": "m", "role": role, "time": {"created": 1_772_359_200_000_i64}}, "parts": parts});
        let piece = read(&message.to_string()).unwrap_or_else(|| panic!("{message} makes no sense"));
        assert!(piece.turns.iter().all(|turn| turn.at.is_some()));
        piece.turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    #[test]
    fn a_person_a_model_and_a_tool_are_told_apart() {
        let typed = json!([{"type": "text", "text": "Mine."}, {"type": "text", "text": "<file>", "synthetic": true},
                           {"type": "file", "url": "data:"}]);
        assert_eq!(said("user", typed), [(Role::User, "Mine.".to_owned())]);
        let works = json!([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "I look."}, {"type": "step-finish"},
            {"type": "tool", "tool": "grep", "state": {"status": "completed", "input": {"pattern": "x"}, "output": "a.rs"}},
            {"type": "tool", "tool": "bash", "state": {"status": "error", "input": {}, "error": "no"}}]);
        assert_eq!(
            said("assistant", works),
            [(Role::Assistant, "I look.".to_owned()), (Role::Tool, "a.rs\nno".to_owned())]
        );
        assert_eq!(said("assistant", json!([{"type": "reasoning", "text": "hm"}])), []);
    }

    #[test]
    fn what_is_about_the_session_and_what_makes_no_sense() {
        let info = json!({"id": "ses", "projectID": "p", "directory": "/p", "title": "Port it"});
        for unit in [json!({"info": info, "messages": []}), info] {
            let piece = read(&unit.to_string()).unwrap();
            assert_eq!((piece.session.as_deref(), piece.directory.as_deref()), (Some("ses"), Some("/p")));
            assert_eq!(piece.title.unwrap().text, "Port it");
        }
        assert_eq!(read(r#"{"messages":[]}"#), Some(Piece::default()));
        for broken in ["", "{}", "[]", "7", r#"{"parts":[]}"#, r#"{"info":{"role":"cook"},"parts":[]}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
