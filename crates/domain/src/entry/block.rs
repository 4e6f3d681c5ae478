//! The top-level blocks of a body, as the Markdown parser sees them.
//!
//! Owns the parser's options and the mapping from its events to the few shapes that entries are made of.
//! Never looks into a block beyond the place where its words start.

use pulldown_cmark::{Event, Options, Parser, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// What a block is to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A list item of a top-level list.
    Item,
    /// A paragraph.
    Paragraph,
    /// A code block, quote, table or piece of HTML.
    Matter,
    /// A heading, break or comment: it ends what comes before and belongs to no entry.
    Border,
}

/// One block.
#[derive(Debug)]
pub(super) struct Block {
    /// What it is.
    pub shape: Shape,
    /// Where the parser sees it; not always whole lines.
    pub range: Range<usize>,
    /// Where its first words start, behind markers and task boxes; `None` = it has none.
    pub words: Option<usize>,
}

/// The blocks of a body in order, lists taken apart into their items.
pub(super) fn top_level(source: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut blocks: Vec<Block> = Vec::new();
    let mut depth = 0usize;
    let source = &*with_line_feeds(source);
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        let shape = match &event {
            // Only a list has items as children, so an item at depth one is one of a top-level list.
            Event::Start(Tag::Item) if depth == 1 => Some(Shape::Item),
            Event::Start(tag) if depth == 0 => shape(tag, &source[range.clone()]),
            Event::Rule if depth == 0 => Some(Shape::Border),
            _ => None,
        };
        if let Some(shape) = shape {
            blocks.push(Block { shape, range: range.clone(), words: None });
        }
        if is_words(&event)
            && let Some(block) = blocks.last_mut()
        {
            block.words.get_or_insert(range.start);
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    blocks
}

/// The same text, byte for byte as long, with line feeds for lone carriage returns.
///
/// The parser takes a lone CR for a line break in paragraphs, as CommonMark says, but not in code and HTML blocks.
fn with_line_feeds(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_lone) {
        return Cow::Borrowed(source);
    }
    let lone = source.char_indices().map(|(at, c)| if is_lone(at) { '\n' } else { c });
    Cow::Owned(lone.collect())
}

/// The lines that a range touches, from `floor` on, without blank ones at its end.
pub(super) fn whole_lines(source: &str, range: &Range<usize>, floor: usize) -> Range<usize> {
    let start = source[..range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1).max(floor);
    let end = range.start + source[range.clone()].trim_end_matches([' ', '\t', '\n', '\r']).len();
    let rest = &source[end..];
    let end = match rest.find(['\n', '\r']) {
        Some(at) if rest[at..].starts_with("\r\n") => end + at + 2,
        Some(at) => end + at + 1,
        None => source.len(),
    };
    start..end.max(start)
}

fn shape(tag: &Tag<'_>, source: &str) -> Option<Shape> {
    match tag {
        Tag::List(_) => None,
        Tag::Paragraph => Some(Shape::Paragraph),
        Tag::Heading { .. } => Some(Shape::Border),
        Tag::HtmlBlock if is_comment(source) => Some(Shape::Border),
        _ => Some(Shape::Matter),
    }
}

/// True when nothing is left of a piece of HTML once its comments are taken away.
fn is_comment(html: &str) -> bool {
    let mut rest = html.trim();
    while let Some(inner) = rest.strip_prefix("<!--") {
        // A comment that is never closed runs to the end, as it does in a browser.
        rest = inner.split_once("-->").map_or("", |(_, after)| after.trim_start());
    }
    rest.is_empty()
}

fn is_words(event: &Event<'_>) -> bool {
    match event {
        Event::Text(_) | Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => true,
        Event::Start(tag) => {
            matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
        }
        _ => false,
    }
}
