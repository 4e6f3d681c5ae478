//! The ranking of messages: words and meaning, each with the neighbours as context, and the session as a whole.
//!
//! A turn alone often lacks its subject: the question before it names what the answer says about it. So a word counts
//! for the messages around it too, most of all for the one that follows a question, and is saturated once over all of
//! them. The numbers were chosen on one half of a public corpus of conversations and checked on the other.

use super::talk::Talk;
use crate::recall::question::Question;
use loci_store::record::Heard;

/// How soon another occurrence stops to count, and how much a long text is held against it.
const K1: f32 = 0.9;
const B: f32 = 0.4;
/// What a message gets of a neighbour one and two places away.
const NEAR: f32 = 0.4;
const NEXT: f32 = 0.15;
/// What it gets of the message before it when that is a question.
const ANSWERS: f32 = 0.8;
/// The weights of words, meaning and session.
const WORDS: f32 = 2.0;
const MEANING: f32 = 0.5;
const SESSION: f32 = 0.6;
/// A question is seldom an answer.
const ASKS: f32 = 0.15;
/// Messages that are thought to be there and to have none of the words (see `lexical.rs`).
const UNSEEN: f32 = 32.0;
/// A pair of CJK characters that nobody said is as often a seam between two words as a word.
const SEAM: f32 = 0.3;

/// A message that fits.
pub(super) struct Ranked {
    /// Which, counted over all sessions.
    pub message: usize,
    pub score: f64,
    /// The weight of the words that it or its neighbours have, of all words of the question.
    pub coverage: f64,
    pub similarity: f64,
    /// Which terms, and whether it has them itself.
    pub matched: Vec<(usize, bool)>,
}

/// The best messages, at most so many; none when nothing fits.
pub(super) fn rank(talk: &Talk, question: &Question, heard: &[Heard], limit: usize) -> Vec<Ranked> {
    if talk.len() == 0 {
        return Vec::new();
    }
    let words = Words::of(talk, question, heard);
    let similarity = talk.similarities(&question.vector);
    let best = (0..talk.len()).any(|at| words.fits(at) || similarity[at] >= ALIKE);
    if !best {
        return Vec::new();
    }
    let meaning = around(talk, &scaled(&similarity));
    let sessions = scaled(&words.sessions);
    let most = words.scores.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let score = |at: usize| {
        let session = sessions[talk.session_of[at] as usize];
        let asks = if talk.asks[at] { ASKS } else { 0.0 };
        WORDS * words.scores[at] / most + MEANING * meaning[at] + SESSION * session - asks
    };
    let evident = |at: usize| words.coverage[at] > 0.0 || similarity[at] >= RELATED;
    let mut ranked: Vec<(f32, usize)> = (0..talk.len()).filter(|at| evident(*at)).map(|at| (score(at), at)).collect();
    let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if ranked.len() > limit && limit > 0 {
        ranked.select_nth_unstable_by(limit - 1, order);
        ranked.truncate(limit);
    }
    ranked.sort_unstable_by(order);
    // Ranks are by what fits best here; how well that is, the words and the meaning of the best one say.
    let top = ranked.first().map_or(f32::MIN_POSITIVE, |best| best.0.max(f32::MIN_POSITIVE));
    let strength = ranked.first().map_or(0.0, |(_, at)| 0.8 * words.coverage[*at].min(1.0) + 0.2 * similarity[*at]);
    let ranked = ranked.into_iter().map(|(score, at)| Ranked {
        message: at,
        score: f64::from((score / top * strength).clamp(0.0, 1.0)),
        coverage: f64::from(words.coverage[at].min(1.0)),
        similarity: f64::from(similarity[at]),
        matched: words.matched(talk, heard, at),
    });
    ranked.collect()
}

/// The floor. A question is answered by a message that, with its neighbours, has enough of its weight, or that says the
/// same in other words; then others are shown that have at least something of it.
const COVERED: f32 = 0.40;
const ALIKE: f32 = 0.60;
const RELATED: f32 = 0.35;

/// What the words of a question say of every message.
struct Words {
    scores: Vec<f32>,
    coverage: Vec<f32>,
    sessions: Vec<f32>,
}

