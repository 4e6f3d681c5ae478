//! Qwen Code: Claude Code's events and answers, with a transcript of its own.

use super::claude_code::{read_as, write};
use super::{Event, Hooks};
use loci_domain::transcript::Format;
use serde_json::Value;

pub const HOOKS: Hooks = Hooks { prompt: "UserPromptSubmit", read, write };

fn read(name: &str, input: &Value) -> Option<Event> {
    read_as(Format::QwenCode, name, input)
}
