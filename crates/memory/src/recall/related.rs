//! Words that are about the same thing: what static embeddings do not know, or know too weakly.
//!
//! `related.txt` has stems of everyday life, offices and software. A line is a group of which each word may stand for each
//! other, or `heads: members`, where a head may stand for a member and a member for a head, but no member for another one:
//! a bus is transport, and so is a bicycle. `a_b` is a head of two words that stand side by side. Being related says that a
//! word may stand for another, not that they mean the same.
//!
//! The build packs the lines into the neighbours of each stem, so nothing is read at start.

use std::cmp::Ordering;

/// Part of the name of kept vectors: a document remembers its words by their numbers here.
pub(super) const VERSION: &str = "related-3";

static STEMS: &str = include_str!(concat!(env!("OUT_DIR"), "/related.stems"));
/// For each stem, where it and its neighbours begin; once more at the end.
static STARTS: &[[u8; 8]] = include_bytes!(concat!(env!("OUT_DIR"), "/related.starts")).as_chunks().0;
static NEAR: &[[u8; 2]] = include_bytes!(concat!(env!("OUT_DIR"), "/related.near")).as_chunks().0;

/// How many stems there are; their numbers are below.
pub(super) fn count() -> usize {
    STARTS.len().saturating_sub(1)
}

/// The number of a stem; most words have none.
pub(super) fn number(stem: &str) -> Option<u16> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = low.midpoint(high);
        let ((from, _), (to, _)) = (start(middle), start(middle + 1));
        match STEMS.get(from..to).unwrap_or_default().cmp(stem) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return u16::try_from(middle).ok(),
        }
    }
    None
}

/// The numbers of the stems that a stem is related to.
pub(super) fn of(stem: &str) -> impl Iterator<Item = u16> {
    let at = number(stem).map(usize::from);
    let range = at.map_or(0..0, |at| start(at).1..start(at + 1).1);
    NEAR.get(range).unwrap_or_default().iter().map(|pair| u16::from_le_bytes(*pair))
}

fn start(at: usize) -> (usize, usize) {
    let [a, b, c, d, e, f, g, h] = STARTS.get(at).copied().unwrap_or_default();
    (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::fillers::is_filler;
    use loci_domain::words;
    use std::collections::HashSet;

    static TEXT: &str = include_str!("related.txt");

    fn related(a: &str, b: &str) -> bool {
        let stem = |word: &str| words::tokens(word).remove(0);
        number(&stem(b)).is_some_and(|b| of(&stem(a)).any(|near| near == b))
    }

    #[test]
    fn related_words_are_of_stems() {
        assert!(related("attorney", "lawyers") && related("toggles", "flags") && related("rollback", "reverting"));
        assert!(!related("attorney", "toggles") && number("xqzvw").is_none() && of("xqzvw").next().is_none());
        assert!(of("time_zone").next().is_some() && of("zone_time").next().is_none());
    }

    #[test]
    fn members_of_a_list_are_related_to_its_heads_alone() {
        assert!(related("hobby", "knitting") && related("knitting", "hobby"));
        assert!(!related("knitting", "juggling"));
    }

    #[test]
    fn every_stem_has_its_number() {
        let stems: HashSet<&str> = TEXT.split([' ', '\n']).map(|stem| stem.trim_end_matches(':')).collect();
        let stems: Vec<&str> = stems.into_iter().filter(|stem| !stem.is_empty()).collect();
        assert_eq!(stems.len(), count());
        let numbers: HashSet<u16> = stems.iter().filter_map(|stem| number(stem)).collect();
        assert!(numbers.len() == count() && numbers.iter().all(|number| usize::from(*number) < count()));
    }

    #[test]
    fn a_line_is_a_few_words_once_each() {
        let mut lines: Vec<&str> = TEXT.lines().collect();
        for line in &lines {
            let stems: Vec<&str> = line.split(' ').map(|stem| stem.trim_end_matches(':')).collect();
            let distinct: HashSet<&str> = stems.iter().copied().collect();
            assert!((2..=80).contains(&stems.len()) && distinct.len() == stems.len(), "{line}");
            assert!(line.contains(": ") || stems.len() <= 24, "{line}");
        }
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count);
    }

    #[test]
    fn fillers_are_no_members() {
        for line in TEXT.lines().filter_map(|line| line.split_once(": ")).map(|(_, members)| members) {
            assert!(line.split(' ').all(|stem| !is_filler(stem)), "{line}");
        }
    }
}
