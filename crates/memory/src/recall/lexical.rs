//! Words: BM25 over name, description and body, over all shelves at once.

use super::question::Question;
use super::shelf::Shelf;
use crate::Result;
use loci_store::record::Record;
use std::collections::HashMap;
use std::sync::Arc;

/// How much more a word says in the name and the description than in the body.
const WEIGHTS: [f64; 3] = [3.0, 2.0, 1.0];
/// How soon another occurrence stops to count.
const K1: f64 = 1.0;
/// How much a long field is held against a document.
const B: [f64; 3] = [0.3, 0.4, 0.5];

/// What the words of a question say of one document.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexical {
    /// Which terms it has, by position, and in which fields.
    pub matched: Vec<(usize, [bool; 3])>,
    /// BM25.
    pub score: f64,
    /// The weight of the terms it has, of the weight of all terms.
    pub coverage: f64,
}

/// What the words say of all documents.
pub(super) struct Words {
    /// Every document that has at least one term, by (shelf, document).
    pub documents: HashMap<(usize, usize), Lexical>,
    /// What each term is worth.
    pub weights: Vec<f64>,
}

/// Documents that are thought to be there and to have none of the words: in a memory of three documents a word that
/// one of them has is still a rare word.
const UNSEEN: f64 = 32.0;

/// A pair of CJK characters that no document has is as often a seam between two words as a word.
const SEAM: f64 = 0.3;

/// Signs of Chinese, Japanese and Korean that hold a sentence together: a pair with one of them says little.
const GRAMMAR: &str = "的了是在要和吗呢个这那有不就都也很几什么怎哪谁多少会可以为把被到从给对上下请我你他她它们吧啊得地着过没\
    はがをにでとのもへやかねよまですたてしいるれさんこそあどう\
    은는이가을를의에로와과도만요까서고며면지니다나라들게세해하";

/// How much of its weight a term keeps: words all, pairs of signs by what they are.
fn says(term: &str, df: f64) -> f64 {
    let paired = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    if !term.chars().all(paired) {
        return 1.0;
    }
    let grammar = if term.chars().any(|c| GRAMMAR.contains(c)) { SEAM } else { 1.0 };
    if df == 0.0 { grammar * SEAM } else { grammar }
}

/// Scores every document that has at least one term.
pub(super) async fn score(record: &dyn Record, shelves: &[Arc<Shelf>], question: &Question) -> Result<Words> {
    let mut found = Vec::new();
    for (at, shelf) in shelves.iter().enumerate() {
        for posting in record.postings(&shelf.place, &question.terms).await? {
            if let Some(document) = shelf.position(posting.number) {
                found.push((usize::from(posting.term), (at, document), posting.times));
            }
        }
    }
    let total = shelves.iter().map(|shelf| shelf.documents.len()).sum::<usize>() as f64 + UNSEEN;
    let mut frequency = vec![0.0_f64; question.terms.len()];
    found.iter().for_each(|(term, ..)| frequency[*term] += 1.0);
    let idf: Vec<f64> = frequency
        .iter()
        .zip(&question.terms)
        .map(|(df, term)| {
            // A word that nobody has weighs no more than one that a single document has.
            let seen = df.max(1.0);
            let idf = (1.0 + (total - seen + 0.5) / (seen + 0.5)).ln();
            idf * says(term, *df)
        })
        .collect();
    let weight: f64 = idf.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let average = averages(shelves);
    let mut scores: HashMap<(usize, usize), Lexical> = HashMap::new();
    for (term, place, times) in found {
        let words = shelves[place.0].documents[place.1].words;
        let strength: f64 = (0..3)
            .map(|field| {
                let length = f64::from(words[field]) / average[field];
                WEIGHTS[field] * f64::from(times[field]) / (1.0 - B[field] + B[field] * length)
            })
            .sum();
        let lexical = scores.entry(place).or_default();
        lexical.score += idf[term] * strength / (K1 + strength);
        lexical.coverage += idf[term] / weight;
        lexical.matched.push((term, times.map(|times| times > 0)));
    }
    Ok(Words { documents: scores, weights: idf })
}

fn averages(shelves: &[Arc<Shelf>]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    let mut count = 0.0;
    for document in shelves.iter().flat_map(|shelf| &shelf.documents) {
        count += 1.0;
        for (sum, words) in sums.iter_mut().zip(document.words) {
            *sum += f64::from(words);
        }
    }
    sums.map(|sum: f64| (sum / f64::max(count, 1.0)).max(1.0))
}
