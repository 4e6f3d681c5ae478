//! Each word of a question against the words of a document: a paraphrase has a counterpart for every one of them, and all of
//! them in one place.
//!
//! The mean of all words blurs short questions; this looks at the words one by one. It costs more, so it looks only at
//! the documents that words or the mean already brought to the front.

use super::lexical::Lexical;
use super::meaning::{Meaning, Pieces};
use super::profile::Profile;
use super::question::Question;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A related word is as near as that, and an equal one is worth no more, so that one name alone does not carry a question.
const RELATED: f64 = 0.5;
/// From here on a near word is the word itself, in another form at most.
const SAME: f64 = 0.7;
/// Below this a counterpart is none.
const FAR: f64 = 0.2;
/// What the nearness of the whole question adds.
const WHOLE: f64 = 0.5;
/// A counterpart that another word of the question has already taken counts for less.
const SHARED: f64 = 0.85;
/// So much of the question must have a sure counterpart, a related word or one as near: several weak ones are chance.
const SURE: f64 = 0.5;
/// What it costs when it has not.
const UNSURE: f64 = 0.1;
/// A document of which the whole question is farther away is not found by one near or related word alone: most words have
/// a second meaning, and a mountain is not answered by who climbs through a tree.
const ASTRAY: f64 = 0.1;
/// A name that the document does not know speaks against it.
const STRANGER: f64 = 0.3;
/// A document is gone through by so many words at a time.
const STEP: usize = 6;
/// So many steps are one place: about a paragraph.
const PLACE: usize = 4;

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

/// One word of the question.
struct Asked {
    /// Which of the words that the embedder knows it is.
    known: Option<usize>,
    /// The document has this very word.
    said: bool,
    /// Where in the document a related word stands.
    kin: Vec<usize>,
    weight: f64,
    name: bool,
}

/// What it found in one place of a document.
struct Found {
    nearness: f64,
    said: bool,
    counterpart: Option<usize>,
    weight: f64,
    name: bool,
}

/// The nearest word of a step for each known word of the question: how near it is, and which it is.
type Step = Vec<(f64, Option<usize>)>;

/// From 0 to about 1: how well the words of the question find counterparts in one place of the document; 0 when none can
/// be compared. One place, since a long document has a word near to every question somewhere.
pub(super) fn score(
    question: &Question,
    weights: &[f64],
    lexical: &Lexical,
    profile: &Profile<'_>,
    whole: f64,
    compared: &mut Compared,
) -> f64 {
    if !question.means_something() {
        return 0.0;
    }
    let mut kin = kin(question, profile);
    let asked: Vec<Asked> = weights
        .iter()
        .enumerate()
        .map(|(term, weight)| {
            let known = question.words.iter().position(|(other, _)| *other == term);
            let said = lexical.has(term);
            let kin = std::mem::take(&mut kin[term]);
            Asked { known, said, kin, weight: *weight, name: question.names.contains(&term) }
        })
        .collect();
    let steps = compared.steps(question, profile);
    let places = steps.len().saturating_sub(PLACE) + 1;
    let place = |start: usize| in_place(&asked, &steps[start..steps.len().min(start + PLACE)], start, whole);
    let best = (0..places).map(place).fold(f64::NEG_INFINITY, f64::max);
    (best + WHOLE * whole.max(0.0)).max(0.0)
}

/// What the words find in these steps of a document, the first of which is its `first`; `whole` is how near the question is
/// to the document.
fn in_place(asked: &[Asked], steps: &[Step], first: usize, whole: f64) -> f64 {
    let here = first * STEP..(first + steps.len()) * STEP;
    let mut found: Vec<Found> = asked
        .iter()
        .map(|word| {
            let near =
                |at: usize| steps.iter().map(|step| step[at]).fold((0.0, None), |a, b| if b.0 > a.0 { b } else { a });
            let (mut nearness, mut counterpart) = word.known.map_or((0.0, None), near);
            // What is near to a name is another one of its kind: Lisbon does not answer Porto.
            if word.name {
                nearness = 0.0;
            }
            if word.said {
                (nearness, counterpart) = (1.0, counterpart.filter(|_| nearness >= SAME));
            } else if nearness < RELATED
                && let Some(kin) = word.kin.iter().find(|at| here.contains(at))
            {
                (nearness, counterpart) = (RELATED, Some(*kin));
            }
            Found { nearness, said: word.said, counterpart, weight: word.weight, name: word.name }
        })
        .collect();
    let stranger = found.iter().any(|word| word.name && word.nearness < RELATED);
    let total = found.iter().map(|word| word.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let sure = found.iter().filter(|word| word.nearness >= RELATED).map(|word| word.weight).sum::<f64>();
    let mut counterparts = found.iter().filter(|word| word.nearness >= RELATED);
    let lone = counterparts.next().is_none_or(|word| !word.said) && counterparts.next().is_none();
    share(&mut found);
    let reached = |word: &Found| ((word.nearness.min(RELATED) - FAR) / (RELATED - FAR)).max(0.0);
    let mean = found.iter().map(|word| word.weight * reached(word)).sum::<f64>() / total;
    let costs = [(stranger, STRANGER), (sure < SURE * total, UNSURE), (lone && whole < ASTRAY, f64::INFINITY)];
    0.75 * mean - costs.iter().filter(|(is, _)| *is).map(|(_, cost)| cost).sum::<f64>()
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

/// For each term, where in the document a related word stands.
fn kin(question: &Question, profile: &Profile<'_>) -> Vec<Vec<usize>> {
    let mut kin = vec![Vec::new(); question.terms.len()];
    for (stem, at) in profile.stems() {
        let mut terms = question.kin_of(stem);
        while terms != 0 {
            kin[terms.trailing_zeros() as usize].push(at);
            terms &= terms - 1;
        }
    }
    kin
}

impl Compared {
    /// The document in steps of [`STEP`] words.
    fn steps(&mut self, question: &Question, profile: &Profile<'_>) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (at, pieces) in profile.words().enumerate() {
            if at % STEP == 0 {
                steps.push(vec![(0.0, None); question.words.len()]);
            }
            let near = self.0.entry(pieces).or_insert_with(|| {
                let vector = pieces.vector()?;
                let to = |(_, meaning): &(usize, Meaning)| meaning.nearness(&vector) as f32;
                Some(question.words.iter().map(to).collect())
            });
            for (best, near) in steps[at / STEP].iter_mut().zip(near.iter().flatten()) {
                if f64::from(*near) > best.0 {
                    *best = (f64::from(*near), Some(at));
                }
            }
        }
        steps
    }
}
