//! Cursor: a session is a `conversation_id`, its directory the first of `workspace_roots`; answers are flat.
//!
//! It shows a person nothing but the reason for a refusal, so there is no word to them. Its transcripts are in a format
//! that it does not document: none of them is read.

use super::{Answer, Event, Hooks, Said, What, fields};
use serde_json::{Value, json};

pub const HOOKS: Hooks = Hooks { prompt: "beforeSubmitPrompt", read, write };

fn read(name: &str, input: &Value) -> Option<Event> {
    let what = match name {
        "sessionStart" => fields::start(input),
        "beforeSubmitPrompt" => fields::prompt(input, &["/prompt"])?,
        "postToolUse" => fields::wrote(input)?,
        "stop" | "preCompact" | "sessionEnd" => What::Over(Said::Unknown),
        _ => return None,
    };
    Some(Event {
        session: fields::session(input, &["/conversation_id", "/session_id"]),
        directory: fields::path(input, &["/workspace_roots/0", "/cwd"]),
        what,
    })
}

fn write(name: &str, answer: &Answer) -> Value {
    let mut written = json!({});
    if name == "beforeSubmitPrompt" {
        written["continue"] = json!(true);
    }
    if let Some(context) = &answer.context {
        written["additional_context"] = json!(context);
    }
    written
}
