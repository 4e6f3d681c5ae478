//! Each word of a question against the words of a document: a paraphrase has a counterpart for every one of them.
//!
//! The mean of all words blurs short questions; this looks at the words one by one. It costs more, so it looks only at
//! the documents that words or the mean already brought to the front.

use super::lexical::Lexical;
use super::meaning::Meaning;
use super::question::Question;
use std::collections::HashSet;

/// Distinct words of a document that are looked at.
const MOST_WORDS: usize = 300;
/// An equal word is worth no more than a very near one, so that one name alone does not carry a question.
const CAP: f64 = 0.7;
const LEAST: f64 = 0.02;

/// From 0 to [`CAP`]: how well every word of the question finds a counterpart; 0 when no word can be compared.
pub(super) fn score(question: &Question, weights: &[f64], lexical: Option<&Lexical>, text: &str) -> f64 {
    if question.words.is_empty() {
        return 0.0;
    }
    let matched = |term: usize| lexical.is_some_and(|lexical| lexical.matched.iter().any(|(found, _)| *found == term));
    let open: Vec<&(usize, Meaning)> = question.words.iter().filter(|(term, _)| !matched(*term)).collect();
    let meanings = if open.is_empty() { Vec::new() } else { meanings(text) };
    let (mut weight, mut mean, mut log) = (0.0, 0.0, 0.0);
    for (term, worth) in weights.iter().enumerate() {
        let best = if matched(term) {
            CAP
        } else {
            let word = open.iter().find(|(open, _)| *open == term).map(|(_, meaning)| meaning);
            let nearest =
                |meaning: &Meaning| meanings.iter().map(|other| meaning.nearness(other)).fold(LEAST, f64::max);
            word.map_or(LEAST, nearest).min(CAP)
        };
        weight += worth;
        mean += worth * best;
        log += worth * best.ln();
    }
    let weight = weight.max(f64::MIN_POSITIVE);
    0.5 * (mean / weight) + 0.5 * (log / weight).exp()
}

fn meanings(text: &str) -> Vec<Meaning> {
    let mut seen = HashSet::new();
    let words = Meaning::words(text).filter(|word| seen.insert(word.clone())).take(MOST_WORDS);
    words.filter_map(Meaning::of).collect()
}
