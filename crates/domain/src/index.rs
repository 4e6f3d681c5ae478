//! The index of a scope: one line a document, generated, the same bytes for the same documents.
//!
//! Owns the line's shape, what is kept out of it, and the limits.
//! Never chooses or orders documents: rows come in path order, and a write must not reshuffle them.
//! Start at [`render`].

use crate::document::line::{cut, one_line};
use crate::path::EntryPath;
use crate::row::Card;

/// The longest line, in characters.
const LINE: usize = 150;
/// The longest name when a description follows.
const NAME: usize = 80;
/// What a description needs at least: ` — ` and two characters.
const LEAST: usize = 5;

/// How long the index may be, the remark about what is left out included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Lines.
    pub lines: usize,
    /// Bytes.
    pub bytes: usize,
}

/// The index of `total` documents, of which `first` has the lines of the first ones in path order ([`line`]), each with
/// its line break.
///
/// When not all of them fit, the last line says how many are left out.
pub fn render(first: &str, total: usize, limits: Limits) -> String {
    let longest = remark(total).len();
    // The longest prefix of lines that leaves room for the remark.
    let (mut shown, mut end, mut fits) = (0, 0, 0);
    for line in first.split_inclusive('\n').take(limits.lines) {
        end += line.len();
        if end > limits.bytes {
            break;
        }
        shown += 1;
        let left = total.saturating_sub(shown);
        if left == 0 {
            return first[..end].to_owned();
        }
        let room = limits.bytes - end;
        if shown < limits.lines && (longest <= room || remark(left).len() <= room) {
            fits = end;
        }
    }
    let mut text = first[..fits].to_owned();
    let last = remark(total.saturating_sub(text.matches('\n').count()));
    if !first.is_empty() && limits.lines > 0 && text.len() + last.len() <= limits.bytes {
        text.push_str(&last);
    }
    text
}

/// True for bytes that [`render`] could have made: a person's own words are kept before they give way to an index.
pub fn is_generated(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    text.lines().all(|line| (line.starts_with("- [") && line.contains("](")) || line.starts_with("… "))
}

fn remark(left: usize) -> String {
    match left {
        1 => "… 1 more document is not listed here; loci list shows it.\n".to_owned(),
        left => format!("… {left} more documents are not listed here; loci list shows them.\n"),
    }
}

/// A document's line, without its line break.
pub fn line(path: &EntryPath, card: &Card) -> String {
    let mut text = String::new();
    let target = encoded(path.as_str());
    let description = one_line(&card.description).replace('`', "'").replace("](", "] (");
    let around = "- [](".len() + target.len() + ")".len();
    let room = LINE.saturating_sub(around);
    let longest = if description.is_empty() { room } else { room.saturating_sub(LEAST).min(NAME) };
    // Beside a target that fills the line by itself a name says more than the target's end.
    let name = cut(&name_of(path, card), if room == 0 { NAME } else { longest.max(1) });
    let left = room.saturating_sub(name.chars().count());
    text.push_str("- [");
    text.push_str(&name);
    text.push_str("](");
    text.push_str(&target);
    text.push(')');
    if !description.is_empty() && left >= LEAST {
        text.push_str(&cut(&format!(" — {description}"), left));
    }
    cut(&text, LINE)
}

/// The name, without anything that could end the link's text.
fn name_of(path: &EntryPath, card: &Card) -> String {
    let clean = |text: &str| {
        let line = one_line(text).replace('`', "'").replace('[', "(").replace(']', ")");
        line.trim_end_matches('\\').trim_end().to_owned()
    };
    let name = clean(&card.name);
    if name.is_empty() { clean(path.file_name()) } else { name }
}

/// The path as a link target that needs no brackets; decoding it gives the path back.
pub(crate) fn encoded(path: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut target = String::with_capacity(path.len() + 8);
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            target.push(char::from(byte));
        } else {
            target.extend(['%', char::from(HEX[usize::from(byte >> 4)]), char::from(HEX[usize::from(byte & 15)])]);
        }
    }
    target
}

#[cfg(test)]
mod tests;
