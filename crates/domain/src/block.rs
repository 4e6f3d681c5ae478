//! The blocks that memory puts into a prompt: index, hot set, summary, recall.
//!
//! Owns their shape, and that content stays content: nothing inside a block can end it, open another one of ours,
//! or hide from a person. Never chooses what goes in; the budgets of the hot set are in [`crate::hot`].
//! Start at [`neutralise`]; `block/{index,hot,summary,recall}.rs` hold one renderer each.
//!
//! Invariant: content_cannot_close_a_block. A block has one opener and one closer of its tag, whatever is inside.

mod hot;
mod index;
mod neutral;
mod recall;
mod summary;

pub(crate) use hot::hot_frame;
pub use hot::{HotItem, hot_block};
pub use index::{index_block, marked};
pub use neutral::neutralise;
pub use recall::{RecallDoc, recall_block};
pub use summary::summary_block;

use std::borrow::Cow;

/// Text that means itself inside XML, in an attribute too.
pub fn escape_xml(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push_escaped(&mut escaped, c));
    Cow::Owned(escaped)
}

fn push_escaped(text: &mut String, c: char) {
    match c {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '"' => text.push_str("&quot;"),
        c => text.push(c),
    }
}

#[cfg(test)]
mod tests;
