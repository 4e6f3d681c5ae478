//! The memories of Codex: a handbook `MEMORY.md`, a summary of it, and one file a session.

use super::face::faced_by;
use super::{Piece, Source, file_name, is_markdown, text_of};
use loci_domain::document::Kind;
use loci_domain::frontmatter;
use loci_domain::path::INDEX;

const SUMMARY: &str = "memory_summary.md";
const RAW: &str = "raw_memories.md";

/// Where they lie below the home of Codex.
const FOLDER: &str = "memories/";

pub(super) fn knows(sources: &[Source]) -> bool {
    ["", FOLDER].iter().any(|folder| has(sources, folder))
}

fn has(sources: &[Source], folder: &str) -> bool {
    [SUMMARY, RAW].iter().any(|name| text_of(sources, &format!("{folder}{name}")).is_some())
}

/// The raw notes are left out: they are the handbook before it was written.
pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    // All else in the home of Codex is no memory.
    let folder = if !has(sources, "") && has(sources, FOLDER) { FOLDER } else { "" };
    let handbook = text_of(sources, &format!("{folder}{INDEX}")).is_some();
    let mut pieces = Vec::new();
    for source in sources.iter().filter(|source| is_markdown(&source.path)) {
        let Some(path) = source.path.strip_prefix(folder) else { continue };
        let (to, title) = match path {
            INDEX => ("codex/handbook.md".to_owned(), Some("Codex handbook")),
            SUMMARY => ("codex/summary.md".to_owned(), Some("Codex summary")),
            RAW if handbook => continue,
            RAW => ("codex/notes.md".to_owned(), Some("Codex notes")),
            path if path.starts_with("rollout_summaries/") => (format!("codex/sessions/{}", file_name(path)), None),
            path => (format!("codex/{path}"), None),
        };
        let face = |text: &str| faced_by(text, told(text), &to, Kind::Project, title);
        let text = source.text.as_deref().map(face).map_err(Clone::clone);
        pieces.push(Piece::new(source, to, text));
    }
    pieces
}

/// What a file tells: its body without the lines `thread_id: …`, `cwd: …` that a session's summary begins with.
fn told(text: &str) -> &str {
    let body = &text[frontmatter::split(text).body];
    let is_fact = |line: &str| {
        let key = line.split_once(": ").map_or("", |(key, _)| key);
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let facts = body.split_inclusive('\n').take_while(|line| line.trim().is_empty() || is_fact(line));
    let rest = &body[facts.map(str::len).sum()..];
    if rest.chars().any(char::is_alphanumeric) { rest } else { body }
}
