//! OpenCode: hooks are functions of a plugin, and ours calls this program with what it was given: the names of events
//! and fields are OpenCode's, and what was said comes along as `messages` in Loci's own dialect.

use super::{Answer, Event, Hooks, Said, What, fields};
use loci_memory::context::Boundary;
use serde_json::{Value, json};

pub const HOOKS: Hooks = Hooks { prompt: "chat.message", read, write };

fn read(name: &str, input: &Value) -> Option<Event> {
    let what = match name.strip_prefix("experimental.").unwrap_or(name) {
        "session.created" => fields::start(input),
        "session.compacted" => What::Start(Boundary::Yes),
        "chat.message" => fields::prompt(input, &["/prompt", "/parts/0/text"])?,
        "session.idle" | "session.compacting" | "session.deleted" => What::Over(said(input)),
        _ => return None,
    };
    Some(Event {
        session: fields::session(input, &["/session_id", "/sessionID", "/properties/sessionID", "/properties/info/id"]),
        directory: fields::path(input, &["/cwd", "/directory", "/properties/info/directory"]),
        what,
    })
}

fn said(input: &Value) -> Said {
    match input.get("messages") {
        Some(Value::Array(messages)) if !messages.is_empty() => Said::Here(messages.clone()),
        _ => Said::Unknown,
    }
}

fn write(_: &str, answer: &Answer) -> Value {
    let mut written = json!({});
    if let Some(context) = &answer.context {
        written["context"] = json!(context);
    }
    if let Some(notice) = &answer.notice {
        written["message"] = json!(notice);
    }
    written
}
