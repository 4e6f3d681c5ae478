//! Words: BM25 over name, description and body, over all shelves at once.

use super::question::Question;
use super::shelf::Shelf;
use crate::Result;
use loci_store::record::Record;
use std::sync::Arc;

/// How much more a word says in the name and the description than in the body.
const WEIGHTS: [f64; 3] = [3.0, 2.0, 1.0];
/// How soon another occurrence stops to count.
const K1: f64 = 1.0;
/// How much a long field is held against a document.
const B: [f64; 3] = [0.3, 0.4, 0.5];

/// What the words of a question say of one document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lexical {
    /// For each field, which terms it has, a bit a term: a question has no more terms than that.
    matched: [u64; 3],
    /// BM25.
    pub score: f64,
    /// The weight of the terms it has, of the weight of all terms: by how rare they are here, and how much they narrow
    /// down what is meant anywhere.
    pub coverage: f64,
    /// True when it has the whole question, word after word.
    pub phrase: bool,
}

impl Lexical {
    /// How many terms it has.
    pub fn count(&self) -> u32 {
        (self.matched[0] | self.matched[1] | self.matched[2]).count_ones()
    }

    /// In which fields it has a term.
    pub fn fields(&self, term: usize) -> [bool; 3] {
        self.matched.map(|terms| terms >> term & 1 == 1)
    }

    /// True when it has a term.
    pub fn has(&self, term: usize) -> bool {
        self.fields(term).contains(&true)
    }
}

/// What the words say of all documents.
pub(super) struct Words {
    /// For each shelf, for each document.
    pub documents: Vec<Vec<Lexical>>,
    /// What each term is worth.
    pub weights: Vec<f64>,
}

/// Documents that are thought to be there and to have none of the words: in a memory of three documents a word that
/// one of them has is still a rare word.
const UNSEEN: f64 = 32.0;

/// A pair of CJK characters that no document has is as often a seam between two words as a word.
const SEAM: f64 = 0.3;

/// Signs of Chinese, Japanese and Korean that hold a sentence together: a pair with one of them says little.
pub(super) const GRAMMAR: &str = "的了是在要和吗呢个这那有不就都也很几什么怎哪谁多少会可以为把被到从给对上下请我你他她它们吧啊得地着过没\
    はがをにでとのもへやかねよまですたてしいるれさんこそあどう\
    은는이가을를의에로와과도만요까서고며면지니다나라들게세해하";

/// Words with such a sign that are words for things all the same.
const THINGS: &str = "会议 会議 开会 開会 例会 周会 晨会 早会 年会 大会 宴会 聚会 会员 会員 会计 会計 会社 会场 会場 上线 上传 上海 \
    下载 地址 地点 地图 地区 地方 对象 过敏 过期 过程 到期 到达";

/// True for a sign of the languages whose words are looked for as pairs of signs.
pub(super) fn is_paired(sign: char) -> bool {
    matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// How much of its weight a term keeps: words all, pairs of signs by what they are.
fn says(term: &str, df: f64) -> f64 {
    if !term.chars().all(is_paired) {
        return 1.0;
    }
    let small = term.chars().any(|c| GRAMMAR.contains(c)) && !THINGS.split_whitespace().any(|thing| thing == term);
    let grammar = if small { SEAM } else { 1.0 };
    if df == 0.0 { grammar * SEAM } else { grammar }
}

/// Scores every document that has at least one term.
pub(super) async fn score(record: &dyn Record, shelves: &[Arc<Shelf>], question: &Question) -> Result<Words> {
    let mut found = Vec::with_capacity(shelves.len());
    for shelf in shelves {
        found.push(shelf.postings(record, &question.terms).await?);
    }
    let total = shelves.iter().map(|shelf| shelf.documents.len()).sum::<usize>() as f64 + UNSEEN;
    let mut frequency = vec![0.0_f64; question.terms.len()];
    for (term, postings) in found.iter().flat_map(|terms| terms.iter().enumerate()) {
        frequency[term] += postings.len() as f64;
    }
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
    let weights: Vec<f64> = (0..idf.len())
        .map(|term| {
            let spare = frequency[term] == 0.0 && question.wholes.contains(&term);
            if spare { 0.0 } else { idf[term] * question.narrows[term] }
        })
        .collect();
    let weight: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let average = averages(shelves);
    let mut scores: Vec<Vec<Lexical>> =
        shelves.iter().map(|shelf| vec![Lexical::default(); shelf.documents.len()]).collect();
    for ((shelf, scores), terms) in shelves.iter().zip(&mut scores).zip(&found) {
        for (term, postings) in terms.iter().enumerate() {
            for posting in postings.iter() {
                let lengths = &shelf.lengths[posting.document as usize];
                let mut strength = 0.0;
                for field in (0..3).filter(|field| posting.times[*field] > 0) {
                    let length = f64::from(lengths[field]) / average[field];
                    strength += WEIGHTS[field] * f64::from(posting.times[field]) / (1.0 - B[field] + B[field] * length);
                }
                let lexical = &mut scores[posting.document as usize];
                lexical.score += idf[term] * strength / (K1 + strength);
                lexical.coverage += weights[term] / weight;
                for (terms, times) in lexical.matched.iter_mut().zip(posting.times) {
                    *terms |= u64::from(times > 0) << term;
                }
            }
        }
    }
    let mut words = Words { documents: scores, weights };
    words.find_phrase(record, shelves, question).await?;
    Ok(words)
}

/// Tokens of a question that may be a phrase. Small words alone are one only when there are more of them.
const PHRASE: std::ops::RangeInclusive<usize> = 3..=32;
const SMALL_WORDS: usize = 5;

impl Words {
    /// Marks the documents that have the question word for word, when that tells documents apart.
    async fn find_phrase(&mut self, record: &dyn Record, shelves: &[Arc<Shelf>], question: &Question) -> Result<()> {
        let tokens = &question.tokens;
        let least = if question.terms.is_empty() { SMALL_WORDS } else { *PHRASE.start() };
        let have_all = self.documents.iter().flatten().filter(|lexical| lexical.coverage > 0.999).take(2).count();
        let ties = have_all == 2 || question.terms.is_empty();
        if !ties || !(least..=*PHRASE.end()).contains(&tokens.len()) {
            return Ok(());
        }
        for (shelf, documents) in shelves.iter().zip(&mut self.documents) {
            for number in record.phrase(&shelf.place, tokens).await? {
                if let Some(document) = shelf.position(number) {
                    documents[document].phrase = true;
                }
            }
        }
        Ok(())
    }
}

fn averages(shelves: &[Arc<Shelf>]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    let mut count = 0.0;
    for shelf in shelves {
        count += shelf.documents.len() as f64;
        sums.iter_mut().zip(shelf.words).for_each(|(sum, words)| *sum += words);
    }
    sums.map(|sum: f64| (sum / f64::max(count, 1.0)).max(1.0))
}
