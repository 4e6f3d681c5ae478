//! Gemini CLI's format: one JSON object with all `messages`, or since 2026 JSON Lines that tell the same in steps: a line
//! about the session, a line a message (told again when it grew), `$set` and `$rewindTo` for what changed behind.
//!
//! `$set` with `messages` is what the model sees: after a compression that is a summary, and not what was said.

use super::fields::{called, starts_as, text, time};
use super::parts::Parts;
use super::{Piece, Revision, Role, Title, Titled, Turn};
use crate::foreign;
use serde_json::Value;

/// How text starts that Gemini CLI writes in the user's name.
const HARNESS: [&str; 3] = ["<session_context>", "<hook_context>", "<state_snapshot>"];

pub(super) fn read(unit: &str) -> Option<Piece> {
    let unit = foreign::json(unit)?;
    if let Some(back) = unit.get("$rewindTo") {
        return Some(Piece { revises: Some(Revision::Back(back.as_str()?.to_owned())), ..Piece::default() });
    }
    if let Some(set) = unit.get("$set") {
        let copy = set.get("messages").and_then(Value::as_array);
        let turns = copy.into_iter().flatten().flat_map(turns).collect();
        return Some(Piece { turns, title: title(set), revises: copy.map(|_| Revision::Copy), ..Piece::default() });
    }
    if unit.get("id").is_some() && unit.get("type").is_some() {
        return Some(Piece { turns: turns(&unit), ..Piece::default() });
    }
    let about = unit.get("sessionId").is_some() || unit.get("messages").is_some();
    about.then(|| Piece {
        session: text(&unit, "sessionId"),
        hashed: text(&unit, "projectHash"),
        // Which session it was that started it, is not told.
        parent: text(&unit, "kind").filter(|kind| kind == "subagent"),
        title: title(&unit),
        ..Piece::default()
    })
}

fn title(about: &Value) -> Option<Title> {
    text(about, "summary").map(|text| Title { by: Titled::Machine, text })
}

/// A message, and what the tools that it called answered.
fn turns(message: &Value) -> Vec<Turn> {
    let role = match message.get("type").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("gemini") => Role::Assistant,
        // Warnings and notes of the screen.
        _ => return Vec::new(),
    };
    let at = time(message.get("timestamp"));
    let id = text(message, "id").unwrap_or_default();
    let content = match role {
        // What was typed, without the files that came along.
        Role::User => message.get("displayContent").or(message.get("content")),
        _ => message.get("content"),
    };
    let (role, content) = typed(role, content.cloned().unwrap_or_default());
    let said = Parts::read(&content);
    let (mut calls, mut results) = (said.calls, said.results);
    for call in message.get("toolCalls").and_then(Value::as_array).into_iter().flatten() {
        calls.push(called(call.get("name"), call.get("args")));
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

/// What a person wrote of a message; all of it, as the harness's, when there is nothing of theirs.
fn typed(role: Role, content: Value) -> (Role, Value) {
    let harness = |part: &Value| {
        let text = part.as_str().or_else(|| part.get("text")?.as_str());
        text.is_some_and(|text| starts_as(text, &HARNESS))
    };
    match content {
        Value::Array(parts) if role == Role::User && parts.iter().any(harness) => {
            let own: Vec<Value> = parts.iter().filter(|part| !harness(part)).cloned().collect();
            if own.is_empty() { (Role::System, Value::Array(parts)) } else { (role, Value::Array(own)) }
        }
        other if role == Role::User && harness(&other) => (Role::System, other),
        other => (role, other),
    }
}

#[cfg(test)]
mod tests;
