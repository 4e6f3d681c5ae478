//! Words and meaning together, and the floor below which nothing is worth showing.

use super::lexical::{Lexical, Words};
use super::question::Question;
use super::semantic::Semantic;
use super::shelf::Shelf;
use loci_domain::document::Kind;
use std::sync::Arc;

/// A document that passed the floor.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub shelf: usize,
    pub document: usize,
    pub score: f64,
    pub lexical: Lexical,
    pub semantic: Semantic,
}

impl Ranked {
    /// A document that no ranker spoke for.
    pub fn unranked(shelf: usize, document: usize) -> Ranked {
        let (lexical, semantic) = (Lexical::default(), Semantic::default());
        Ranked { shelf, document, score: 0.0, lexical, semantic }
    }
}

/// How many documents are looked at word by word: by words, by meaning and by related words each.
const CLOSER: usize = 24;
/// So many documents are all looked at.
const FEW: usize = 200;

/// The best few of many: more are gathered than are wanted, and now and then the rest is let go.
struct Best {
    found: Vec<(f64, (usize, usize))>,
    least: f64,
}

impl Best {
    /// Takes part when it is better than those that are enough already; of equal ones the first.
    fn offer(&mut self, value: f64, place: (usize, usize)) {
        if value > self.least {
            self.found.push((value, place));
            if self.found.len() == 4 * CLOSER {
                self.cut();
            }
        }
    }

    fn cut(&mut self) {
        if self.found.len() > CLOSER {
            let (_, next, _) =
                self.found.select_nth_unstable_by(CLOSER - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            self.least = next.0;
            self.found.truncate(CLOSER);
        }
    }
}

/// The documents that words, meaning or related words bring to the front.
pub(super) fn shortlist(words: &Words, semantic: &[Vec<Semantic>]) -> Vec<(usize, usize)> {
    let places = |at: usize| (0..semantic[at].len()).map(move |document| (at, document));
    if semantic.iter().map(Vec::len).sum::<usize>() <= FEW {
        return (0..semantic.len()).flat_map(places).collect();
    }
    let mut best = [(); 3].map(|()| Best { found: Vec::with_capacity(4 * CLOSER), least: 0.0 });
    for (at, (lexical, semantic)) in words.documents.iter().zip(semantic).enumerate() {
        for (document, (lexical, semantic)) in lexical.iter().zip(semantic).enumerate() {
            let values = [lexical.score, semantic.similarity, semantic.kin];
            best.iter_mut().zip(values).for_each(|(best, value)| best.offer(value, (at, document)));
        }
    }
    best.iter_mut().for_each(Best::cut);
    let mut places: Vec<(usize, usize)> = best.iter().flat_map(|best| best.found.iter().map(|found| found.1)).collect();
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
) -> Vec<Ranked> {
    let best = words.documents.iter().flatten().map(|lexical| lexical.score).fold(f64::MIN_POSITIVE, f64::max);
    let mut ranked = Vec::new();
    for (at, shelf) in shelves.iter().enumerate() {
        for (document, searched) in shelf.documents.iter().enumerate() {
            let (lexical, semantic) = (words.documents[at][document], semantic[at][document]);
            let aligned = semantic.aligned;
            if !fits(&lexical, &semantic) {
                continue;
            }
            let said = lexical.coverage.min(1.0) * (0.6 + 0.4 * lexical.score / best);
            let score =
                0.7 * said + 0.2 * aligned.max(semantic.stronger) + keyword_bonus(&lexical, searched.kind, question);
            let score = if lexical.phrase { VERBATIM + (1.0 - VERBATIM) * score.min(1.0) } else { score };
            let semantic = Semantic { similarity: aligned, ..semantic };
            ranked.push(Ranked { shelf: at, document, score: score.min(1.0), lexical, semantic });
        }
    }
    let path = |ranked: &Ranked| (shelves[ranked.shelf].scope, &shelves[ranked.shelf].documents[ranked.document].path);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| path(a).cmp(&path(b))));
    ranked
}

/// The floor: enough of the question's weight stands in the document, or its words have near counterparts there.
///
/// Set on the tuning half of `crates/memory/eval` so that questions which nothing answers get nothing.
fn fits(lexical: &Lexical, semantic: &Semantic) -> bool {
    let enough = match lexical.count() {
        0 => f64::INFINITY,
        1 => ALONE,
        2 => TWO,
        3..6 => SEVERAL,
        _ => MANY,
    };
    lexical.coverage >= enough || semantic.aligned >= NEAR || semantic.stronger >= SURE || lexical.phrase
}

/// What a document that has the question word for word gets at least.
const VERBATIM: f64 = 0.9;

/// One word of two will do when no other document has it.
const ALONE: f64 = 0.499;
const TWO: f64 = 0.50;
const SEVERAL: f64 = 0.36;
/// A long prompt says much besides what it asks.
const MANY: f64 = 0.27;
const NEAR: f64 = 0.66;
/// So far from the typical document is only what a stronger embedder takes for an answer.
const SURE: f64 = 0.6;

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
