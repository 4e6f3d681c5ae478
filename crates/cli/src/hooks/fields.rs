//! Fields of an agent's JSON, believed only as far as they make sense.

use super::{Event, Said, What};
use loci_domain::transcript::Format;
use loci_memory::context::Boundary;
use serde_json::Value;
use std::path::PathBuf;

/// Bytes of a session's name.
const LONGEST_NAME: usize = 200;
/// Bytes of a path.
const LONGEST_PATH: usize = 4_096;

/// The first of these fields that is text.
pub fn text<'a>(input: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| input.pointer(name)?.as_str()).filter(|text| !text.is_empty())
}

/// A session's name: short, and one line.
pub fn session(input: &Value, names: &[&str]) -> Option<String> {
    let name = text(input, names)?;
    let fits = name.len() <= LONGEST_NAME && !name.chars().any(char::is_control);
    fits.then(|| name.to_owned())
}

/// An absolute path.
pub fn path(input: &Value, names: &[&str]) -> Option<PathBuf> {
    let path = text(input, names).filter(|path| path.len() <= LONGEST_PATH && !path.contains('\0'))?;
    path.starts_with('/').then(|| PathBuf::from(path))
}

/// A prompt with something in it.
pub fn prompt(input: &Value, names: &[&str]) -> Option<What> {
    text(input, names).filter(|prompt| !prompt.trim().is_empty()).map(|prompt| What::Prompt(prompt.to_owned()))
}

/// A start of a session, by what it comes from: after a compaction nothing is left of what was given before.
pub fn start(input: &Value) -> What {
    match text(input, &["/source"]) {
        Some("compact" | "clear") => What::Start(Boundary::Yes),
        _ => What::Start(Boundary::No),
    }
}

/// The file in which the agent writes its session down.
pub fn transcript(input: &Value, format: Format) -> What {
    What::Over(path(input, &["/transcript_path"]).map_or(Said::Unknown, |path| Said::File(path, format)))
}

/// An event with the fields that Claude Code has and others took over.
pub fn event(input: &Value, what: What) -> Event {
    Event { session: session(input, &["/session_id"]), directory: path(input, &["/cwd"]), what }
}

/// Tools of ours that change memory, by the end of their name: hosts put the server's name before it.
fn is_ours(tool: &str, name: &str) -> bool {
    tool.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with(['_', '.', '/', '-', ':']))
}

/// The memories that a call of our tools wrote; `None` when it was another tool, or only looked.
pub fn wrote(input: &Value) -> Option<What> {
    let tool = text(input, &["/tool_name"])?;
    let call = input.get("tool_input")?;
    if !is_ours(tool, "memory") || !matches!(text(call, &["/command"])?, "create" | "str_replace" | "insert" | "rename")
    {
        return None;
    }
    let paths = ["/path", "/file_path", "/new_path"].iter().filter_map(|name| text(call, &[name]));
    let paths: Vec<String> = paths.filter(|path| path.len() <= LONGEST_PATH).map(str::to_owned).collect();
    (!paths.is_empty()).then_some(What::Wrote(paths))
}
