//! A directory of Anthropic's memory tool: text files of any name, written by a model.

use super::markdown::piece;
use super::{Piece, Source, is_markdown};
use loci_domain::document::Kind;

/// A file that is no Markdown becomes one by its name.
pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    let named = |source: &Source| {
        let mut piece = piece(source, Kind::Project)?;
        if !is_markdown(&piece.to) {
            piece.to.push_str(".md");
        }
        Some(piece)
    };
    sources.iter().filter_map(named).collect()
}
