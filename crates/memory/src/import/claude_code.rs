//! A memory folder of Claude Code: `MEMORY.md` lists topic files with name, description and type.

use super::markdown::{self, is_index};
use super::{Piece, Source, is_markdown, text_of};
use loci_domain::document::Kind;
use loci_domain::frontmatter::{self, Outcome};
use loci_domain::path::INDEX;

/// The memory of a project by its place, or a list of files that are there, and of which at least one says its type.
pub(super) fn knows(place: &str, sources: &[Source]) -> bool {
    let markdown = || sources.iter().any(|source| is_markdown(&source.path));
    if matches!(place.rsplit('/').collect::<Vec<_>>()[..], ["memory", _, "projects", ..]) && markdown() {
        return !super::own::knows(sources);
    }
    let typed = |source: &Source| {
        let text = source.text.as_deref().unwrap_or_default();
        matches!(frontmatter::split(text).outcome, Outcome::Fields(fields) if fields.kind.as_deref().and_then(Kind::from_word).is_some())
    };
    let index = text_of(sources, INDEX).is_some_and(|text| is_index(text) && text.contains("]("));
    index && !super::own::knows(sources) && sources.iter().any(|source| source.path != INDEX && typed(source))
}

/// Its documents are those of any folder of Markdown; only the list beside them is its own.
pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    markdown::pieces(sources)
}
