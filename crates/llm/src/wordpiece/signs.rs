//! BERT's normaliser and pre-tokeniser, sign by sign.
//!
//! Owns which signs are dropped, folded, or stand alone. Control signs go, every space is a space, each Han character
//! is a word, letters lose case and accents if the rules say so, punctuation stands alone.
//! Never keeps text: signs are handed on as they come. Start at [`each`].

use super::category::Category;
use super::{Letters, Rules};
use unicode_normalization::UnicodeNormalization;

/// What a word is made of, or what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Ends a word.
    Space,
    /// Ends a word and is one.
    Alone(char),
    /// Part of a word.
    Plain(char),
    /// Part of a word; apart, because most text is made of these.
    Ascii(u8),
}

/// Calls `found` with the normalised signs of a text.
pub fn each(text: &str, rules: Rules, mut found: impl FnMut(Sign)) {
    // ASCII decomposes into itself and takes no part in the order of accents, so a run of it can go its own short way.
    // Control signs do not: they are dropped before accents are put in order, and so belong to the other runs.
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let readable = is_readable(first);
        let end = rest.bytes().position(|byte| is_readable(byte) != readable).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if readable {
            run.bytes().for_each(|byte| found(ascii(byte, rules.case)));
        } else {
            others(run, rules, &mut found);
        }
        rest = after;
    }
}

fn is_readable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

fn ascii(byte: u8, case: Letters) -> Sign {
    match Category::of_ascii(byte) {
        Category::Space => Sign::Space,
        Category::Punctuation => Sign::Alone(char::from(byte)),
        _ if case == Letters::Folded => Sign::Ascii(byte.to_ascii_lowercase()),
        _ => Sign::Ascii(byte),
    }
}

fn others(run: &str, rules: Rules, found: &mut impl FnMut(Sign)) {
    let cleaned = run.chars().flat_map(cleaned);
    match rules.accents {
        Letters::Folded => {
            for c in cleaned.nfd().filter(|c| Category::of(*c) != Category::Mark) {
                folded(c, rules.case, found);
            }
        }
        Letters::Kept => cleaned.for_each(|c| folded(c, rules.case, found)),
    }
}

/// Nothing for a sign that is dropped, a space for each kind of space, and spaces around a Han character.
fn cleaned(c: char) -> impl Iterator<Item = char> {
    let signs = match Category::of(c) {
        Category::Other => [None, None, None],
        Category::Space => [Some(' '), None, None],
        _ if c == char::REPLACEMENT_CHARACTER => [None, None, None],
        _ if is_han(c) => [Some(' '), Some(c), Some(' ')],
        _ => [Some(c), None, None],
    };
    signs.into_iter().flatten()
}

fn folded(c: char, case: Letters, found: &mut impl FnMut(Sign)) {
    match case {
        Letters::Folded => c.to_lowercase().for_each(|c| found(sign(c))),
        Letters::Kept => found(sign(c)),
    }
}

fn sign(c: char) -> Sign {
    match Category::of(c) {
        Category::Space => Sign::Space,
        Category::Punctuation => Sign::Alone(c),
        Category::Plain | Category::Mark | Category::Other => Sign::Plain(c),
    }
}

/// The ranges as BERT knows them; the gap before U+2B920 is its own.
fn is_han(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2A6DF}'
        | '\u{2A700}'..='\u{2B73F}' | '\u{2B740}'..='\u{2B81F}' | '\u{2B920}'..='\u{2CEAF}' | '\u{2F800}'..='\u{2FA1F}')
}
