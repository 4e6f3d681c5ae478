//! Gemini CLI: the fields are Claude Code's, the events its own: a turn is `BeforeAgent` to `AfterAgent`, a compaction
//! `PreCompress`. What `BeforeAgent` adds goes behind the prompt.

use super::claude_code::write;
use super::{Event, Hooks, fields};
use loci_domain::transcript::Format;
use serde_json::Value;

pub const HOOKS: Hooks = Hooks { prompt: "BeforeAgent", read, write };

fn read(name: &str, input: &Value) -> Option<Event> {
    let what = match name {
        "SessionStart" => fields::start(input),
        "BeforeAgent" => fields::prompt(input, &["/prompt"])?,
        "AfterTool" => fields::wrote(input)?,
        "AfterAgent" | "PreCompress" | "SessionEnd" => fields::transcript(input, Format::GeminiCli),
        _ => return None,
    };
    Some(fields::event(input, what))
}
