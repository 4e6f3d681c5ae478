//! Words and meaning together, and the floor below which nothing is worth showing.

use super::lexical::{Lexical, Words};
use super::question::Question;
use super::semantic::Semantic;
use super::shelf::Shelf;
use loci_domain::document::Kind;
use std::collections::HashMap;
use std::sync::Arc;

/// A document that passed the floor.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub shelf: usize,
    pub document: usize,
    pub score: f64,
    pub lexical: Lexical,
    pub semantic: Semantic,
    pub entry: Option<usize>,
}

impl Ranked {
    /// A document that no ranker spoke for.
    pub fn unranked(shelf: usize, document: usize) -> Ranked {
        let (lexical, semantic) = (Lexical::default(), Semantic::default());
        Ranked { shelf, document, score: 0.0, lexical, semantic, entry: None }
    }
}

/// How many documents are looked at word by word: by words, by meaning and by related words each.
const CLOSER: usize = 24;
/// So many documents are all looked at.
const FEW: usize = 200;

/// The documents that words, meaning or related words bring to the front.
pub(super) fn shortlist(words: &Words, semantic: &[Vec<Semantic>]) -> Vec<(usize, usize)> {
    let places = |at: usize| (0..semantic[at].len()).map(move |document| (at, document));
    let mut places: Vec<(usize, usize)> = (0..semantic.len()).flat_map(places).collect();
    if places.len() <= FEW {
        return places;
    }
    let by = |value: &dyn Fn((usize, usize)) -> f64| -> Vec<(f64, (usize, usize))> {
        places.iter().map(|place| (value(*place), *place)).filter(|(value, _)| *value > 0.0).collect()
    };
    let by_words = by(&|(at, document)| words.documents[at][document].score);
    let by_meaning = by(&|(at, document)| semantic[at][document].similarity);
    let by_kin = by(&|(at, document)| semantic[at][document].kin);
    places.clear();
    for mut ranked in [by_words, by_meaning, by_kin] {
        let best = |a: &(f64, (usize, usize)), b: &(f64, (usize, usize))| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if ranked.len() > CLOSER {
            ranked.select_nth_unstable_by(CLOSER, best);
        }
        places.extend(ranked.iter().take(CLOSER).map(|(_, place)| *place));
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Every document that fits, best first; ties by path.
pub(super) fn merge(
    shelves: &[Arc<Shelf>],
    question: &Question,
    words: &Words,
    semantic: &[Vec<Semantic>],
    aligned: &HashMap<(usize, usize), f64>,
) -> Vec<Ranked> {
    let best = words.documents.iter().flatten().map(|lexical| lexical.score).fold(f64::MIN_POSITIVE, f64::max);
    let mut ranked = Vec::new();
    for (at, shelf) in shelves.iter().enumerate() {
        for (document, searched) in shelf.documents.iter().enumerate() {
            let lexical = words.documents[at][document];
            let aligned = aligned.get(&(at, document)).copied().unwrap_or_default();
            if !fits(&lexical, aligned) {
                continue;
            }
            let said = lexical.coverage.min(1.0) * (0.6 + 0.4 * lexical.score / best);
            let score = 0.7 * said + 0.2 * aligned + keyword_bonus(&lexical, searched.card.kind, question);
            let score = if lexical.phrase { VERBATIM + (1.0 - VERBATIM) * score.min(1.0) } else { score };
            let semantic = Semantic { similarity: aligned, ..semantic[at][document] };
            let entry = semantic.entry;
            ranked.push(Ranked { shelf: at, document, score: score.min(1.0), lexical, semantic, entry });
        }
    }
    let path = |ranked: &Ranked| shelves[ranked.shelf].virtual_path(ranked.document);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| path(a).cmp(&path(b))));
    ranked
}

/// The floor: enough of the question's weight stands in the document, or its words have near counterparts there.
///
/// Set on the tuning half of `crates/memory/eval` so that questions which nothing answers get nothing.
fn fits(lexical: &Lexical, aligned: f64) -> bool {
    let enough = match lexical.count() {
        0 => f64::INFINITY,
        1 => ALONE,
        2 => TWO,
        _ => SEVERAL,
    };
    lexical.coverage >= enough || aligned >= NEAR || lexical.phrase
}

/// What a document that has the question word for word gets at least.
const VERBATIM: f64 = 0.9;

/// One word of two will do when no other document has it.
const ALONE: f64 = 0.499;
const TWO: f64 = 0.50;
const SEVERAL: f64 = 0.36;
const NEAR: f64 = 0.62;

/// A word for a kind of memory helps, but only a document that the other words already found.
fn keyword_bonus(words: &Lexical, kind: Kind, question: &Question) -> f64 {
    // As stems, since that is how the question's terms come.
    let keywords: &[&str] = match kind {
        Kind::User => &["user", "prefer", "background", "role", "ters"],
        Kind::Feedback => &["feedback", "rule", "avoid", "style", "summari"],
        Kind::Project => &["project", "goal", "incid", "deadlin", "releas"],
        Kind::Reference => &["refer", "dashboard", "ticket", "doc", "link"],
    };
    let named = question.terms.iter().any(|term| keywords.contains(&term.as_str()));
    if named && words.count() > 0 { 0.03 } else { 0.0 }
}
