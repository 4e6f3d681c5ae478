//! A folder of Markdown files: each is a document of the same path.

use super::face::{faced, plain_field};
use super::{Piece, Source, is_markdown};
use loci_domain::document::Kind;
use loci_domain::path::INDEX;

pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    sources
        .iter()
        .filter_map(|source| if is_markdown(&source.path) { piece(source, Kind::Project) } else { other(source) })
        .collect()
}

/// A text that is no Markdown does not come in, and somebody may have meant it to.
fn other(source: &Source) -> Option<Piece> {
    let lower = source.path.to_lowercase();
    let meant =
        [".txt", ".json", ".jsonl", ".yaml", ".yml", ".org", ".rst"].iter().any(|ending| lower.ends_with(ending));
    meant.then(|| Piece::new(source, source.path.as_str(), Err("only Markdown files come in".to_owned())))
}

/// One file; `None` for an index, which says nothing of its own.
pub(super) fn piece(source: &Source, kind: Kind) -> Option<Piece> {
    if source.path == INDEX && source.text.as_deref().is_ok_and(is_index) {
        return None;
    }
    // The index of a scope is generated; what somebody else wrote in a file of that name is kept under another.
    let to = if source.path == INDEX { "memory-notes.md" } else { source.path.as_str() };
    let face = |text: &str| faced(text, to, kind, plain_field(text, "title").as_deref());
    let text = source.text.as_deref().map(face).map_err(Clone::clone);
    Some(Piece::new(source, to, text))
}

/// True for a file that only lists others: links, headings and space.
pub(super) fn is_index(text: &str) -> bool {
    let line = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line.starts_with('#')
            || (line.starts_with("- [") || line.starts_with("* [")) && line.contains("](")
    };
    text.lines().all(line)
}
