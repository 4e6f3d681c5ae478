//! Loci's own format: JSON Lines of `{"id","role","content","at"?,"toolCalls"?}`.
//!
//! Tolerant where it costs nothing: an id may be a number or missing, the content may be parts or missing beside tool
//! calls, a time that is none is left out. A role that is none makes the line a broken one.

use super::fields::called;
use super::{Called, Piece, Role, Turn};
use crate::foreign;
use serde_json::Value;

pub(super) fn read(line: &str) -> Option<Piece> {
    let Value::Object(mut line) = foreign::json(line)? else { return None };
    let role = Role::from_word(line.get("role")?.as_str()?)?;
    let calls: Vec<Called> = match line.remove("toolCalls") {
        None | Some(Value::Null) => Vec::new(),
        Some(calls) => calls.as_array()?.iter().map(call).collect::<Option<_>>()?,
    };
    let content = match line.remove("content") {
        None | Some(Value::Null) if calls.is_empty() => return None,
        None | Some(Value::Null) => String::new(),
        Some(content) => words(content)?,
    };
    let id = match line.remove("id") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(id)) => id,
        Some(Value::Number(id)) => id.to_string(),
        Some(_) => return None,
    };
    let at = line.get("at").and_then(|at| at.as_str()?.parse().ok());
    Some(Piece { turns: vec![Turn { id, role, content, at, calls }], ..Piece::default() })
}

/// Text, or parts of which those of text count.
fn words(content: Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                Value::Object(part) if part.get("type").is_none_or(|kind| kind == "text") => part.get("text")?.as_str(),
                _ => None,
            });
            Some(texts.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

fn call(call: &Value) -> Option<Called> {
    call.get("name")?.as_str()?;
    Some(called(call.get("name"), call.get("arguments")))
}
