//! A question, cut once: its terms for the words, its vector for the meaning.

use super::fillers::{is_aspect, is_filler, is_foreign};
use super::meaning::Meaning;
use super::related;
use super::small_talk::is_small_talk;
use loci_domain::words;
use loci_llm::embedders::static_minilm::StaticMinilm;

/// Terms that are looked up at most; a pasted page is no better question than its beginning. A bit a term fits into 64.
const MOST_TERMS: usize = 48;
/// Bytes of the question that are looked at.
const LONGEST: usize = 8 << 10;

/// What a word keeps of its weight that says which side of a thing is asked for, and not which thing.
const ASPECT: f64 = 0.3;

/// A question ready to be ranked.
pub(super) struct Question {
    pub text: String,
    /// Distinct tokens in order, words that say nothing left out.
    pub terms: Vec<String>,
    /// All tokens in order, the first ones of a long text.
    pub tokens: Vec<String>,
    /// The words that the embedder knows, each with the term it stands for.
    pub words: Vec<(usize, Meaning)>,
    pub vector: [i8; 256],
    /// How much each term narrows down what is meant, up to 1: common words and words for an aspect do so less.
    pub narrows: Vec<f64>,
    /// For each stem that has related ones, by number, the terms that it may stand for, a bit a term.
    kin: Vec<u64>,
    /// Terms that are written as names.
    pub names: Vec<usize>,
    /// Terms that are hyphenated words written together: a document that has none of them lacks nothing.
    pub wholes: Vec<usize>,
    /// True for another language than the embedder's, as far as its small words tell.
    pub foreign: bool,
}

impl Question {
    pub fn new(text: &str) -> Question {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // Half a word is another one.
        let whole = text[..end].rsplit_once(char::is_whitespace).filter(|_| end < text.len());
        let text = whole.map_or(&text[..end], |(whole, _)| whole).trim().to_owned();
        let mut terms: Vec<String> = Vec::new();
        let mut tokens = words::tokens(&text);
        for token in &tokens {
            if !terms.contains(token) && !is_filler(token) {
                terms.push(token.clone());
            }
            if terms.len() == MOST_TERMS {
                break;
            }
        }
        if is_small_talk(&text, &tokens) {
            terms.clear();
        }
        tokens.truncate(MOST_TERMS);
        let words = known_words(&text, &terms);
        let content: Vec<&str> = words.iter().map(|(_, meaning)| meaning.word.as_str()).collect();
        let vector = StaticMinilm::default().quantised(&content.join(" "));
        let (names, wholes, foreign) = (names(&text, &terms), wholes(&text, &terms), is_foreign(&text));
        let (narrows, kin) = (narrows(&terms, &words), kin(&terms, &tokens));
        Question { vector, words, narrows, kin, names, wholes, foreign, text, terms, tokens }
    }

    /// The terms that a stem may stand for, a bit a term.
    pub fn kin_of(&self, stem: u16) -> u64 {
        self.kin.get(usize::from(stem)).copied().unwrap_or(0)
    }

    /// True when something is known of what its words mean.
    pub fn means_something(&self) -> bool {
        !self.foreign && (!self.words.is_empty() || !self.kin.is_empty())
    }

