//! Cutting entries out of a text.
//!
//! Owns the seam: which line breaks go along with an entry, and when one has to be put in its place.
//! Never touches a byte beyond the entry and the line breaks beside it.
//!
//! Invariant: removal_keeps_the_rest. All else stays byte for byte, blank lines of spaces included, and body stays body.

use super::entries;
use crate::frontmatter::split;
use std::ops::Range;

/// The most entries whose seams are looked at one by one, since each look is a reading of the whole text.
const TRIED: usize = 100;

/// The text without the entries of these numbers, or `None` when no entry would be left and the file may go.
///
/// A tight list item takes exactly its lines along.
/// An entry with a gap before it takes the empty lines after it too, so that no double gap is left.
/// Numbers that name no entry are ignored.
pub fn remove(text: &str, body: Range<usize>, which: &[usize]) -> Option<String> {
    let all = entries(text, body.clone());
    let mut goes = vec![false; all.len()];
    for n in which {
        if let Some(goes) = goes.get_mut(*n) {
            *goes = true;
        }
    }
    // From the last to the first, so that earlier spans stay true.
    let gone: Vec<usize> = (0..all.len()).rev().filter(|n| goes[*n]).collect();
    if gone.is_empty() {
        return Some(text.to_owned());
    }
    if gone.len() == all.len() {
        return None;
    }
    let whole = Page { text: text.to_owned(), body };
    let plain = gone.iter().fold(whole.clone(), |page, n| page.without(&all[*n].span, Seam::Plain));
    let kept: Vec<&str> = (0..all.len()).filter(|n| !goes[*n]).map(|n| all[n].text(text)).collect();
    if gone.len() > TRIED || plain.reads(&kept) {
        return Some(plain.into_body());
    }
    // Somewhere two neighbours ran together: a paragraph into an item, or a line before `---` into a heading.
    // An empty line keeps them apart; it is tried seam by seam, so that only those get one that need it.
    let mut left: Vec<&str> = all.iter().map(|entry| entry.text(text)).collect();
    let careful = gone.iter().fold(whole, |page, n| {
        left.remove(*n);
        let plain = page.without(&all[*n].span, Seam::Plain);
        let spaced = page.without(&all[*n].span, Seam::Spaced);
        if !plain.reads(&left) && spaced.reads(&left) { spaced } else { plain }
    });
    Some(careful.into_body())
}

#[derive(Clone, Copy, PartialEq)]
enum Seam {
    /// Nothing is put where the entry was.
    Plain,
    /// One line break is.
    Spaced,
}

/// A text on its way, with its body.
#[derive(Clone)]
struct Page {
    text: String,
    body: Range<usize>,
}

impl Page {
    fn reads(&self, expected: &[&str]) -> bool {
        let found = entries(&self.text, self.body.clone());
        found.iter().map(|entry| entry.text(&self.text)).eq(expected.iter().copied())
    }

    /// The text. A rule that has come to its start would open a header, and swallow what is before the next rule: an empty
    /// line keeps it a rule.
    fn into_body(mut self) -> String {
        if split(&self.text).body.start > self.body.start {
            let put = self.line_break().to_owned();
            self.text.insert_str(self.body.start, &put);
        }
        self.text
    }

    /// The line break that this text uses.
    fn line_break(&self) -> &str {
        line_break(&self.text[self.text.find(['\r', '\n']).unwrap_or(0)..])
    }

    fn without(&self, span: &Range<usize>, seam: Seam) -> Page {
        let before = &self.text[self.body.start..span.start];
        let after = &self.text[span.end..self.body.end];
        let mut cut = span.clone();
        if ends_in_a_gap(before) {
            cut.end += after.len() - after.trim_start_matches(['\r', '\n']).len();
            if cut.end == self.body.end {
                let content = before.trim_end_matches(['\r', '\n']);
                cut.start = self.body.start + content.len() + line_break(&before[content.len()..]).len();
            }
        }
        let put = match seam {
            Seam::Plain => "",
            Seam::Spaced => self.line_break(),
        };
        let text = format!("{}{put}{}", &self.text[..cut.start], &self.text[cut.end..]);
        let end = self.body.end + put.len() - cut.len();
        Page { text, body: self.body.start..end }
    }
}

/// True at the start of a body, and after a blank line.
fn ends_in_a_gap(before: &str) -> bool {
    let line = before.strip_suffix('\n').unwrap_or(before);
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.rsplit(['\n', '\r']).next().is_none_or(|last| last.trim_matches([' ', '\t']).is_empty())
}

/// The line break that a text starts with.
fn line_break(text: &str) -> &str {
    let length = match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    };
    &text[..length]
}
