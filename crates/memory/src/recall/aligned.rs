//! Each word of a question against the words of a document: a paraphrase has a counterpart for every one of them.
//!
//! The mean of all words blurs short questions; this looks at the words one by one. It costs more, so it looks only at
//! the documents that words or the mean already brought to the front.

use super::lexical::Lexical;
use super::meaning::{Meaning, Pieces};
use super::profile::Profile;
use super::question::Question;
use super::related;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A related word is as near as that, and an equal one is worth no more, so that one name alone does not carry a question.
const RELATED: f64 = 0.5;
/// Below this a counterpart is none.
const FAR: f64 = 0.2;
/// What the nearness of the whole question adds.
const WHOLE: f64 = 0.5;
/// A counterpart that another word of the question has already taken counts for less.
const SHARED: f64 = 0.7;
/// A name that the document does not know speaks against it.
const STRANGER: f64 = 0.3;

/// The words of documents that were looked at for one question, so that each is compared once.
#[derive(Default)]
pub(super) struct Compared(HashMap<Pieces, Option<Vec<f32>>, BuildHasherDefault<Mixed>>);

/// Two small numbers, mixed: a question looks up thousands of words, and nobody chooses them to collide.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u16(u16::from(*byte)));
    }

    fn write_u16(&mut self, number: u16) {
        self.0 = (self.0.rotate_left(16) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// One word of the question, and what it found.
struct Found {
    nearness: f64,
    counterpart: Option<usize>,
    weight: f64,
    name: bool,
}

/// From 0 to about 1: how well the words of the question find counterparts; 0 when none can be compared.
pub(super) fn score(
    question: &Question,
    weights: &[f64],
    lexical: &Lexical,
    profile: &Profile<'_>,
    whole: f64,
    compared: &mut Compared,
) -> f64 {
    if question.words.is_empty() || question.foreign {
        return 0.0;
    }
    let nearest = compared.nearest(question, profile);
    let mut found: Vec<Found> = Vec::with_capacity(weights.len());
    for (term, weight) in weights.iter().enumerate() {
        let known = question.words.iter().position(|(other, _)| *other == term);
        let (mut nearness, mut counterpart) = known.map_or((0.0, None), |at| nearest[at]);
        if lexical.has(term) {
            nearness = 1.0;
        } else if nearness < RELATED
            && let Some(word) = profile.related(related::groups(&question.terms[term]))
        {
            (nearness, counterpart) = (RELATED, Some(word));
        }
        let common = known.map_or(1.0, |at| question.words[at].1.weight);
        found.push(Found { nearness, counterpart, weight: weight * common, name: question.names.contains(&term) });
    }
    let stranger = found.iter().any(|word| word.name && word.nearness < RELATED);
    share(&mut found);
    let total = found.iter().map(|word| word.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let reached = |word: &Found| ((word.nearness.min(RELATED) - FAR) / (RELATED - FAR)).max(0.0);
    let mean = found.iter().map(|word| word.weight * reached(word)).sum::<f64>() / total;
    (0.75 * mean + WHOLE * whole.max(0.0) - if stranger { STRANGER } else { 0.0 }).max(0.0)
}

/// The nearest word keeps a counterpart; the others share it.
fn share(found: &mut [Found]) {
    found.sort_by(|a, b| b.nearness.total_cmp(&a.nearness));
    for at in 1..found.len() {
        let (before, rest) = found.split_at_mut(at);
        let word = &mut rest[0];
        if word.counterpart.is_some() && before.iter().any(|other| other.counterpart == word.counterpart) {
            word.nearness *= SHARED;
        }
    }
}

impl Compared {
    /// For each known word of the question: how near the nearest word of the document is, and which that is.
    fn nearest(&mut self, question: &Question, profile: &Profile<'_>) -> Vec<(f64, Option<usize>)> {
        let mut nearest = vec![(0.0, None); question.words.len()];
        for (at, pieces) in profile.words().enumerate() {
            let near = self.0.entry(pieces).or_insert_with(|| {
                let vector = pieces.vector()?;
                let to = |(_, meaning): &(usize, Meaning)| meaning.nearness(&vector) as f32;
                Some(question.words.iter().map(to).collect())
            });
            for (best, near) in nearest.iter_mut().zip(near.iter().flatten()) {
                if f64::from(*near) > best.0 {
                    *best = (f64::from(*near), Some(at));
                }
            }
        }
        nearest
    }
}
