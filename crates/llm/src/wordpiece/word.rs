//! One word on its way to pieces.
//!
//! Owns the space in which a word is collected, and the greedy cut into the longest tokens.
//! Never grows: a word above the limit is only counted, because it is unknown whatever it says.

use super::{Place, Wordpiece};

/// The most characters of a word that can be known.
pub const MOST_CHARS: usize = 100;
const MOST_BYTES: usize = MOST_CHARS * 4;

/// A word as far as it was read.
pub struct Word {
    bytes: [u8; MOST_BYTES],
    length: usize,
    chars: usize,
    hashes: [u64; MOST_BYTES],
}

impl Default for Word {
    fn default() -> Word {
        Word { bytes: [0; MOST_BYTES], length: 0, chars: 0, hashes: [0; MOST_BYTES] }
    }
}

impl Word {
    pub fn is_empty(&self) -> bool {
        self.chars == 0
    }

    pub fn clear(&mut self) {
        (self.length, self.chars) = (0, 0);
    }

    pub fn push_ascii(&mut self, byte: u8) {
        if self.chars < MOST_CHARS {
            self.bytes[self.length] = byte;
            self.length += 1;
        }
        self.chars += 1;
    }

    pub fn push(&mut self, c: char) {
        if self.chars < MOST_CHARS {
            self.length += c.encode_utf8(&mut self.bytes[self.length..]).len();
        }
        self.chars += 1;
    }

    /// Writes the ids of the word's pieces, and gives their number; `None` when a part of it is in no vocabulary.
    pub fn pieces(&mut self, wordpiece: &Wordpiece<'_>, into: &mut [u32; MOST_CHARS]) -> Option<usize> {
        if self.chars > wordpiece.most_chars.min(MOST_CHARS) {
            return None;
        }
        let mut rest = &self.bytes[..self.length];
        let mut place = Place::Beginning;
        let mut count = 0;
        while !rest.is_empty() {
            let (id, length) = wordpiece.vocabulary.longest_at(rest, place, &mut self.hashes)?;
            into[count] = id;
            count += 1;
            rest = &rest[length..];
            place = Place::Continuing;
        }
        Some(count)
    }
}