    /// True when there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

fn narrows(terms: &[String], words: &[(usize, Meaning)]) -> Vec<f64> {
    // A lone letter or digit is no more; a lone sign of Chinese is a word.
    let little = |term: &String| is_aspect(term) || term.len() == 1;
    let mut narrows: Vec<f64> = terms.iter().map(|term| if little(term) { ASPECT } else { 1.0 }).collect();
    words.iter().for_each(|(term, meaning)| narrows[*term] *= meaning.weight);
    narrows
}

/// What may stand for each term: the words related to it, and to it together with its neighbour. Empty when none does.
fn kin(terms: &[String], tokens: &[String]) -> Vec<u64> {
    let mut kin = Vec::new();
    let mut relate = |head: &str, term: usize| {
        for stem in related::of(head) {
            kin.resize(related::count(), 0);
            kin[usize::from(stem)] |= 1 << term;
        }
    };
    terms.iter().enumerate().for_each(|(at, term)| relate(term, at));
    let content: Vec<&String> = tokens.iter().filter(|token| !is_filler(token)).collect();
    for pair in content.windows(2) {
        let both = format!("{}_{}", pair[0], pair[1]);
        pair.iter().filter_map(|token| terms.iter().position(|term| term == *token)).for_each(|at| relate(&both, at));
    }
    kin
}

/// `third-party` gives its parts and `thirdparty`.
fn wholes(text: &str, terms: &[String]) -> Vec<usize> {
    let hyphenated = text.split_whitespace().filter(|chunk| chunk.contains('-'));
    let whole = |chunk: &str| words::tokens(chunk).pop().filter(|_| words::tokens(chunk).len() > 2);
    hyphenated.filter_map(whole).filter_map(|whole| terms.iter().position(|term| *term == whole)).collect()
}

/// Words with a capital that do not begin a sentence, and acronyms wherever they stand, unless all of it is shouted.
fn names(text: &str, terms: &[String]) -> Vec<usize> {
    let mut names = Vec::new();
    let (mut begins, shouted) = (true, !text.contains(char::is_lowercase));
    for word in text.split_whitespace() {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = letters.starts_with(char::is_uppercase) && letters.contains(char::is_lowercase) && !begins;
        let acronym = (2..=6).contains(&letters.len()) && letters.bytes().all(|letter| letter.is_ascii_uppercase());
        if let ([token], true) = (words::tokens(letters).as_slice(), capital || acronym && !shouted) {
            names.extend(terms.iter().position(|term| term == token));
        }
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    names
}

fn known_words(text: &str, terms: &[String]) -> Vec<(usize, Meaning)> {
    let mut known: Vec<(usize, Meaning)> = Vec::new();
    for word in Meaning::words(text) {
        let [token] = words::tokens(&word).try_into().unwrap_or_default();
        let Some(term) = terms.iter().position(|term: &String| *term == token) else { continue };
        if let Some(meaning) = Meaning::of(word).filter(|_| known.iter().all(|(other, _)| *other != term)) {
            known.push((term, meaning));
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_do_not_count() {
        let question = Question::new("What is the port that we use for the database?");
        assert_eq!(question.terms, ["port", "databas"]);
        assert!(Question::new(" \n ").is_empty());
    }

    #[test]
    fn aspects_and_common_words_narrow_down_less() {
        let question = Question::new("lunch preferences of Xqzvw");
        assert_eq!(question.terms, ["lunch", "prefer", "xqzvw"]);
        assert!(question.narrows[1] <= ASPECT && question.narrows[0] > ASPECT);
        assert!((question.narrows[2] - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn names_have_capitals() {
        let names = |text: &str| {
            let question = Question::new(text);
            question.names.iter().map(|at| question.terms[*at].clone()).collect::<Vec<_>>()
        };
        assert_eq!(names("Which tram does Lidia take to Porto?"), ["lidia", "porto"]);
        assert_eq!(names("KVM error in the emulator, or is it the GPU?"), ["kvm", "gpu"]);
        assert!(names("WHERE IS THE DASHBOARD").is_empty() && names("I like VERYLOUD words").is_empty());
    }

    #[test]
    fn neighbours_are_related_as_one() {
        let alone = Question::new("mother");
        let together = Question::new("what is her mother tongue?");
        let languages = related::number("languag").unwrap();
        assert_eq!((alone.kin_of(languages), together.kin_of(languages)), (0, 0b11));
    }

    #[test]
    fn a_hyphenated_word_is_known_as_such() {
        let question = Question::new("third-party crates");
        assert_eq!(question.terms, ["third", "parti", "thirdparti", "crate"]);
        assert_eq!(question.wholes, [2]);
    }

    #[test]
    fn long_questions_are_bounded() {
        let question = Question::new(&"wörd números 日本語 ".repeat(10_000));
        assert!(question.terms.len() <= MOST_TERMS && question.text.len() <= LONGEST);
        let many: String = (0..1000).map(|n| format!("term{n} ")).collect();
        assert_eq!(Question::new(&many).terms.len(), MOST_TERMS);
    }
}
