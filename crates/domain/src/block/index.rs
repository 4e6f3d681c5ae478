//! `<memory_index>`: one line a file.

use super::push_escaped;
use crate::document::line::one_line;
use std::borrow::Cow;

/// The longest line, in characters.
const LINE: usize = 200;
/// What a line has besides path and description: `- `, ` — "` and `"`.
const AROUND: usize = 7;

/// The index block of files in the given order, as virtual path and description; `left_out` more exist.
///
/// Callers keep the order stable (by path): a block that is reshuffled at each write breaks prompt caches.
pub fn index_block<P: AsRef<str>, D: AsRef<str>>(files: &[(P, D)], left_out: usize) -> String {
    let mut text = String::from("<memory_index>\n");
    for (path, description) in files {
        text.push_str(&line(path.as_ref(), description.as_ref()));
        text.push('\n');
    }
    match left_out {
        0 if files.is_empty() => text.push_str("(no memory files yet)\n"),
        0 => {}
        1 => text.push_str("(1 more file is not listed; view /memories to find it)\n"),
        left_out => text.push_str(&format!("({left_out} more files are not listed; view /memories to find them)\n")),
    }
    text.push_str("</memory_index>\n");
    text
}

/// A description as it stands in the index, with a mark where nobody has accepted the file.
pub fn marked(description: &str, trusted: bool) -> Cow<'_, str> {
    if trusted { Cow::Borrowed(description) } else { Cow::Owned(format!("[untrusted] {description}")) }
}

/// One file's line, without its line break; a path that leaves no room is cut too, so that its folder can be viewed.
fn line(path: &str, description: &str) -> String {
    let path = escaped(&one_line(path), LINE - AROUND - 1);
    let room = LINE - AROUND - path.chars().count();
    let description = escaped(&one_line(description), room);
    format!("- {path} — \"{description}\"")
}

/// Escaped text of at most `longest` characters; a cut falls between characters of the text, never inside an entity.
fn escaped(text: &str, longest: usize) -> String {
    let mut out = String::new();
    // How long the text is, and where it would be cut.
    let (mut long, mut end) = (0, 0);
    for c in text.chars() {
        if long < longest {
            end = out.len();
        }
        let before = out.len();
        push_escaped(&mut out, c);
        long += out[before..].chars().count();
        if long > longest {
            out.truncate(end);
            out.truncate(out.trim_end().len());
            out.push('…');
            return out;
        }
    }
    out
}
