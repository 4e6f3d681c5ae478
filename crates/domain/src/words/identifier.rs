//! Words and identifiers: `snake_case`, `camelCase`, `kebab-case`, paths and dotted names, in parts and whole.
//!
//! Owns three levels: parts (`token`, `store`), names made of them (`tokenStore`), and what joins names
//! (`src/auth/tokenStore.ts`). Each level gives a token where it says more than the one below.
//! A plain English word is a name of one part, so it gives one token, its stem.

use super::{Found, LONGEST};
use rust_stemmers::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::collections::HashMap;

/// True for characters that join names, or parts of a name.
pub(super) fn is_joiner(c: char) -> bool {
    joins_parts(c) || matches!(c, '.' | '/' | '\\' | ':')
}

fn joins_parts(c: char) -> bool {
    matches!(c, '_' | '-')
}

/// The most bytes between two joiners that are looked at, so that a megabyte without a space costs nothing.
const LOOKED_AT: usize = 256;

/// An identifier on its way.
#[derive(Default)]
pub(super) struct Identifier {
    /// Letters and digits since the last joiner, case kept.
    raw: String,
    name: String,
    whole: String,
    parts: usize,
    names: usize,
    /// Joiners since the last letter; two are `::` or `..`, three are prose or `://`.
    joiners: usize,
    /// Whether those joiners end the name, and not just the part.
    ends_name: bool,
}

impl Identifier {
    /// Takes the next letter, digit or joiner.
    pub(super) fn push(&mut self, c: char, found: &mut Found) {
        if is_joiner(c) {
            self.joiners += 1;
            self.ends_name |= !joins_parts(c);
            if self.joiners > 2 {
                self.finish(found);
            }
            return;
        }
        if self.joiners > 0 {
            self.end_parts(found);
            if self.ends_name {
                self.end_name(found);
            }
            (self.joiners, self.ends_name) = (0, false);
        }
        if self.raw.len() < LOOKED_AT {
            self.raw.push(c);
        }
    }

    /// Ends it, wherever it is.
    pub(super) fn finish(&mut self, found: &mut Found) {
        self.end_parts(found);
        self.end_name(found);
        if self.names > 1 {
            found.push(stem(&self.whole));
        }
        *self = Identifier::default();
    }

    /// Takes apart what lies between two joiners.
    fn end_parts(&mut self, found: &mut Found) {
        let raw: Vec<char> = std::mem::take(&mut self.raw).chars().collect();
        let mut part = String::new();
        for (i, c) in raw.iter().enumerate() {
            if is_hump(&raw, i) {
                self.push_part(&mut part, found);
            }
            for level in [&mut part, &mut self.name, &mut self.whole] {
                push_lower(level, *c);
            }
        }
        self.push_part(&mut part, found);
    }

    fn push_part(&mut self, part: &mut String, found: &mut Found) {
        if !part.is_empty() {
            found.push(stem(part));
            self.parts += 1;
            part.clear();
        }
    }

    fn end_name(&mut self, found: &mut Found) {
        if self.parts > 1 {
            found.push(stem(&self.name));
        }
        self.names += usize::from(self.parts > 0);
        self.parts = 0;
        self.name.clear();
    }
}

/// True when a new part starts there: `userName`, `HTTPServer`, `base64Decode`; not in `2FA`, `IDs`, `sha256`.
fn is_hump(raw: &[char], at: usize) -> bool {
    if at == 0 || !raw[at].is_uppercase() {
        return false;
    }
    let plural = raw[at + 1..] == ['s'];
    raw[at - 1].is_lowercase() || (!plural && raw.get(at + 1).is_some_and(|next| next.is_lowercase()))
}

fn push_lower(level: &mut String, c: char) {
    if level.len() >= LONGEST {
        return;
    }
    let end = level.len();
    match c {
        'ß' | 'ẞ' => level.push_str("ss"),
        'æ' | 'Æ' => level.push_str("ae"),
        'œ' | 'Œ' => level.push_str("oe"),
        'ø' | 'Ø' => level.push('o'),
        'ł' | 'Ł' => level.push('l'),
        'đ' | 'Đ' => level.push('d'),
        c => level.extend(c.to_lowercase().filter(|lower| lower.is_alphanumeric())),
    }
    if level.len() > LONGEST {
        level.truncate(end);
    }
}

/// The English stem of a word of ASCII letters; anything else is itself.
pub(super) fn stem(word: &str) -> String {
    if word.len() >= LONGEST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        if stems.len() >= REMEMBERED {
            stems.clear();
        }
        let stem = Stemmer::create(Algorithm::English).stem(word).into_owned();
        stems.insert(word.to_owned(), stem.clone());
        stem
    })
}

/// How many stems are remembered; text repeats its words, and stemming one costs a microsecond.
const REMEMBERED: usize = 4096;

thread_local! {
    static STEMS: RefCell<HashMap<String, String>> = RefCell::new(HashMap::new());
}
