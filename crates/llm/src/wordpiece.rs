//! WordPiece: a text as the tokens that a BERT model was taught with.
//!
//! Owns the whole way of `tokenizer.json` in its BERT form: added tokens, normaliser, pre-tokeniser, model, and the
//! truncation of model2vec around it. Nothing is allocated, and the work is linear in what the limit lets in.
//! Never gives the unknown token: model2vec leaves it out of the mean.
//! Start at [`Wordpiece::tokens`]; `signs.rs` normalises, `word.rs` cuts one word, `vocabulary.rs` finds one piece.

mod category;
pub mod pack;
mod signs;
mod vocabulary;
mod word;

pub use vocabulary::{Place, Vocabulary};
pub use word::MOST_CHARS;

use signs::Sign;
use std::borrow::Cow;
use word::Word;

/// With what an added token begins; others are not supported, so that one search finds them all.
pub const ADDED_MARK: char = '[';

/// What BERT's normaliser may be told; the rest of its settings is always on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub case: Letters,
    pub accents: Letters,
}

/// What happens to something that letters have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    Folded,
    Kept,
}

/// A tokenizer.
#[derive(Debug, Clone, Copy)]
pub struct Wordpiece<'a> {
    pub vocabulary: Vocabulary<'a>,
    pub rules: Rules,
    /// The id of the token for what is not in the vocabulary.
    pub unknown: u32,
    /// Tokens that are taken from the text as they stand, before anything else; longest first.
    pub added: &'a [(Cow<'static, str>, u32)],
    /// A word of more characters is unknown; at most [`MOST_CHARS`].
    pub most_chars: usize,
}

impl Wordpiece<'_> {
    /// Calls `each` with the tokens of a text in order; the first `most` count, the unknown ones among them are left out.
    pub fn tokens(&self, text: &str, most: usize, each: impl FnMut(u32)) {
        let mut found = Found { wordpiece: self, word: Word::default(), pieces: [0; MOST_CHARS], left: most, each };
        // As model2vec cuts, before it looks at any token; the vectors are equal only with the same cut.
        let mut rest = beginning(text, most.saturating_mul(self.vocabulary.median()));
        let mut from = 0;
        while let Some(at) = rest[from..].find(ADDED_MARK).map(|at| from + at) {
            match self.added.iter().find(|(token, _)| rest[at..].starts_with(token.as_ref())) {
                Some((token, id)) => {
                    found.span(&rest[..at]);
                    found.give(*id);
                    rest = &rest[at + token.len()..];
                    from = 0;
                }
                None => from = at + ADDED_MARK.len_utf8(),
            }
        }
        found.span(rest);
    }
}

/// The first characters of a text.
fn beginning(text: &str, chars: usize) -> &str {
    if text.len() <= chars {
        return text;
    }
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

/// A text on its way to tokens.
struct Found<'a, F> {
    wordpiece: &'a Wordpiece<'a>,
    word: Word,
    pieces: [u32; MOST_CHARS],
    left: usize,
    each: F,
}

impl<F: FnMut(u32)> Found<'_, F> {
    /// Takes text without added tokens; a word does not go on after it.
    fn span(&mut self, text: &str) {
        signs::each(text, self.wordpiece.rules, |sign| match sign {
            Sign::Space => self.finish(),
            Sign::Plain(c) => self.word.push(c),
            Sign::Ascii(byte) => self.word.push_ascii(byte),
            Sign::Alone(c) => {
                self.finish();
                self.word.push(c);
                self.finish();
            }
        });
        self.finish();
    }

    fn finish(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let count = self.word.pieces(self.wordpiece, &mut self.pieces);
        self.word.clear();
        match count {
            Some(count) => (0..count).for_each(|at| self.give(self.pieces[at])),
            None => self.give(self.wordpiece.unknown),
        }
    }

    fn give(&mut self, id: u32) {
        if self.left > 0 {
            self.left -= 1;
            if id != self.wordpiece.unknown {
                (self.each)(id);
            }
        }
    }
}

#[cfg(test)]
mod tests;
