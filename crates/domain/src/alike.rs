//! When two memories say the same.
//!
//! Owns the one measure that remembering, extracting, dreaming and forgetting share, so that none of them
//! calls a copy what another calls new. Pure and without a model; meaning is not its business, words are.

use crate::words;
use std::collections::BTreeSet;

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
}
