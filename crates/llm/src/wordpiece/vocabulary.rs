//! Finding tokens in a packed vocabulary.
//!
//! Owns the lookup; it reads the bytes where they lie, allocates nothing and prepares nothing.
//! Never packs: the format is in `pack.rs`. Start at [`Vocabulary::longest_at`].

use super::pack::{self, CONTINUES, ID_BITS, Packed};

/// Four bytes of a packed number.
type Number = [u8; 4];

/// Whether a piece begins a word or goes on with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Beginning,
    Continuing,
}

/// A packed vocabulary, borrowed from the binary or from a [`Packed`].
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'a> {
    slots: &'a [Number],
    starts: &'a [Number],
    text: &'a [u8],
    longest: usize,
    median: usize,
}

impl<'a> Vocabulary<'a> {
    /// A vocabulary over bytes that [`pack::pack`] wrote.
    pub const fn over(
        slots: &'a [u8],
        starts: &'a [u8],
        text: &'a [u8],
        (longest, median): (usize, usize),
    ) -> Vocabulary<'a> {
        Vocabulary { slots: slots.as_chunks().0, starts: starts.as_chunks().0, text, longest, median }
    }

    /// The median of the tokens' bytes.
    pub fn median(&self) -> usize {
        self.median
    }

    /// The id and the bytes of the longest token with which `word` begins.
    ///
    /// `hashes` is scratch space of at least the word's length; its content does not matter.
    pub fn longest_at(&self, word: &[u8], place: Place, hashes: &mut [u64]) -> Option<(u32, usize)> {
        let longest = &word[..word.len().min(self.longest)];
        let continues = if place == Place::Continuing { CONTINUES } else { 0 };
        let mut hash = pack::seed(continues);
        for (byte, kept) in longest.iter().zip(hashes.iter_mut()) {
            hash = pack::step(hash, *byte);
            *kept = hash;
        }
        // Tokens are whole UTF-8, so what is equal to one ends where a character ends.
        let lengths = (1..=longest.len()).rev();
        lengths.zip(hashes[..longest.len()].iter().rev()).find_map(|(length, hash)| {
            let id = self.id(&longest[..length], continues, *hash)?;
            Some((id, length))
        })
    }

    fn id(&self, piece: &[u8], continues: u32, hash: u64) -> Option<u32> {
        let mut at = pack::slot(hash, self.slots.len());
        // At least half of the slots are empty, so this ends.
        loop {
            let slot = u32::from_le_bytes(self.slots[at]);
            let next = slot & ((1 << ID_BITS) - 1);
            if next == 0 {
                return None;
            }
            if slot - next == pack::mark(hash) && self.is(next - 1, piece, continues) {
                return Some(next - 1);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    fn is(&self, id: u32, piece: &[u8], continues: u32) -> bool {
        let start = u32::from_le_bytes(self.starts[id as usize]);
        let end = u32::from_le_bytes(self.starts[id as usize + 1]) & !CONTINUES;
        start & CONTINUES == continues && &self.text[(start & !CONTINUES) as usize..end as usize] == piece
    }
}

impl Packed {
    /// The vocabulary in these bytes.
    pub fn vocabulary(&self) -> Vocabulary<'_> {
        Vocabulary::over(&self.slots, &self.starts, &self.text, (self.longest, self.median))
    }
}
