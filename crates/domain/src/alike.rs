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
///
/// Signs that make another fact of the same words stay: `C++` is not `C`, nor -5 the same as +5.
pub fn normalised(summary: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let folded: Vec<char> = summary.nfkc().flat_map(char::to_lowercase).collect();
    let mut spaced = String::with_capacity(summary.len());
    for (at, &sign) in folded.iter().enumerate() {
        match weight(&folded, at) {
            Weight::OfWord => spaced.push(sign),
            Weight::OfNumber => spaced.extend([' ', if sign == '−' { '-' } else { sign }]),
            Weight::Alone => spaced.extend([' ', sign, ' ']),
            Weight::Nothing => spaced.push(' '),
        }
    }
    match spaced.split_whitespace().collect::<Vec<_>>().join(" ") {
        // Who writes signs alone means them.
        plain if plain.is_empty() => folded.into_iter().collect::<String>().trim().to_owned(),
        plain => plain,
    }
}

/// What a sign is worth where it stands.
enum Weight {
    /// A part of the word around it.
    OfWord,
    /// The beginning of a number.
    OfNumber,
    /// A word by itself.
    Alone,
    /// It only sets words apart.
    Nothing,
}

fn weight(text: &[char], at: usize) -> Weight {
    let sign = text[at];
    let before = at.checked_sub(1).map(|at| text[at]);
    let begins_number = || {
        text.get(at + 1).is_some_and(|next| next.is_numeric())
            && !before.is_some_and(|it| it.is_alphanumeric() || "+-−".contains(it))
    };
    let begins_line = || text[..at].iter().rev().take_while(|it| **it != '\n').all(|it| " >".contains(*it));
    match sign {
        _ if sign.is_alphanumeric() => Weight::OfWord,
        '+' | '#' if ends_word(text, at) => Weight::OfWord,
        '+' | '-' | '−' if begins_number() => Weight::OfNumber,
        '−' => Weight::Nothing,
        // There it marks a quote.
        '>' if begins_line() => Weight::Nothing,
        '<' | '>' | '=' | '%' | '$' => Weight::Alone,
        _ if is_symbol(sign) => Weight::Alone,
        _ => Weight::Nothing,
    }
}

/// True for the signs of `C++`, `C#` and `2+3`; those of `Ctrl+C` only join words.
fn ends_word(text: &[char], at: usize) -> bool {
    let is_tail = |sign: &&char| matches!(sign, '+' | '#');
    let before = text[..at].iter().rev().find(|sign| !is_tail(sign));
    let behind = text[at..].iter().find(|sign| !is_tail(sign));
    before.is_some_and(|sign| sign.is_alphanumeric()) && !behind.is_some_and(|sign| sign.is_alphabetic())
}

/// True for currencies, arrows, operators, pictures; not for the lines that tables are drawn with.
fn is_symbol(sign: char) -> bool {
    matches!(sign, '¢' | '£' | '¥' | '¬' | '°' | '±' | '×' | '÷'
        | '\u{20A0}'..='\u{20CF}' | '\u{2190}'..='\u{24FF}' | '\u{2580}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// How alike two texts are by their words: 1 = the same ones, 0 = none in common.
///
/// Numbers, signs and negations decide: texts that differ in one of them are never near.
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
        let decides = |word: &&str| NEGATIONS.contains(word) || word.chars().any(|sign| !sign.is_alphabetic());
        let decisive = plain.split(' ').filter(decides).map(str::to_owned).collect();
        Bag { terms: words::tokens(text).into_iter().collect(), decisive }
    }
}

#[cfg(test)]
mod tests;
