//! Claude Code's format: JSON Lines, one event each; messages are those of its model's API under `message`.
//!
//! Results of tools come as messages of the user, and so does what the harness says in the user's name: neither is a
//! person's word. What sub-agents are told and say to themselves (side chains) is the harness's business too.

use super::fields::starts_as;
use super::{Called, Piece, Role, Title, Titled, Turn};
use crate::foreign;
use serde_json::{Map, Value};

/// How text starts that the harness writes in the user's name.
const HARNESS: [&str; 6] = [
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<bash-",
    "<user-memory-input>",
    "Caveat: The messages below",
];

pub(super) fn read(line: &str) -> Option<Piece> {
    let Value::Object(line) = foreign::json(line)? else { return None };
    let role = match line.get("type")?.as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        // Titles, snapshots of files, queues, hooks: about the session, not said in it.
        _ => return Some(about(&line, Vec::new())),
    };
    let said = Said::read(line.get("message")?.get("content")?)?;
    let own = |flag: &str| line.get(flag) == Some(&Value::Bool(true));
    let harness = own("isMeta") || own("isSidechain") || own("isCompactSummary");
    let written = starts_as(&said.text, &HARNESS);
    let speaker = match role {
        Role::User if harness || written => Role::System,
        Role::Assistant if own("isSidechain") => Role::System,
        role => role,
    };
    let at = line.get("timestamp").and_then(|at| at.as_str()?.parse().ok());
    let id = line.get("uuid").and_then(Value::as_str).unwrap_or_default();
    let mut turns = Vec::new();
    if !said.results.is_empty() {
        let content = said.results.join("\n");
        turns.push(Turn { id: id.to_owned(), role: Role::Tool, content, at, calls: Vec::new() });
    }
    if !said.text.is_empty() || !said.calls.is_empty() {
        let id = match (turns.is_empty(), id) {
            (false, id) if !id.is_empty() => format!("{id}/text"),
            (_, id) => id.to_owned(),
        };
        turns.push(Turn { id, role: speaker, content: said.text, at, calls: said.calls });
    }
    Some(about(&line, turns))
}

fn about(line: &Map<String, Value>, turns: Vec<Turn>) -> Piece {
    let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
    let titled = |by, key: &str| text(key).map(|text| Title { by, text });
    let title = match line.get("type").and_then(Value::as_str) {
        Some("summary") => titled(Titled::Machine, "summary"),
        Some("ai-title") => titled(Titled::Machine, "aiTitle"),
        Some("custom-title") => titled(Titled::Person, "customTitle"),
        _ => None,
    };
    Piece { turns, session: text("sessionId"), directory: text("cwd"), title, ..Piece::default() }
}

/// The content of a message, by what it is; thoughts and pictures are left out.
#[derive(Default)]
struct Said {
    text: String,
    results: Vec<String>,
    calls: Vec<Called>,
}

impl Said {
    fn read(content: &Value) -> Option<Said> {
        let parts = match content {
            Value::String(text) => return Some(Said { text: text.clone(), ..Said::default() }),
            Value::Array(parts) => parts,
            _ => return None,
        };
        let mut said = Said::default();
        let mut texts = Vec::new();
        for part in parts {
            match part.get("type").and_then(Value::as_str) {
                Some("text") => texts.extend(part.get("text").and_then(Value::as_str)),
                Some("tool_result") => said.results.push(part.get("content").map(result).unwrap_or_default()),
                Some("tool_use") => {
                    let name = part.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                    said.calls.push(Called { name, arguments: part.get("input").cloned().unwrap_or_default() });
                }
                _ => {}
            }
        }
        said.text = texts.join("\n");
        Some(said)
    }
}

/// What a tool answered: text, or parts of which those of text count.
fn result(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn turns(line: Value) -> Vec<(Role, String)> {
        let piece = read(&line.to_string()).unwrap_or_else(|| panic!("{line} makes no sense"));
        piece.turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    fn said(kind: &str, content: Value) -> Value {
        json!({"type": kind, "uuid": "u1", "sessionId": "s", "cwd": "/p", "timestamp": "2026-03-01T10:00:00.000Z",
               "message": {"role": kind, "content": content}})
    }

    #[test]
    fn a_person_a_model_and_a_tool_are_told_apart() {
        assert_eq!(turns(said("user", json!("Use tabs."))), [(Role::User, "Use tabs.".to_owned())]);
        let both = json!([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "ok"}]},
                          {"type": "text", "text": "and now?"}]);
        assert_eq!(turns(said("user", both)), [(Role::Tool, "ok".to_owned()), (Role::User, "and now?".to_owned())]);
        let thought = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes."},
                             {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a"}}]);
        let piece = read(&said("assistant", thought).to_string()).unwrap();
        assert_eq!((piece.session.as_deref(), piece.directory.as_deref()), (Some("s"), Some("/p")));
        let call = Called { name: "Read".to_owned(), arguments: json!({"file_path": "a"}) };
        assert_eq!((piece.turns[0].content.as_str(), &piece.turns[0].calls[..]), ("Yes.", &[call][..]));
        assert!(turns(said("assistant", json!([{"type": "thinking", "thinking": "hm"}]))).is_empty());
    }

    #[test]
    fn what_the_harness_says_is_no_persons_word() {
        for text in ["<command-name>/clear</command-name>", "<local-command-stdout>x</local-command-stdout>"] {
            assert_eq!(turns(said("user", json!(text)))[0].0, Role::System, "{text}");
        }
        for flag in ["isMeta", "isSidechain", "isCompactSummary"] {
            let mut line = said("user", json!("Always obey."));
            line[flag] = json!(true);
            assert_eq!(turns(line)[0].0, Role::System, "{flag}");
        }
    }

    #[test]
    fn events_are_no_turns_and_nonsense_is_told() {
        let title = json!({"type": "summary", "summary": "x", "leafUuid": "u"});
        assert_eq!(read(&title.to_string()).unwrap().title, Some(Title { by: Titled::Machine, text: "x".to_owned() }));
        assert!(turns(title).is_empty());
        assert!(turns(json!({"type": "file-history-snapshot", "messageId": "u", "snapshot": {}})).is_empty());
        for broken in ["", "[]", "{}", r#"{"type":"user"}"#, r#"{"type":"user","message":{"content":7}}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
