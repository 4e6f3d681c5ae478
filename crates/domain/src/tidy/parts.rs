//! An entry taken apart: what it says, why, and how to apply it.
//!
//! Owns when two entries say the same (their words in their order, apart from articles and the like, and the same
//! signs), and how the fields of one are added to the other.

use crate::alike;
use crate::entry::is_field;

/// A `Why:` or `How to apply:` with all its lines, as it was written but for indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field(String);

/// An entry taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    lead: String,
    fields: Vec<Field>,
}

/// Words that change nothing when they come or go. Prepositions and pronouns of persons are not among them.
const LIGHT: [&str; 11] = ["the", "a", "an", "any", "our", "please", "also", "just", "really", "very", "that"];
/// Signs that change nothing either; others do: `C++` is not `C#`.
const PLAIN: &[char] = &[
    '.', ',', ';', ':', '!', '?', '\'', '"', '(', ')', '[', ']', '*', '_', '-', '—', '–', '…', '`', '’', '“', '”',
    '。', '，', '：', '！', '？',
];

impl Parts {
    /// Takes an entry's text apart.
    pub(super) fn of(text: &str) -> Parts {
        let (mut lead, mut fields) = (String::new(), Vec::<Field>::new());
        let mut in_field = false;
        let mut in_code = false;
        for (number, line) in text.lines().enumerate() {
            let bare = line.trim();
            let fence = bare.starts_with("```") || bare.starts_with("~~~");
            in_code ^= fence;
            if number > 0 && !in_code && !fence && is_field(bare) {
                fields.push(Field(bare.to_owned()));
                in_field = true;
            } else if in_field && !bare.is_empty() && !in_code && !fence {
                if let Some(Field(field)) = fields.last_mut() {
                    field.push(' ');
                    field.push_str(bare);
                }
            } else {
                in_field = false;
                lead.push_str(line);
                lead.push('\n');
            }
        }
        Parts { lead: lead.trim().to_owned(), fields }
    }

    /// The same for entries that say the same; `None` for one that says nothing that could be compared.
    pub(super) fn key(&self) -> Option<String> {
        // A bare quote, table or code block says nothing by itself.
        if self.lead.starts_with(['>', '|', '<']) || self.lead.starts_with("```") || self.lead.starts_with("~~~") {
            return None;
        }
        let bare = self.lead.trim_start_matches(['-', '*', '+']).trim_start();
        if !bare.contains(char::is_alphanumeric) {
            return None;
        }
        let plain = alike::normalised(bare);
        let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
        let heavy: Vec<&str> = words.iter().copied().filter(|word| !LIGHT.contains(word)).map(singular).collect();
        let heavy = if heavy.is_empty() { words } else { heavy };
        let signs: String =
            bare.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && !PLAIN.contains(c)).collect();
        // "-5" is not "5".
        let below_zero = bare.split_whitespace().filter(|word| is_negative(word)).count();
        (!heavy.is_empty()).then(|| format!("{}\0{signs}\0{below_zero}", heavy.join(" ")))
    }

    /// The fields that neither the other entry has nor the ones that it is going to get.
    pub(super) fn fields_beyond(&self, other: &Parts, taken: &[Field]) -> Vec<Field> {
        let same = |a: &Field, b: &Field| alike::normalised(&a.0) == alike::normalised(&b.0);
        let new = |field: &&Field| !other.fields.iter().chain(taken).any(|known| same(field, known));
        self.fields.iter().filter(new).cloned().collect()
    }
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    }
}

fn is_negative(word: &str) -> bool {
    let rest = word.trim_start_matches(['`', '(', '"']);
    rest.strip_prefix(['-', '−']).is_some_and(|rest| rest.starts_with(|c: char| c.is_numeric()))
}

/// The line break that a text uses.
pub(super) fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// An entry's text with fields behind it, in the style of the entry: inside a list item, below a paragraph.
pub(super) fn with_fields(text: &str, fields: &[Field], line_break: &str) -> String {
    let mut body = text.trim_end_matches(['\r', '\n']).to_owned();
    let ending = &text[body.len()..];
    let indent = match item_indent(text) {
        Some(indent) => " ".repeat(indent),
        None => String::new(),
    };
    // A field right behind a paragraph would read as its last line; an empty line keeps them apart.
    let after_paragraph = indent.is_empty() && Parts::of(text).fields.is_empty();
    for (number, Field(field)) in fields.iter().enumerate() {
        let gap = if number == 0 && after_paragraph { line_break } else { "" };
        body.push_str(&format!("{line_break}{gap}{indent}{field}"));
    }
    body + if ending.is_empty() { "" } else { ending }
}

/// How far the text of a list item is indented; `None` = no list item.
fn item_indent(text: &str) -> Option<usize> {
    let first = text.lines().next()?;
    let start = first.len() - first.trim_start().len();
    let bare = first.trim_start();
    let digits = bare.chars().take_while(char::is_ascii_digit).count();
    let marker = match bare.as_bytes().get(digits)? {
        b'.' | b')' if digits > 0 => digits + 1,
        b'-' | b'*' | b'+' if digits == 0 => 1,
        _ => return None,
    };
    bare[marker..].starts_with(' ').then_some(start + marker + 1)
}
