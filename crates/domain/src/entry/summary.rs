//! An entry's first line, as lists and answers show it.
//!
//! Owns what is stripped from it. Keeps the line's own spelling otherwise: `2*3*4` and `snake_case` stay as they are.

use crate::document::line::{cut, one_line};

const LONGEST: usize = 200;
const MARKS: [&str; 7] = ["***", "___", "**", "__", "~~", "*", "_"];

/// The rest of the line from byte `start` on, on one line, without emphasis around all of it.
pub(super) fn line_at(source: &str, start: usize) -> String {
    let line = source[start..].trim_start().split(['\n', '\r']).next().unwrap_or_default();
    let bare = MARKS.iter().find_map(|mark| emphasised(line.trim(), mark)).unwrap_or(line);
    cut(&one_line(bare), LONGEST)
}

fn emphasised<'t>(line: &'t str, mark: &str) -> Option<&'t str> {
    let inner = line.strip_prefix(mark)?.strip_suffix(mark)?;
    let one = inner.trim() == inner && !inner.is_empty() && !inner.contains(mark);
    one.then_some(inner)
}
