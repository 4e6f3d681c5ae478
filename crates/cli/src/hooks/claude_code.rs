//! Claude Code: `session_id`, `transcript_path`, `cwd` with every event; `source` at a start, `prompt` with a prompt.
//! Its answer has `hookSpecificOutput` for the model and `systemMessage` for the person.

use super::{Answer, Event, Hooks, fields};
use loci_domain::transcript::Format;
use serde_json::{Value, json};

pub const HOOKS: Hooks = Hooks { prompt: "UserPromptSubmit", read, write };

fn read(name: &str, input: &Value) -> Option<Event> {
    read_as(Format::ClaudeCode, name, input)
}

/// For agents that speak Claude Code's events, with a transcript of their own.
pub fn read_as(format: Format, name: &str, input: &Value) -> Option<Event> {
    let what = match name {
        "SessionStart" => fields::start(input),
        "UserPromptSubmit" => fields::prompt(input, &["/prompt"])?,
        "PostToolUse" => fields::wrote(input)?,
        "Stop" | "StopFailure" | "PreCompact" | "SessionEnd" => fields::transcript(input, format),
        // Tools, permissions, sub-agents, notifications: nothing to remember in them by themselves.
        _ => return None,
    };
    Some(fields::event(input, what))
}

pub fn write(name: &str, answer: &Answer) -> Value {
    let mut written = json!({});
    if let Some(context) = &answer.context {
        written["hookSpecificOutput"] = json!({"hookEventName": name, "additionalContext": context});
    }
    if let Some(notice) = &answer.notice {
        written["systemMessage"] = json!(notice);
    }
    written
}
