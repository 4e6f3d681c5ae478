//! Choosing by words: every one of them must match, or the two texts say nearly the same.

use super::Candidate;
use crate::recall::fillers::is_filler;
use loci_domain::{alike, words};
use std::collections::BTreeSet;

/// The entries that a query means, best match first; equal ones in their own order.
pub(super) fn by_words(query: &str, candidates: &[Candidate]) -> Vec<Candidate> {
    let wanted = terms(query);
    let mut found: Vec<(f64, &Candidate)> = candidates
        .iter()
        .filter_map(|candidate| {
            let likeness = likeness(query, candidate);
            (matches(&wanted, candidate) || likeness >= alike::NEAR).then_some((likeness, candidate))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().map(|(_, candidate)| candidate.clone()).collect()
}

/// How near a query is to an entry, by its line or the whole of it.
pub(super) fn likeness(query: &str, candidate: &Candidate) -> f64 {
    alike::likeness(query, &candidate.summary).max(alike::likeness(query, &candidate.text))
}

/// The words of a query that say something.
pub(super) fn terms(query: &str) -> BTreeSet<String> {
    words::tokens(query).into_iter().filter(|token| !is_filler(token)).collect()
}

/// Every word is in the entry or, where some are, in the name and description of its document.
fn matches(wanted: &BTreeSet<String>, candidate: &Candidate) -> bool {
    if wanted.is_empty() {
        return false;
    }
    let own: BTreeSet<String> = words::tokens(&candidate.text).into_iter().collect();
    if wanted.is_subset(&own) {
        return true;
    }
    // The face of a document speaks for its only entry; among many an entry must say something of it itself.
    if candidate.of > 1 && wanted.is_disjoint(&own) {
        return false;
    }
    let face: BTreeSet<String> = words::tokens(&candidate.face).into_iter().collect();
    wanted.iter().all(|word| own.contains(word) || face.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::candidates::of_document;
    use super::*;
    use loci_domain::path::EntryPath;
    use loci_domain::scope::Scope;

    fn chosen(query: &str) -> Vec<String> {
        let path = |name: &str| EntryPath::parse(name).unwrap();
        let mut all = of_document(
            Scope::Global,
            &path("pets.md"),
            "---\nname: Pets\ndescription: Animals at home\n---\n- Keeps ferrets.\n- Keeps bees on the roof.\n- 养了一只猫。\n",
            false,
        );
        let solo = "---\nname: Coffee\ndescription: How the user drinks it\n---\nBlack, no sugar.\n";
        all.extend(of_document(Scope::Global, &path("coffee.md"), solo, false));
        by_words(query, &all).into_iter().map(|candidate| candidate.summary).collect()
    }

    #[test]
    fn all_words_must_match() {
        assert_eq!(chosen("bees roof"), ["Keeps bees on the roof."]);
        assert_eq!(chosen("the bees"), ["Keeps bees on the roof."]);
        assert_eq!(chosen("bee"), ["Keeps bees on the roof."]);
        assert_eq!(chosen("keeps"), ["Keeps ferrets.", "Keeps bees on the roof."]);
        assert_eq!(chosen("purple bees"), [""; 0]);
        assert_eq!(chosen("e"), [""; 0]);
        assert_eq!(chosen("the of"), [""; 0]);
        assert_eq!(chosen("一只猫"), ["养了一只猫。"]);
    }

    #[test]
    fn a_face_speaks_for_its_only_entry() {
        assert_eq!(chosen("coffee"), ["Black, no sugar."]);
        assert_eq!(chosen("pets"), [""; 0]);
        assert_eq!(chosen("pets ferrets"), ["Keeps ferrets."]);
    }

    #[test]
    fn nearly_the_same_sentence_is_meant() {
        assert_eq!(chosen("keeps bees on our roof garden"), [""; 0]);
        assert_eq!(chosen("keeps the bees on the roof"), ["Keeps bees on the roof."]);
    }
}
