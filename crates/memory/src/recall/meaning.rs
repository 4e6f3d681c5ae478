//! One word and what it means, so far as the embedder knows it.

use loci_llm::embedders::static_minilm::{StaticMinilm, dot, row};

/// A known word.
#[derive(Debug, Clone)]
pub(super) struct Meaning {
    pub word: String,
    vector: [i8; 256],
    length: f32,
    /// From a quarter, for the commonest words, to one: how much a word narrows down what is meant.
    pub weight: f64,
}

/// A word as the embedder cuts it: one or two pieces, the second one 0 when there is none. A word in more pieces is one
/// that it does not know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Pieces(pub u16, pub u16);

impl Pieces {
    /// The pieces of a word that the embedder knows.
    pub fn of(word: &str) -> Option<Pieces> {
        match StaticMinilm::default().ids(word).as_slice() {
            [one] => Some(Pieces(u16::try_from(*one).ok()?, 0)),
            [one, two] => Some(Pieces(u16::try_from(*one).ok()?, u16::try_from(*two).ok()?)),
            _ => None,
        }
    }

    /// Their vector and its length; `None` for no pieces.
    pub fn vector(self) -> Option<([i8; 256], f32)> {
        let one = row(self.0).filter(|_| self.0 != 0)?;
        let mut vector = one;
        if let Some(two) = row(self.1).filter(|_| self.1 != 0) {
            // Half of each: the direction of the sum, and it fits into a byte.
            vector
                .iter_mut()
                .zip(two)
                .for_each(|(sum, other)| *sum = (i16::from(*sum) + i16::from(other)).div_euclid(2) as i8);
        }
        let length = (dot(&vector, &vector) as f32).sqrt();
        (length > 0.0).then_some((vector, length))
    }
}

impl Meaning {
    /// The words of a text that may have a meaning: plain letters, lower case. Names with digits and code mean what they say.
    pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.');
        let chunks = text.split(move |c| !inside(c)).map(|chunk| chunk.trim_matches(['.', '/', '_']));
        let plain =
            |chunk: &&str| (3..=24).contains(&chunk.len()) && chunk.bytes().all(|byte| byte.is_ascii_alphabetic());
        chunks.filter(plain).map(str::to_ascii_lowercase)
    }

    /// What a word means, if the embedder knows it.
    pub fn of(word: String) -> Option<Meaning> {
        let pieces = Pieces::of(&word)?;
        let (vector, length) = pieces.vector()?;
        Some(Meaning { word, vector, length, weight: weight(pieces) })
    }

    /// The cosine with a vector of this length.
    pub fn nearness(&self, (vector, length): &([i8; 256], f32)) -> f64 {
        f64::from(dot(&self.vector, vector) as f32 / (self.length * length))
    }
}

/// The vocabulary is in the order of how common its words are, from number 1,996 on.
fn weight(Pieces(first, second): Pieces) -> f64 {
    const COMMONEST: f64 = 3.0;
    const RARE: f64 = 8.7;
    let rank = if second == 0 { first.saturating_sub(1_995).max(1) } else { u16::MAX };
    ((f64::from(rank).ln() - COMMONEST) / (RARE - COMMONEST)).clamp(0.25, 1.0)
}
