//! Words that are about the same thing: what static embeddings do not know, or know too weakly.
//!
//! `related.txt` has a group a line, as stems, of everyday life, offices and software. Groups overlap, and being in one says
//! that a word may stand for another, not that they mean the same.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Part of the name of kept vectors: a document remembers its groups by number.
pub(super) const VERSION: &str = "related-2";

static TEXT: &str = include_str!("related.txt");

/// The groups of a stem; most words have none.
pub(super) fn groups(stem: &str) -> &'static [u16] {
    static GROUPS: OnceLock<HashMap<&'static str, Vec<u16>>> = OnceLock::new();
    let groups = GROUPS.get_or_init(|| {
        let mut groups: HashMap<&str, Vec<u16>> = HashMap::with_capacity(2_500);
        for (number, line) in (0_u16..).zip(TEXT.lines()) {
            line.split(' ').for_each(|stem| groups.entry(stem).or_default().push(number));
        }
        groups
    });
    groups.get(stem).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_domain::words;

    #[test]
    fn groups_are_of_stems() {
        let stem = |word: &str| words::tokens(word).remove(0);
        let related = |a: &str, b: &str| groups(&stem(a)).iter().any(|group| groups(&stem(b)).contains(group));
        assert!(related("attorney", "lawyers") && related("toggles", "flags") && related("rollback", "reverting"));
        assert!(!related("attorney", "toggles") && groups("xqzvw").is_empty());
    }

    #[test]
    fn a_group_is_a_few_words_once_each() {
        let mut lines: Vec<&str> = TEXT.lines().collect();
        for line in &lines {
            let mut stems: Vec<&str> = line.split(' ').collect();
            let count = stems.len();
            stems.sort_unstable();
            stems.dedup();
            assert!((2..=24).contains(&count) && stems.len() == count, "{line}");
        }
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count);
    }
}
