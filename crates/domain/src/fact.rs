//! How a fact is known again without keeping its words.
//!
//! Owns the keyed marks by which tombstones and sources name an entry: whoever has the ledger but not the words learns
//! nothing from them. Pure; the key is the ledger's.

use crate::alike;
use crate::digest::Digest;
use crate::words;
use std::collections::BTreeSet;

/// The secret of one ledger that marks are made with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// A key read back from a row.
    pub fn from_bytes(bytes: &[u8]) -> Option<Key> {
        bytes.try_into().ok().map(Key)
    }

    /// HMAC-SHA-256 of a text, apart from the same text used for something else.
    fn mark(&self, what: u8, text: &str) -> Digest {
        let padded = |pad: u8| -> Vec<u8> {
            let mut block = [pad; 64];
            block.iter_mut().zip(self.0).for_each(|(byte, key)| *byte ^= key);
            block.to_vec()
        };
        let inner = [&padded(0x36)[..], &[what], text.as_bytes()].concat();
        Digest::of(&[&padded(0x5c)[..], Digest::of(&inner).as_bytes()].concat())
    }
}

/// Never shows the key.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The mark of a summary, however it is spelled: case, width, punctuation and spacing do not matter.
pub fn mark(key: &Key, summary: &str) -> Digest {
    key.mark(b's', &alike::normalised(summary))
}

/// Words that a fact is the same without. Negations are none of them.
const HOLLOW: &str = "a an the this that our my your their we i you they it us is are be was were to of in on at for and \
always please do does will should must have has";

/// All marks under which an entry is known again: its summary, its whole text, its words in any order, and those of
/// them that matter.
pub fn marks(key: &Key, summary: &str, text: &str) -> Vec<Digest> {
    let hollow: BTreeSet<String> = words::tokens(HOLLOW).into_iter().collect();
    let bag: BTreeSet<String> = words::tokens(summary).into_iter().collect();
    let telling: BTreeSet<String> = bag.difference(&hollow).cloned().collect();
    let mut marks = vec![mark(key, summary), mark(key, text)];
    for (what, bag) in [(b'w', bag), (b'c', telling)] {
        // One word alone would stand for every sentence that is made of it.
        if bag.len() > 1 {
            marks.push(key.mark(what, &bag.into_iter().collect::<Vec<_>>().join(" ")));
        }
    }
    marks.sort_unstable();
    marks.dedup();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> Key {
        Key::from_bytes(&[byte; 32]).unwrap()
    }

    #[test]
    fn the_same_fact_has_a_mark_in_common() {
        let known =
            marks(&key(1), "Our staging cluster lives in Frankfurt.", "- Our staging cluster lives in Frankfurt.\n");
        for again in [
            "our staging cluster lives in frankfurt",
            "In Frankfurt lives our staging cluster!",
            "The staging cluster lives in Frankfurt",
        ] {
            assert!(marks(&key(1), again, again).iter().any(|mark| known.contains(mark)), "{again}");
        }
        for other in
            ["Our staging cluster lives in Paris.", "Our staging cluster never lives in Frankfurt", "Frankfurt", ""]
        {
            assert!(!marks(&key(1), other, other).iter().any(|mark| known.contains(mark)), "{other}");
        }
    }

    #[test]
    fn another_key_makes_other_marks() {
        assert_ne!(mark(&key(1), "a fact"), mark(&key(2), "a fact"));
    }

    #[test]
    fn marks_are_hmac_sha_256() {
        // Checked against an independent implementation: HMAC(key = 32 × 0x01, "s" + "a fact").
        let expected = "a299b861d96d96f641b51d832777e1ce4d16fe00e82e4d0c1d8ce19075620d82";
        assert_eq!(mark(&key(1), "A fact.").to_string(), expected);
    }
}
