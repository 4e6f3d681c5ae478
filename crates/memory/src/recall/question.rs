//! A question, cut once: its terms for the words, its vector for the meaning.

use super::fillers::{is_filler, is_foreign};
use super::meaning::Meaning;
use loci_domain::words;
use loci_llm::embedders::static_minilm::StaticMinilm;

/// Terms that are looked up at most; a pasted page is no better question than its beginning.
const MOST_TERMS: usize = 48;
/// Bytes of the question that are looked at.
const LONGEST: usize = 8 << 10;

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
    /// Terms that are written as names.
    pub names: Vec<usize>,
    /// True for another language than the embedder's, as far as its small words tell.
    pub foreign: bool,
}

impl Question {
    pub fn new(text: &str) -> Question {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text[..end].trim().to_owned();
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
        tokens.truncate(MOST_TERMS);
        let words = known_words(&text, &terms);
        let content: Vec<&str> = words.iter().map(|(_, meaning)| meaning.word.as_str()).collect();
        let vector = StaticMinilm::default().quantised(&content.join(" "));
        Question { vector, words, names: names(&text, &terms), foreign: is_foreign(&text), text, terms, tokens }
    }

    /// True when there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Words with a capital that do not begin a sentence.
fn names(text: &str, terms: &[String]) -> Vec<usize> {
    let mut names = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = letters.starts_with(char::is_uppercase) && letters.chars().any(char::is_lowercase);
        if let ([token], true, false) = (words::tokens(letters).as_slice(), capital, begins) {
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
    fn long_questions_are_bounded() {
        let question = Question::new(&"wörd números 日本語 ".repeat(10_000));
        assert!(question.terms.len() <= MOST_TERMS && question.text.len() <= LONGEST);
        let many: String = (0..1000).map(|n| format!("term{n} ")).collect();
        assert_eq!(Question::new(&many).terms.len(), MOST_TERMS);
    }
}
