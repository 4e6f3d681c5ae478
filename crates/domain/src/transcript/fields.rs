//! Fields of other programs' JSON, believed only as far as they make sense.

use super::Called;
use jiff::Timestamp;
use serde_json::Value;

/// A field that is text.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// A time as RFC 3339, or in milliseconds since 1970.
pub(super) fn time(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => Timestamp::from_millisecond(number.as_i64()?).ok(),
        _ => None,
    }
}

/// The texts of parts that are text, by `type`; of one that has no type its text counts.
pub(super) fn texts(parts: &Value) -> String {
    let text = |part: &Value| match part.get("type").and_then(Value::as_str) {
        None | Some("text" | "input_text" | "output_text") => part.get("text")?.as_str().map(str::to_owned),
        Some(_) => None,
    };
    match parts {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(text).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

/// A call of a tool; arguments that are JSON as text, as the model wrote them, are read.
pub(super) fn called(name: Option<&Value>, arguments: Option<&Value>) -> Called {
    let arguments = match arguments {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone())),
        Some(arguments) => arguments.clone(),
        None => Value::Null,
    };
    Called { name: name.and_then(Value::as_str).unwrap_or_default().to_owned(), arguments }
}

/// True when a harness wrote this in the user's name, by how it starts.
pub(super) fn starts_as(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.trim_start().starts_with(start))
}
