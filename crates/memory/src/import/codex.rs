//! The memories of Codex: a handbook `MEMORY.md`, a summary of it, and one file a session.

use super::face::faced;
use super::{Piece, Source, file_name, is_markdown, text_of};
use loci_domain::document::Kind;
use loci_domain::path::INDEX;

const SUMMARY: &str = "memory_summary.md";
const RAW: &str = "raw_memories.md";

pub(super) fn knows(sources: &[Source]) -> bool {
    text_of(sources, SUMMARY).is_some() || text_of(sources, RAW).is_some()
}

/// The raw notes are left out: they are the handbook before it was written.
pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    let handbook = text_of(sources, INDEX).is_some();
    let mut pieces = Vec::new();
    for source in sources.iter().filter(|source| is_markdown(&source.path)) {
        let (to, title) = match source.path.as_str() {
            INDEX => ("codex/handbook.md".to_owned(), Some("Codex handbook")),
            SUMMARY => ("codex/summary.md".to_owned(), Some("Codex summary")),
            RAW if handbook => continue,
            RAW => ("codex/notes.md".to_owned(), Some("Codex notes")),
            path if path.starts_with("rollout_summaries/") => (format!("codex/sessions/{}", file_name(path)), None),
            path => (format!("codex/{path}"), None),
        };
        let text = source.text.as_deref().map(|text| faced(text, &to, Kind::Project, title)).map_err(Clone::clone);
        pieces.push(Piece::new(source, to, text));
    }
    pieces
}
