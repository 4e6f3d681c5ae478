//! Small talk: what is said to an agent all day and asks memory nothing, such as `yes, go on` and `再来一次`.
//!
//! `small_talk.txt` has the words for it, three lines of English and one for each other language. They say nothing only
//! among themselves: in `start the server` the first word is as good as any other. English has words that say nothing even
//! alone (`continue`), things that somebody may ask for (`error codes`), and words that say nothing among others (`show me`).

use super::fillers::is_filler;
use super::lexical::{GRAMMAR, is_paired};
use loci_domain::words;
use std::collections::HashSet;
use std::sync::OnceLock;

static TEXT: &str = include_str!("small_talk.txt");

/// The longest piece of talk in a language without spaces, in signs.
const LONGEST: usize = 10;

/// Words that join topics, and take none of what they ask.
const JOINTS: [&str; 8] = ["the", "a", "an", "of", "for", "in", "on", "and"];

/// What small talk is made of.
struct Talk {
    /// As stems; also those below.
    words: HashSet<String>,
    /// What may be asked for: a text of these alone is a question.
    topics: HashSet<String>,
    /// What says nothing among others, and alone is what somebody looks for.
    among: HashSet<String>,
    /// Of languages without spaces, as they are written.
    pieces: HashSet<&'static str>,
}

fn talk() -> &'static Talk {
    static TALK: OnceLock<Talk> = OnceLock::new();
    TALK.get_or_init(|| {
        let is_piece = |word: &&str| word.chars().all(is_paired);
        let pieces = TEXT.split_whitespace().filter(is_piece).collect();
        let spaced = TEXT.split_whitespace().filter(|word| !is_piece(word));
        let line = |number: usize| TEXT.lines().nth(number).into_iter().flat_map(words::tokens).collect();
        Talk { words: spaced.flat_map(words::tokens).collect(), topics: line(1), among: line(2), pieces }
    })
}

/// True when a text with these tokens is nothing but small talk.
pub(super) fn is_small_talk(text: &str, tokens: &[String]) -> bool {
    let talk = talk();
    // One of several things that were offered: `b`, `option 12`.
    let little = |token: &String| token.len() == 1 || (token.len() == 2 && token.bytes().all(|b| b.is_ascii_digit()));
    let says_nothing = |token: &String| is_filler(token) || little(token) || talk.words.contains(token);
    let a_topic = |token: &String| talk.topics.contains(token);
    let asks = match tokens {
        [only] => a_topic(only) || talk.among.contains(only),
        many => many.iter().all(|token| a_topic(token) || JOINTS.contains(&&**token)),
    };
    let mut spaced = tokens.iter().filter(|token| !token.chars().all(is_paired));
    let runs = || text.split(|sign: char| !is_paired(sign)).filter(|run| !run.is_empty());
    !tokens.is_empty() && !asks && spaced.all(says_nothing) && runs().all(|run| is_talk(talk, run))
}

/// True when a run of signs falls apart into pieces of talk and signs that only hold a sentence together.
fn is_talk(talk: &Talk, run: &str) -> bool {
    let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    // Which beginnings fall apart so, the empty one first.
    let mut falls = vec![false; ends.len()];
    falls[0] = true;
    for end in 1..ends.len() {
        falls[end] = (end.saturating_sub(LONGEST)..end).filter(|start| falls[*start]).any(|start| {
            let piece = &run[ends[start]..ends[end]];
            talk.pieces.contains(piece) || (end - start == 1 && GRAMMAR.contains(piece))
        });
    }
    falls[ends.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::is_small_talk;
    use loci_domain::words;

    fn says_nothing(text: &str) -> bool {
        is_small_talk(text, &words::tokens(text))
    }

    #[test]
    fn small_talk_says_nothing() {
        for text in [
            "yes",
            "Are you sure?",
            "it doesn't work",
            "option 2",
            "再来一次",
            "もう一度お願いします",
            "다시 해 주세요",
        ] {
            assert!(says_nothing(text), "{text}");
        }
    }

    #[test]
    fn a_word_that_says_something_is_enough() {
        for text in [
            "error codes",
            "the code",
            "update",
            "morning",
            "line numbers?",
            "start the server",
            "deploy?",
            "db",
            "commit style",
            "部署一下",
            "デプロイして",
            "배포 해줘",
            "",
        ] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}
