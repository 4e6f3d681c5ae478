//! A folder of Markdown files: each is a document of the same path.

use super::face::faced;
use super::{Piece, Source, is_markdown};
use loci_domain::document::Kind;
use loci_domain::path::INDEX;

pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    sources
        .iter()
        .filter(|source| is_markdown(&source.path))
        .filter_map(|source| piece(source, Kind::Project))
        .collect()
}

/// One file; `None` for an index, which says nothing of its own.
pub(super) fn piece(source: &Source, kind: Kind) -> Option<Piece> {
    if source.path == INDEX && source.text.as_deref().is_ok_and(is_index) {
        return None;
    }
    // The index of a scope is generated; what somebody else wrote in a file of that name is kept under another.
    let to = if source.path == INDEX { "memory-notes.md" } else { source.path.as_str() };
    let text = source.text.as_deref().map(|text| faced(text, to, kind, None)).map_err(Clone::clone);
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
