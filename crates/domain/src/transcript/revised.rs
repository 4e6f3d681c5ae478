//! Going through a transcript for what is taken back in it, before it is read.
//!
//! Gemini CLI appends: a message that grew is told again under its id, `$rewindTo` takes a message and all after it
//! back, and `$set` with `messages` copies what the model sees, which after a compression is not what was said.
//! Kept of each turn are 16 bytes, whatever it says.
//!
//! A message that is told again counts where it is told last, so that nothing has to be held back.

use super::reader::Reader;
use super::{Format, Piece, Revision};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The turns of a transcript that do not count, by their number; the first one is 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gone(Vec<u64>);

/// Goes through a transcript and tells what does not count in it.
#[derive(Debug)]
pub struct Scout {
    reader: Reader,
    turns: u64,
    /// Where each message was told last, by a hash of its id.
    told: HashMap<u64, u64>,
    /// Turns of the last copy.
    copy: Range<u64>,
    gone: Gone,
}

impl Gone {
    /// True when this turn does not count.
    pub(super) fn has(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).ok().and_then(|at| self.0.get(at));
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    fn add(&mut self, number: u64) {
        let Ok(at) = usize::try_from(number / 64) else { return };
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (number % 64);
    }
}

impl Scout {
    /// At the start of a transcript.
    pub fn new(format: Format) -> Scout {
        Scout { reader: Reader::new(format), turns: 0, told: HashMap::new(), copy: 0..0, gone: Gone::default() }
    }

    /// Goes on.
    pub fn read(&mut self, bytes: &[u8]) {
        self.pass(Some(bytes));
    }

    /// What does not count, when nothing more comes.
    pub fn finish(mut self) -> Gone {
        self.pass(None);
        // A copy counts only where messages are told in no other way.
        if !self.told.is_empty() {
            self.copy.clone().for_each(|number| self.gone.add(number));
        }
        self.gone
    }

    fn pass(&mut self, bytes: Option<&[u8]>) {
        for unit in self.reader.cut(bytes) {
            let Some(piece) = self.reader.piece(unit) else { continue };
            self.weigh(piece);
        }
    }

    fn weigh(&mut self, piece: Piece) {
        let first = self.turns + 1;
        self.turns += piece.turns.len() as u64;
        match piece.revises {
            Some(Revision::Copy) => {
                self.copy.clone().for_each(|number| self.gone.add(number));
                self.copy = first..self.turns + 1;
            }
            Some(Revision::Back(id)) => self.take_back(&id),
            None => {
                for (turn, number) in piece.turns.iter().zip(first..).filter(|(turn, _)| !turn.id.is_empty()) {
                    if let Some(before) = self.told.insert(hash(&turn.id), number) {
                        self.gone.add(before);
                    }
                }
            }
        }
    }

    /// A message that nobody told of takes nothing back: after a compression ids are of the copy.
    fn take_back(&mut self, id: &str) {
        let told = [id.to_owned(), format!("{id}/result")];
        let Some(from) = told.iter().filter_map(|id| self.told.get(&hash(id)).copied()).min() else { return };
        (from..=self.turns).filter(|number| !self.copy.contains(number)).for_each(|number| self.gone.add(number));
        self.told.retain(|_, number| *number < from);
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
