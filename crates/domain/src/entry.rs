//! One memory inside a document: where it starts, where it ends, and how it goes.
//!
//! Owns the one reading of Markdown that forgetting, recall and dreaming share; two parsers would disagree on a
//! file and then delete the wrong part of it.
//! Never renders Markdown: an entry is a range of the file's own bytes, so whatever is not cut out stays as it was.
//! Start at [`entries`]; how an entry is cut out is in [`remove`].
//!
//! Invariant: entries_are_whole_lines. Spans ascend, do not overlap, and start and end at line borders.

mod block;
mod removal;
mod summary;

pub use removal::remove;

use crate::path::EntryPath;
use crate::scope::Scope;
use block::{Block, Shape};
use std::ops::Range;

/// One memory: a list item with all that is nested in it, or a paragraph with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its bytes in the whole text: whole lines, the last line break included, blank lines around it not.
    pub span: Range<usize>,
    /// Its first line without list marker, task box and emphasis around all of it; at most 200 characters.
    pub summary: String,
}

impl Entry {
    /// Its bytes, given the text that it was found in.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.clone()).unwrap_or_default()
    }
}

/// How a document's entry is named: by the file alone when it is the only one of `of`, else with its number from 0.
pub fn id(scope: Scope, path: &EntryPath, n: usize, of: usize) -> String {
    if of <= 1 { format!("{scope}:{path}") } else { format!("{scope}:{path}:{n}") }
}

/// The entries of a document whose body is that range of its text, in order.
///
/// Headings, breaks, comments and link definitions belong to no entry.
/// An empty list item, quote or code block is no entry either: it holds nothing that could be remembered.
pub fn entries(text: &str, body: Range<usize>) -> Vec<Entry> {
    let source = text.get(body.clone()).unwrap_or_default();
    let mut found: Vec<Entry> = Vec::new();
    let mut takes = Takes::Nothing;
    for block in block::top_level(source) {
        let end = found.last().map_or(0, |last: &Entry| last.span.end);
        let lines = block::whole_lines(source, &block.range, end);
        // What the parser passes over between two blocks is a link definition, which is nobody's.
        let adjoins = source[end.min(lines.start)..lines.start].trim().is_empty();
        match found.last_mut().filter(|_| adjoins && takes.accepts(source, &block)) {
            Some(last) => {
                last.span.end = lines.end;
                takes = Takes::FieldsAndMatter;
            }
            None => match block.words.filter(|_| block.shape != Shape::Border && !lines.is_empty()) {
                Some(words) => {
                    found.push(Entry { summary: summary::line_at(source, words), span: lines });
                    takes = Takes::after(block.shape);
                }
                None => takes = Takes::Nothing,
            },
        }
    }
    for entry in &mut found {
        entry.span = entry.span.start + body.start..entry.span.end + body.start;
    }
    found
}

/// What the entry that was found last would take in, if it came next.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Fields,
    FieldsAndMatter,
}

impl Takes {
    fn after(shape: Shape) -> Takes {
        match shape {
            Shape::Border => Takes::Nothing,
            // What is meant to be part of a list item is indented, so only the fields are taken in without it.
            Shape::Item | Shape::Matter => Takes::Fields,
            Shape::Paragraph => Takes::FieldsAndMatter,
        }
    }

    fn accepts(self, source: &str, block: &Block) -> bool {
        match block.shape {
            Shape::Border | Shape::Item => false,
            Shape::Paragraph => self != Takes::Nothing && is_field(&source[block.range.clone()]),
            Shape::Matter => self == Takes::FieldsAndMatter,
        }
    }
}

/// True for a paragraph that opens with `Why:` or `How to apply:`, in any case, emphasis and joining.
pub(crate) fn is_field(paragraph: &str) -> bool {
    let Some((label, _)) = paragraph.split_once([':', '：']).filter(|(label, _)| label.len() <= 40) else {
        return false;
    };
    let plain = label.to_lowercase().replace('*', "").replace(['_', '-'], " ");
    matches!(plain.split_whitespace().collect::<Vec<_>>()[..], ["why"] | ["how", "to", "apply"])
}

#[cfg(test)]
mod tests;
