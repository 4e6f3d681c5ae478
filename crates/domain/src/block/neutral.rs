//! Content that cannot act as one of our tags, and has nothing in it that a person would not see.

use crate::sign::is_hidden;
use std::borrow::Cow;

/// The tags of our own blocks.
pub(super) const OWN: [&str; 7] = [
    "memory_file",
    "hot_memories",
    "memory_index",
    "memory_summary",
    "relevant_memory",
    "workspace_memory",
    "conversation_summary",
];

/// Text in which no tag of ours can be opened or closed, in any case and spacing, and nothing is invisible.
///
/// Only the `<` of such a tag becomes `&lt;`, invisible characters go, and odd line breaks become plain ones.
/// What only starts like one of our tags is broken too: a later cut could make it one, and so could the text after it.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    // Almost every text is clean up to its end, or up to a tag of somebody else.
    let clean = text.find(needs_care).unwrap_or(text.len());
    if clean == text.len() {
        return Cow::Borrowed(text);
    }
    let mut neutral = String::with_capacity(text.len() + 16);
    neutral.push_str(&text[..clean]);
    let mut rest = text[clean..].chars();
    while let Some(c) = rest.next() {
        match c {
            '<' | '\u{FE64}' | '\u{FF1C}' if is_own_tag(rest.as_str()) => neutral.push_str("&lt;"),
            '\r' if rest.as_str().starts_with('\n') => {}
            '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => neutral.push('\n'),
            '\n' | '\t' => neutral.push(c),
            c if is_hidden(c) => {}
            c => neutral.push(c),
        }
    }
    if neutral == text { Cow::Borrowed(text) } else { Cow::Owned(neutral) }
}

fn needs_care(c: char) -> bool {
    matches!(c, '<' | '\u{FE64}' | '\u{FF1C}') || (is_hidden(c) && c != '\n' && c != '\t')
}

/// True when the text after a `<` starts like a tag of ours, opening or closing, or ends before that could be told.
fn is_own_tag(after: &str) -> bool {
    let mut name = after.chars().filter(|c| !is_gap(*c)).map(plain).peekable();
    while name.next_if_eq(&'/').is_some() {}
    OWN.iter().any(|own| {
        let mut name = name.clone();
        own.chars().all(|c| name.next().is_none_or(|next| next == c))
    })
}

/// What a reader may pass over inside a tag: white space, and what cannot be seen at all.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || is_hidden(c) || matches!(c, '\u{FE00}'..='\u{FE0F}')
}

/// Lower case, and wide forms as the plain sign that they look like.
fn plain(c: char) -> char {
    let narrow = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        c => c,
    };
    narrow.to_ascii_lowercase()
}
