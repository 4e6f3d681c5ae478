//! One word and what it means, so far as the embedder knows it.

use loci_llm::embedders::static_minilm::{StaticMinilm, dot};

/// A word in more pieces is one that the model does not know.
const MOST_PIECES: usize = 2;

/// A known word.
#[derive(Debug, Clone)]
pub(super) struct Meaning {
    pub word: String,
    vector: [i8; 256],
    length: f32,
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
        let embedder = StaticMinilm::default();
        let known = (1..=MOST_PIECES).contains(&embedder.pieces(&word));
        let vector = known.then(|| embedder.quantised(&word))?;
        let length = (dot(&vector, &vector) as f32).sqrt();
        (length > 0.0).then_some(Meaning { word, vector, length })
    }

    /// The cosine of two meanings.
    pub fn nearness(&self, other: &Meaning) -> f64 {
        f64::from(dot(&self.vector, &other.vector) as f32 / (self.length * other.length))
    }
}