impl Words {
    fn of(talk: &Talk, question: &Question, heard: &[Heard]) -> Words {
        let total = talk.len();
        let length = talk.words.iter().map(|words| f32::from(*words)).sum::<f32>() / total as f32;
        let mut lengths = vec![0.0; talk.session_count];
        for (words, session) in talk.words.iter().zip(&talk.session_of) {
            lengths[*session as usize] += f32::from(*words);
        }
        let session_length = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
        let mut words =
            Words { scores: vec![0.0; total], coverage: vec![0.0; total], sessions: vec![0.0; talk.session_count] };
        let mut weight = 0.0;
        let mut strength = vec![0.0_f32; total];
        let mut touched: Vec<usize> = Vec::new();
        let mut by_session = vec![0.0_f32; talk.session_count];
        for (term, text) in question.terms.iter().enumerate() {
            let mut messages = 0.0;
            let mut in_sessions: Vec<usize> = Vec::new();
            for (at, times) in places(talk, heard, term) {
                messages += 1.0;
                let own = times / (1.0 - B + B * f32::from(talk.words[at]) / length.max(1.0));
                for (to, share) in reach(talk, at) {
                    if strength[to] == 0.0 {
                        touched.push(to);
                    }
                    strength[to] += share * own;
                }
                let session = talk.session_of[at] as usize;
                if by_session[session] == 0.0 {
                    in_sessions.push(session);
                }
                by_session[session] += times;
            }
            let rarity = idf(total as f32 + UNSEEN, messages);
            let worth = if messages == 0.0 && !text.is_ascii() { rarity * SEAM } else { rarity };
            weight += worth;
            for at in touched.drain(..) {
                let strength = std::mem::take(&mut strength[at]);
                words.scores[at] += worth * strength / (strength + K1);
                words.coverage[at] += worth;
            }
            let rarity = idf(talk.session_count as f32, in_sessions.len() as f32);
            for session in in_sessions {
                let times = std::mem::take(&mut by_session[session]);
                let norm = 1.0 - B + B * lengths[session] / session_length.max(1.0);
                words.sessions[session] += rarity * times / (times + K1 * norm);
            }
        }
        words.coverage.iter_mut().for_each(|coverage| *coverage /= f32::max(weight, f32::MIN_POSITIVE));
        words
    }

    fn fits(&self, at: usize) -> bool {
        self.coverage[at] >= COVERED
    }

    /// The terms of a message and of its neighbours.
    fn matched(&self, talk: &Talk, heard: &[Heard], at: usize) -> Vec<(usize, bool)> {
        let mut matched: Vec<(usize, bool)> = Vec::new();
        if self.coverage[at] == 0.0 {
            return matched;
        }
        for one in heard {
            let Some(start) = talk.start(one.chunk).filter(|start| at + 2 >= *start && at < start + 130) else {
                continue;
            };
            for (place, _) in &one.places {
                let message = start + usize::from(*place);
                let close = message.abs_diff(at) <= 2 && talk.session_of[message] == talk.session_of[at];
                if close {
                    let term = usize::from(one.term);
                    match matched.iter_mut().find(|(known, _)| *known == term) {
                        Some((_, own)) => *own |= message == at,
                        None => matched.push((term, message == at)),
                    }
                }
            }
        }
        matched
    }
}

/// Every message that has a term, and how often.
fn places<'a>(talk: &'a Talk, heard: &'a [Heard], term: usize) -> impl Iterator<Item = (usize, f32)> + 'a {
    let first = heard.partition_point(|one| usize::from(one.term) < term);
    let own = heard[first..].iter().take_while(move |one| usize::from(one.term) == term);
    own.filter_map(|one| Some((talk.start(one.chunk)?, one))).flat_map(|(start, one)| {
        one.places.iter().map(move |(place, times)| (start + usize::from(*place), f32::from(*times)))
    })
}

/// Whom a message lends its words, itself first, and what share of them.
fn reach(talk: &Talk, at: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
    let after = if talk.asks[at] { ANSWERS } else { NEAR };
    let others = [(at.checked_sub(2), NEXT), (at.checked_sub(1), NEAR), (Some(at + 1), after), (Some(at + 2), NEXT)];
    let same = move |to: &usize| talk.session_of.get(*to) == Some(&talk.session_of[at]);
    std::iter::once((at, 1.0)).chain(others.into_iter().filter_map(move |(to, share)| Some((to.filter(same)?, share))))
}

/// Each value with those of the neighbours.
fn around(talk: &Talk, values: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0; values.len()];
    for (at, value) in values.iter().enumerate() {
        for (to, share) in reach(talk, at) {
            sums[to] += share * value;
        }
    }
    sums
}

/// From 0 for the least to 1 for the most; all 0 when they are the same.
fn scaled(values: &[f32]) -> Vec<f32> {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let range = most - least;
    values.iter().map(|value| if range > 0.0 { (value - least) / range } else { 0.0 }).collect()
}

fn idf(total: f32, having: f32) -> f32 {
    (1.0 + (total - having + 0.5) / (having + 0.5)).ln()
}
