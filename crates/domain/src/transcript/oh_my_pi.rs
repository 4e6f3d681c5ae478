//! oh-my-pi's format: JSON Lines of entries that make a tree; messages are those of its model's API under `message`.
//!
//! Branches that were left are in the file too, and were said: all messages count, in the order of the file.
//! What extensions and the harness put in is no person's word.

use super::fields::{called, text, texts, time};
use super::{Called, Piece, Role, Title, Titled, Turn};
use crate::foreign;
use serde_json::Value;

pub(super) fn read(line: &str) -> Option<Piece> {
    let line = foreign::json(line)?;
    match line.get("type")?.as_str()? {
        "session" => Some(Piece {
            session: text(&line, "id"),
            directory: text(&line, "cwd"),
            title: title(&line, "title"),
            ..Piece::default()
        }),
        "title" | "title_change" => Some(Piece { title: title(&line, "title"), ..Piece::default() }),
        "session_info" => Some(Piece { title: title(&line, "name"), ..Piece::default() }),
        "message" => Some(Piece { turns: turn(&line)?.into_iter().collect(), ..Piece::default() }),
        // Models, summaries, labels, state of extensions.
        _ => Some(Piece::default()),
    }
}

fn title(line: &Value, field: &str) -> Option<Title> {
    let named = |field: &str| line.get(field).and_then(Value::as_str) == Some("user");
    let by = if named("titleSource") || named("source") { Titled::Person } else { Titled::Machine };
    text(line, field).map(|text| Title { by, text })
}

/// `None` when the line makes no sense; nothing for a message without words.
fn turn(line: &Value) -> Option<Option<Turn>> {
    let message = line.get("message")?;
    let content = message.get("content");
    let words = content.map(texts).unwrap_or_default();
    let (role, content, calls) = match message.get("role")?.as_str()? {
        // What an agent tells another in a person's place.
        "user" if message.get("attribution").and_then(Value::as_str) == Some("agent") => {
            (Role::System, words, Vec::new())
        }
        "user" => (Role::User, words, Vec::new()),
        "assistant" => (Role::Assistant, words, calls(content)),
        "toolResult" => (Role::Tool, words, Vec::new()),
        "bashExecution" | "pythonExecution" => (Role::Tool, text(message, "output").unwrap_or_default(), Vec::new()),
        _ => (Role::System, words, Vec::new()),
    };
    let at = time(line.get("timestamp")).or_else(|| time(message.get("timestamp")));
    let id = text(line, "id").unwrap_or_default();
    let empty = content.is_empty() && calls.is_empty();
    Some((!empty).then_some(Turn { id, role, content, at, calls }))
}

fn calls(content: Option<&Value>) -> Vec<Called> {
    let parts = content.and_then(Value::as_array).into_iter().flatten();
    let is_call = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("toolCall");
    parts.filter(is_call).map(|part| called(part.get("name"), part.get("arguments"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(message: Value) -> Vec<(Role, String)> {
        let line = json!({"type": "message", "id": "a", "parentId": null, "message": message});
        let piece = read(&line.to_string()).unwrap_or_else(|| panic!("{line} makes no sense"));
        piece.turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    #[test]
    fn who_speaks_and_what_is_left_out() {
        let text = |text: &str| json!([{"type": "text", "text": text}, {"type": "image", "data": "AAAA"}]);
        for (message, role, words) in [
            (json!({"role": "user", "content": text("Mine.")}), Role::User, "Mine."),
            (json!({"role": "user", "content": "Mine."}), Role::User, "Mine."),
            (json!({"role": "user", "attribution": "agent", "content": "Do."}), Role::System, "Do."),
            (json!({"role": "toolResult", "content": text("ok"), "toolName": "ls"}), Role::Tool, "ok"),
            (json!({"role": "bashExecution", "command": "ls", "output": "a.md"}), Role::Tool, "a.md"),
            (json!({"role": "developer", "content": text("Be brief.")}), Role::System, "Be brief."),
        ] {
            assert_eq!(said(message), [(role, words.to_owned())]);
        }
        let works = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."},
                           {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "ls"}}]);
        let line = json!({"type": "message", "timestamp": "2026-03-01T10:00:00Z", "message": {"role": "assistant", "content": works}});
        let turn = read(&line.to_string()).unwrap().turns.remove(0);
        assert_eq!((turn.content.as_str(), turn.calls[0].name.as_str(), turn.at.is_some()), ("I look.", "bash", true));
        assert_eq!(said(json!({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]})), []);
    }

    #[test]
    fn what_is_about_the_session_and_what_makes_no_sense() {
        let head = json!({"type": "session", "version": 3, "id": "s", "cwd": "/p", "title": "Races"});
        let piece = read(&head.to_string()).unwrap();
        assert_eq!((piece.session.as_deref(), piece.directory.as_deref()), (Some("s"), Some("/p")));
        assert_eq!(piece.title, Some(Title { by: Titled::Machine, text: "Races".to_owned() }));
        let named = json!({"type": "title", "title": "Mine", "source": "user"});
        assert_eq!(read(&named.to_string()).unwrap().title.unwrap().by, Titled::Person);
        assert_eq!(read(r#"{"type":"compaction","summary":"x"}"#), Some(Piece::default()));
        for broken in ["", "[]", "{}", r#"{"type":"message"}"#, r#"{"type":"message","message":{"content":"x"}}"#] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
