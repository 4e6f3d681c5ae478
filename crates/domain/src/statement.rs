//! What a person said for good: explicit statements in their own messages.
//!
//! Owns which sentences count ("remember that …", "I prefer …", "always …", "we decided …", "the dashboard is at …"),
//! and which never do: questions, quotes, code, logs, hypotheses, jokes, and what is meant for the task at hand.
//! Never guesses: what is not said in so many words is left for a model. Wrong memories cost more than missed ones.
//! Start at [`statements`]; [`filter`] holds the rules that also bind what a model proposes.

pub mod filter;
mod local;
mod opener;
mod prose;

pub use prose::{injected, without_injected};

use crate::document::Kind;
use opener::Opener;

/// One durable fact, as somebody said it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What kind of fact its form tells; `None` = only its content can.
    pub kind: Option<Kind>,
    /// One sentence, without "remember that" and a full stop.
    pub summary: String,
    /// The reason that came with it.
    pub why: Option<String>,
    /// When it applies, if that was said.
    pub how: Option<String>,
}

/// The longest sentence that is taken for a statement, in characters; what is longer was pasted.
const LONGEST: usize = 400;

/// The statements of one message of a person, in order; each passes [`filter::check`].
pub fn statements(message: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    for paragraph in prose::paragraphs(message) {
        // Only a statement of the same paragraph can be explained by what follows.
        let mut open = None;
        for sentence in &paragraph {
            if local::takes_back(sentence) {
                found.clear();
                open = None;
                continue;
            }
            if let Some(at) = open
                && explain(&mut found[at], sentence)
            {
                continue;
            }
            open = read(sentence).map(|statement| {
                found.push(statement);
                found.len() - 1
            });
        }
    }
    found
}

/// A text without "please remember that" and its like at its start, which only ask.
pub fn requested(text: &str) -> String {
    opener::requested(text).map_or_else(|| text.to_owned(), capitalised)
}

/// How many sentences a text has, those that only explain another not counted.
pub fn sentences(text: &str) -> usize {
    let sentences = prose::paragraphs(text).into_iter().flatten();
    sentences.filter(|sentence| opener::field(sentence).is_none()).count()
}

/// One sentence, if it is a statement.
fn read(sentence: &str) -> Option<Statement> {
    if sentence.chars().nth(LONGEST).is_some() || local::is_in_jest(sentence) {
        return None;
    }
    let Opener { kind, said, asked } = opener::of(sentence)?;
    let near = if asked { local::is_before_their_eyes(&said) } else { local::is_of_the_task(&said) };
    if near {
        return None;
    }
    let (summary, why) = match opener::because(&said) {
        Some((said, why)) => (said, Some(ended(why))),
        None => (said.as_str(), None),
    };
    let (summary, how) = match opener::beyond_address(summary).filter(|_| kind == Some(Kind::Reference)) {
        Some((place, rest)) => (place, Some(capitalised(&ended(rest)))),
        None => (summary, None),
    };
    let summary = capitalised(&ended(summary));
    filter::check(&summary).ok()?;
    Some(Statement { kind, summary, why, how })
}

/// Takes in a sentence that gives the reason or the use of the statement before it.
fn explain(statement: &mut Statement, sentence: &str) -> bool {
    let (field, said) = match opener::field(sentence) {
        Some((opener::Field::Why, said)) => (&mut statement.why, said),
        Some((opener::Field::How, said)) => (&mut statement.how, said),
        None => return false,
    };
    field.get_or_insert_with(|| ended(said));
    true
}

/// Without white space around it and a full stop behind it.
fn ended(text: &str) -> String {
    text.trim().trim_end_matches(['.', '。', ';', ',', '!', '！', ' ']).to_owned()
}

fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        // A word with capitals or signs in it (`iPhone`, `pnpm-lock`) is spelled as its owner wants it.
        Some(first)
            if first.is_lowercase()
                && text.split(' ').next().is_some_and(|word| word.chars().all(char::is_lowercase)) =>
        {
            first.to_uppercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
