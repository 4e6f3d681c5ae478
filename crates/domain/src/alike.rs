//! When two memories say the same.
//!
//! Owns the one measure that remembering, extracting, dreaming and forgetting share, so that none of them
//! calls a copy what another calls new. Pure and without a model; meaning is not its business, words are.

use crate::words;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// From here on two summaries are near-duplicates.
pub const NEAR: f64 = 0.8;

/// A summary without what does not matter: case, width, punctuation, spacing. Equal ones are duplicates.
pub fn normalised(summary: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let folded: String = summary.nfkc().flat_map(char::to_lowercase).collect();
    let spaced: String = folded.chars().map(|sign| if sign.is_alphanumeric() { sign } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How alike two texts are by their words: 1 = the same ones, 0 = none in common.
///
/// Numbers and negations decide: texts that differ in one of them are never near.
pub fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (Bag::of(one), Bag::of(other));
    let all = one.terms.union(&other.terms).count();
    if all == 0 {
        return 0.0;
    }
    let shared = one.terms.intersection(&other.terms).count() as f64 / all as f64;
    if one.decisive == other.decisive { shared } else { shared.min(NEAR / 2.0) }
}

/// Words that a fact is the same without. Negations are none of them.
const HOLLOW: &str = "a an the this that our my your their we i you they it us is are be was were to of in on at for and \
always please do does will should must have has";

/// The words of a text that matter, stemmed.
pub fn telling(text: &str) -> BTreeSet<String> {
    static STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| words::tokens(HOLLOW).into_iter().collect());
    words::tokens(text).into_iter().filter(|word| !STEMS.contains(word)).collect()
}

/// What share of the words that matter two texts about one thing have in common at the least.
const ABOUT: f64 = 0.25;

/// True when two texts may be about one thing: enough of the words of the shorter one are in the other.
pub fn is_about(one: &str, other: &str) -> bool {
    let (one, other) = (telling(one), telling(other));
    let least = one.len().min(other.len()).max(1);
    one.intersection(&other).count() as f64 / least as f64 >= ABOUT
}

/// Words that say what holds of something: a number behind one of them is a value, one before them a name.
const VALUES: &str = "is are has have use uses need needs take takes cost costs start starts end ends begin begins run \
runs listen listens expire expires keep keeps last lasts meet meets deploy deploys ship ships prefer want allow allows \
require requires must should may due";

/// True when the second text is the first one with another value: the same words in the same order, except for numbers
/// that tell what holds. A number that names the thing itself (`Sprint 12 ends …`) makes it another thing.
pub fn corrects(old: &str, new: &str) -> bool {
    let (old, new) = (Figures::of(old), Figures::of(new));
    let value = |at: usize| old.words[..at].iter().any(|word| VALUES.split(' ').any(|verb| verb == word));
    let differ = || old.values.iter().zip(&new.values).filter(|(one, other)| one != other);
    old.words.len() > 2
        && old.words == new.words
        && !old.words.iter().any(|word| NEGATIONS.contains(&word.as_str()))
        && differ().count() > 0
        && differ().all(|((at, _), _)| value(*at))
}

/// A text with its numbers taken out.
struct Figures {
    words: Vec<String>,
    /// Where each number stood, and what it was.
    values: Vec<(usize, String)>,
}

impl Figures {
    fn of(text: &str) -> Figures {
        let mut figures = Figures { words: Vec::new(), values: Vec::new() };
        let mut last = false;
        for word in normalised(text).split_whitespace() {
            let number = word.chars().any(char::is_numeric);
            match figures.values.last_mut() {
                // 9:30 is one value.
                Some((_, value)) if number && last => value.push_str(&format!(" {word}")),
                _ if number => {
                    figures.values.push((figures.words.len(), word.to_owned()));
                    figures.words.push("#".to_owned());
                }
                _ => figures.words.push(word.to_owned()),
            }
            last = number;
        }
        figures
    }
}

struct Bag {
    terms: BTreeSet<String>,
    decisive: BTreeSet<String>,
}

const NEGATIONS: [&str; 12] =
    ["not", "no", "never", "don", "dont", "doesn", "without", "avoid", "stop", "isn", "won", "cannot"];

impl Bag {
    fn of(text: &str) -> Bag {
        let plain = normalised(text);
        let decides = |word: &&str| NEGATIONS.contains(word) || word.chars().any(|sign| sign.is_numeric());
        let decisive = plain.split(' ').filter(decides).map(str::to_owned).collect();
        Bag { terms: words::tokens(text).into_iter().collect(), decisive }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_punctuation_do_not_matter() {
        assert_eq!(normalised("Use **tabs**, not spaces!"), normalised("use tabs not  spaces"));
        assert_eq!(normalised("ＡＢＣ—１"), "abc 1");
    }

    #[test]
    fn a_number_or_a_negation_makes_a_difference() {
        assert!(likeness("The port is 8080", "the port is 8080.") > NEAR);
        assert!(likeness("The port of the staging server is 8080", "The port of the staging server is 8081") < NEAR);
        assert!(likeness("Always squash commits before merging", "Never squash commits before merging") < NEAR);
        assert_eq!(likeness("", ""), 0.0);
    }

    #[test]
    fn texts_about_one_thing_share_words_that_matter() {
        for (one, other) in [
            ("The staging port is 8080", "Staging moved to port 9090"),
            ("Uses npm for all projects", "I switched from npm to pnpm"),
        ] {
            assert!(is_about(one, other), "{one}");
        }
        for (one, other) in [
            ("The staging database runs on PostgreSQL 16 at port 5433", "I prefer pnpm over npm in every project"),
            ("We have a cat and the dog", "I have a car and the keys"),
            ("", "The port is 80"),
        ] {
            assert!(!is_about(one, other), "{one}");
        }
    }

    #[test]
    fn another_value_corrects_and_another_name_does_not() {
        for (old, new) in [
            ("The staging port is 8080", "The staging port is 8081."),
            ("Standup starts at 9:30 in the blue room", "Standup starts at 10 in the blue room"),
            ("The release deadline is 14 November 2026", "The release deadline is 21 November 2026"),
            ("I prefer pull requests with fewer than 300 lines", "I prefer pull requests with fewer than 400 lines"),
            ("We use Node v18", "We use Node v20"),
        ] {
            assert!(corrects(old, new), "{old}");
        }
        for (old, new) in [
            ("Sprint 12 ends on Friday", "Sprint 13 ends on Friday"),
            ("The pump in hall 1 is red", "The pump in hall 2 is red"),
            ("Never use port 80", "Never use port 443"),
            ("Queue fact 1", "Queue fact 2"),
            ("The port is 80", "The port is 80"),
            ("The port is 80", "The host is 81"),
        ] {
            assert!(!corrects(old, new), "{old}");
        }
    }
}
