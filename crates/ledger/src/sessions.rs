//! Sessions, as far as they are the same in every engine: how messages lie in chunks, and the bytes of their columns.
//!
//! The last chunk of a session is open as long as it is not full: what comes is put together with it under a new number.
//! Start at [`fate`], which says what becomes of a chunk, and [`fill`], which makes new ones.

use crate::{CHUNK, Said};
use std::collections::BTreeMap;

/// Bytes of a term's code.
const CODE: usize = 6;
/// Bytes of a message in `measures`.
const MEASURE: usize = 3;

/// A chunk on its way.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The position of its first message in the session.
    pub first: i64,
    /// Who cut and embedded it.
    pub maker: String,
    /// Three bytes a message: how many tokens it has, and whether it asks.
    pub measures: Vec<u8>,
    /// The vectors of its messages, back to back.
    pub vectors: Vec<u8>,
    /// Where each term stands, by its code: two bytes a message, its place and how often.
    pub terms: BTreeMap<u64, Vec<u8>>,
}

/// What becomes of the last chunk of a session when messages are put behind the first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stays as it is, and so do all before it.
    Stays,
    /// It goes, and the one before it is next to be asked about.
    Goes,
    /// So many of its messages stay by themselves. They were made by other rules, until whoever knows the rules makes
    /// them anew.
    Cut(usize),
    /// So many of its messages stay, and what comes is put behind them.
    Joins(usize),
}

/// The fate of a chunk with so many bytes of measures, when `messages` are put behind the first `from` ones.
pub(crate) fn fate(first: i64, measures: usize, same_maker: bool, from: i64, messages: &[Said]) -> Fate {
    let count = measures / MEASURE;
    let left = usize::try_from(from - first).unwrap_or(0);
    let joins = left < CHUNK && same_maker;
    if left > count || left == count && (!joins || messages.is_empty()) {
        return Fate::Stays;
    }
    match (first < from, joins) {
        (false, _) => Fate::Goes,
        (true, false) => Fate::Cut(left),
        (true, true) => Fate::Joins(left),
    }
}

/// Puts messages into a chunk and, once it is full, into new ones behind it. An empty one is left out.
pub(crate) fn fill(open: Open, messages: &[Said]) -> impl Iterator<Item = Open> {
    let (here, rest) = messages.split_at(messages.len().min(CHUNK.saturating_sub(open.count())));
    let places = (open.first..).step_by(CHUNK).skip(1);
    let maker = open.maker.clone();
    let more = rest.chunks(CHUNK).zip(places).map(move |(messages, first)| Open::at(first, &maker).with(messages));
    std::iter::once(open.with(here)).chain(more).filter(|open| open.count() > 0)
}

impl Open {
    /// An empty one.
    pub(crate) fn at(first: i64, maker: &str) -> Open {
        Open { first, maker: maker.to_owned(), ..Open::default() }
    }

    /// Only its first messages.
    pub(crate) fn cut(mut self, left: usize) -> Open {
        let (count, left) = (self.count().max(1), left.min(self.count()));
        let each = self.vectors.len() / count;
        self.vectors.truncate(each * left);
        self.measures.truncate(MEASURE * left);
        self.terms.retain(|_, places| {
            *places = places
                .as_chunks::<2>()
                .0
                .iter()
                .filter(|[place, _]| usize::from(*place) < left)
                .flatten()
                .copied()
                .collect();
            !places.is_empty()
        });
        self
    }

    /// The codes of its terms, for their column.
    pub(crate) fn codes(&self) -> Vec<u8> {
        self.terms.keys().flat_map(|term| term.to_be_bytes().into_iter().skip(8 - CODE)).collect()
    }

    fn count(&self) -> usize {
        self.measures.len() / MEASURE
    }

    fn with(mut self, messages: &[Said]) -> Open {
        messages.iter().for_each(|said| self.push(said));
        self
    }

    fn push(&mut self, said: &Said) {
        let place = u8::try_from(self.count()).unwrap_or(u8::MAX);
        let mut times: BTreeMap<&str, u8> = BTreeMap::new();
        let mut words: u16 = 0;
        for term in said.words.split_ascii_whitespace() {
            let times = times.entry(term).or_default();
            *times = times.saturating_add(1);
            words = words.saturating_add(1);
        }
        for (term, times) in times {
            self.terms.entry(code(term)).or_default().extend([place, times]);
        }
        self.measures.extend(words.to_le_bytes());
        self.measures.push(u8::from(said.asks));
        self.vectors.extend(&said.vector);
    }
}

/// A term in 48 bits (FNV-1a, folded). Two words that share a code are found for one another, once in hundreds of
/// millions of pairs.
pub(crate) fn code(term: &str) -> u64 {
    let mix = |code: u64, byte: u8| (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let code = term.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    (code ^ (code >> 48)) & 0xffff_ffff_ffff
}

/// A code for its column.
pub(crate) fn column(code: u64) -> i64 {
    code.cast_signed()
}

/// The codes in their column.
pub(crate) fn codes(terms: &[u8]) -> impl Iterator<Item = u64> {
    terms.as_chunks::<CODE>().0.iter().map(|term| term.iter().fold(0, |term, byte| term << 8 | u64::from(*byte)))
}

/// How many tokens each message has and whether it asks, from their column.
pub(crate) fn measures(bytes: &[u8]) -> Vec<(u16, bool)> {
    let each = bytes.as_chunks::<MEASURE>().0.iter();
    each.map(|[low, high, asks]| (u16::from_le_bytes([*low, *high]), *asks != 0)).collect()
}

/// Where a term stands, from its column.
pub(crate) fn places(bytes: &[u8]) -> Vec<(u8, u8)> {
    bytes.as_chunks::<2>().0.iter().map(|[place, times]| (*place, *times)).collect()
}

/// The marks of messages by position, as far as they are whole.
pub(crate) fn whole(marks: Vec<(u64, i64)>) -> Vec<u64> {
    let whole = marks.into_iter().zip(0..).take_while(|((position, _), place)| position == place);
    whole.map(|((_, mark), _)| mark.cast_unsigned()).collect()
}
