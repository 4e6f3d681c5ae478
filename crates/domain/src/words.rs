//! The words of a text, as search counts them.
//!
//! Owns how text is cut into tokens; a query and a document go through the same function, or they would not meet.
//! Never ranks, and knows no stop words: what a word is worth is the ranker's business.
//! Start at [`tokens`]; identifiers are taken apart in `words/identifier.rs`.
//!
//! Invariant: tokens_are_plain. A token is alphanumeric, lower case and at most 64 bytes, so no search engine's
//! own syntax or tokenizer can see anything else in it.

mod identifier;

use crate::sign::is_hidden;
use identifier::Identifier;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The version of these rules; whoever stores tokens rebuilds them when it differs. Raise it when tokens change.
pub const RULES: u32 = 1;
/// The most tokens that one text gives.
pub const MOST: usize = 20_000;
/// The longest token, in bytes; a longer word counts by its beginning.
pub const LONGEST: usize = 64;

/// The tokens of a text in order: words stemmed, identifiers in parts and whole, CJK in pairs of characters.
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Found::default();
    // A line break ends every token, so each line can go alone; most are plain ASCII and need no folding.
    for line in text.split('\n') {
        if found.is_full() {
            break;
        }
        if line.is_ascii() {
            take_ascii(line, &mut found);
        } else {
            take(folded(line), &mut found);
        }
    }
    found.tokens
}

/// The tokens with a space between them, as a search index stores them.
pub fn segmented(text: &str) -> String {
    tokens(text).join(" ")
}

/// The same as [`take`], with a short way for what most text is made of: plain words.
fn take_ascii(line: &str, found: &mut Found) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || identifier::is_joiner(c) || c == '\'';
    for chunk in line.split(|c| !is_part(c)) {
        let chunk = chunk.trim_matches(identifier::is_joiner);
        let is_plain = |(at, byte): (usize, u8)| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || (at == 0 && byte.is_ascii_uppercase())
        };
        if chunk.len() <= LONGEST && chunk.bytes().enumerate().all(is_plain) {
            found.push(identifier::stem(&chunk.to_ascii_lowercase()));
        } else {
            take(chunk.chars(), found);
        }
    }
}

fn take(text: impl Iterator<Item = char>, found: &mut Found) {
    let mut identifier = Identifier::default();
    let mut run = Run::default();
    for c in text {
        if found.is_full() {
            return;
        }
        if is_inside_words(c) {
            continue;
        }
        if is_cjk(c) {
            identifier.finish(found);
            run.push(c, found);
        } else if c.is_alphanumeric() || identifier::is_joiner(c) {
            run.finish(found);
            identifier.push(c, found);
        } else {
            run.finish(found);
            identifier.finish(found);
        }
    }
    run.finish(found);
    identifier.finish(found);
}

/// Compatibility forms made equal and accents dropped; case is kept for the identifiers.
fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    // Composed again after the accents are gone, because Hangul falls apart in the decomposed form.
    text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36F}')).nfc()
}

/// What is no letter and yet must not cut a word in two: marks, invisible characters, and apostrophes, so that
/// `user's` is `users` and its stem `user`.
fn is_inside_words(c: char) -> bool {
    match c {
        '\'' | '’' => true,
        c if c.is_ascii() || c.is_whitespace() || c.is_control() => false,
        c => is_hidden(c) || (!c.is_alphanumeric() && is_combining_mark(c)),
    }
}

/// Han, Hiragana, Katakana and Hangul, the scripts in which words have no borders that could be seen.
fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3105}'..='\u{312F}' | '\u{3131}'..='\u{318E}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97C}'
        | '\u{AC00}'..='\u{D7FB}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}

/// What was found so far.
#[derive(Default)]
struct Found {
    tokens: Vec<String>,
}

impl Found {
    fn is_full(&self) -> bool {
        self.tokens.len() >= MOST
    }

    fn push(&mut self, token: String) {
        if !self.is_full() && !token.is_empty() {
            self.tokens.push(token);
        }
    }
}

/// A run of CJK characters on its way: each pair of neighbours is a token, a lone character is one by itself.
#[derive(Default)]
struct Run {
    last: Option<char>,
    paired: bool,
}

impl Run {
    fn push(&mut self, c: char, found: &mut Found) {
        if let Some(last) = self.last.replace(c) {
            found.push([last, c].iter().collect());
            self.paired = true;
        }
    }

    fn finish(&mut self, found: &mut Found) {
        if let (Some(last), false) = (self.last, self.paired) {
            found.push(last.to_string());
        }
        *self = Run::default();
    }
}

#[cfg(test)]
mod tests;
