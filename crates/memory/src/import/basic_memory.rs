//! A vault of basic-memory: Markdown notes with `title`, `permalink` and observations. Everything in them is kept.

use super::face::{faced, plain_field};
use super::{Piece, Source, is_markdown};
use loci_domain::document::Kind;
use loci_domain::path::INDEX;

pub(super) fn knows(sources: &[Source]) -> bool {
    let text = |source: &Source| source.text.clone().unwrap_or_default();
    sources.iter().any(|source| is_markdown(&source.path) && plain_field(&text(source), "permalink").is_some())
}

pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    let piece = |source: &Source| {
        let to = if source.path == INDEX { "memory-notes.md" } else { source.path.as_str() };
        let text = source.text.as_deref().map_err(Clone::clone).map(|text| {
            let title = plain_field(text, "title");
            faced(text, to, Kind::Reference, title.as_deref())
        });
        Piece::new(source, to, text)
    };
    sources.iter().filter(|source| is_markdown(&source.path)).map(piece).collect()
}
