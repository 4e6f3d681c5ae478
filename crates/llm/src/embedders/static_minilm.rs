//! The embedder that is always there: static embeddings of word pieces, shipped in the binary.
//!
//! Owns the shipped table and vocabulary (`assets/static-minilm-256`), and the small form of a vector that is stored
//! and compared. Nothing is loaded or prepared: a text touches the rows of its own tokens, and the system pages in those.
//! Never runs a model: a vector is the normalised mean of rows, so the order of words does not matter.
//! Start at [`StaticMinilm::vector`].

mod small;
mod sum;

pub use small::{dot, dot_packed, quantise, similarity};

use super::MOST_TOKENS;
use crate::embed::{Embedder, Result, normalise};
use crate::wordpiece::{Letters, MOST_CHARS, Rules, Vocabulary, Wordpiece};
use async_trait::async_trait;
use std::borrow::Cow;
use sum::Sum;

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 256;
/// The name of the vectors; the number after the slash goes up with any change of a vector.
pub const NAME: &str = "static-minilm-256/1";

static ROWS: &[[u8; DIMENSIONS]] = include_bytes!("../../assets/static-minilm-256/table.i8").as_chunks().0;

static WORDPIECE: Wordpiece<'static> = Wordpiece {
    vocabulary: Vocabulary::over(
        include_bytes!(concat!(env!("OUT_DIR"), "/slots")),
        include_bytes!(concat!(env!("OUT_DIR"), "/starts")),
        include_bytes!(concat!(env!("OUT_DIR"), "/text")),
        include!(concat!(env!("OUT_DIR"), "/numbers.rs")),
    ),
    rules: Rules { case: Letters::Folded, accents: Letters::Folded },
    unknown: 100,
    added: &[
        (Cow::Borrowed("[MASK]"), 103),
        (Cow::Borrowed("[PAD]"), 0),
        (Cow::Borrowed("[UNK]"), 100),
        (Cow::Borrowed("[CLS]"), 101),
        (Cow::Borrowed("[SEP]"), 102),
    ],
    most_chars: MOST_CHARS,
};

/// The row of a token, as it is added to a vector.
pub fn row(id: u16) -> Option<[i8; DIMENSIONS]> {
    ROWS.get(usize::from(id)).map(|row| row.map(u8::cast_signed))
}

/// The shipped embedder; it costs nothing to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticMinilm {
    most_tokens: usize,
}

impl Default for StaticMinilm {
    fn default() -> StaticMinilm {
        StaticMinilm { most_tokens: MOST_TOKENS }
    }
}

impl StaticMinilm {
    /// An embedder that looks at so many tokens of a text instead of [`MOST_TOKENS`].
    ///
    /// Its vectors of longer texts are others, under the same name: do not store both.
    pub fn with_most_tokens(most_tokens: usize) -> StaticMinilm {
        StaticMinilm { most_tokens }
    }

    /// The vector of a text: one long, or zeros for a text without a known token.
    pub fn vector(&self, text: &str) -> [f32; DIMENSIONS] {
        // The sum instead of the mean: their direction is the same.
        let mut sum = Sum::default();
        WORDPIECE.tokens(text, self.most_tokens, |id| {
            if let Some(row) = ROWS.get(id as usize) {
                sum.add(row);
            }
        });
        let mut vector = sum.whole().map(|x| x as f32);
        normalise(&mut vector);
        vector
    }

    /// The tokens that a text falls into, by number: a word that the model does not know falls into many, and then says
    /// little.
    pub fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        WORDPIECE.tokens(text, self.most_tokens, |id| ids.push(id));
        ids
    }

    /// The vector of a text in a byte a number, for [`similarity`].
    pub fn quantised(&self, text: &str) -> [i8; DIMENSIONS] {
        quantise(&self.vector(text))
    }
}

#[async_trait]
impl Embedder for StaticMinilm {
    fn name(&self) -> &str {
        NAME
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.vector(text).to_vec()).collect())
    }
}
