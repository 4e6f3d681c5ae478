//! What is kept of a document for its meaning: a vector for each part of it, its words as the embedder knows them, and those
//! that have related words. Made once when the document is seen, so that a question opens no file.
//!
//! Owns the packed form: counts as `u16`, all little-endian, in the order vectors, words, stems.

use super::fillers::is_filler;
use super::meaning::{Meaning, Pieces};
use super::question::Question;
use super::related;
use loci_domain::path::EntryPath;
use loci_domain::{document, entry, words};
use loci_llm::embedders::static_minilm::{DIMENSIONS, StaticMinilm, dot};
use std::collections::HashSet;

/// Parts of one document that get a vector of their own.
const MOST_PARTS: usize = 64;
/// Words of a part: a paragraph. A vector for each line of a list would be longer than the list itself.
const PART: usize = 40;
/// Distinct words of a document that are kept.
const MOST_WORDS: usize = 300;
/// Bytes of a vector with its length.
pub(super) const SIZE: usize = DIMENSIONS + 4;

/// A packed document, to be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Profile<'a> {
    /// One over the length, then the vector itself; the first one is the document's face.
    pub vectors: &'a [[u8; SIZE]],
    /// Word pieces, the second one 0 for a word in one piece.
    words: &'a [[u8; 4]],
    /// The number of a stem that has related ones, and which word it is.
    stems: &'a [[u8; 4]],
}

impl<'a> Profile<'a> {
    /// Reads what [`pack`] made; damage is a document without meaning.
    pub fn read(packed: &'a [u8]) -> Profile<'a> {
        fn part<const N: usize>(packed: &mut &[u8]) -> Option<usize> {
            let (count, rest) = packed.split_first_chunk::<2>()?;
            *packed = rest;
            Some(usize::from(u16::from_le_bytes(*count)) * N)
        }
        let read = |mut packed: &'a [u8]| {
            let (vectors, rest) = packed.split_at_checked(part::<SIZE>(&mut packed)? + 2)?;
            packed = rest;
            let (words, rest) = packed.split_at_checked(part::<4>(&mut packed)? + 2)?;
            packed = rest;
            let (stems, _) = packed.split_at_checked(part::<4>(&mut packed)? + 2)?;
            let (vectors, words, stems) = (vectors.get(2..)?, words.get(2..)?, stems.get(2..)?);
            Some(Profile { vectors: vectors.as_chunks().0, words: words.as_chunks().0, stems: stems.as_chunks().0 })
        };
        read(packed).unwrap_or_default()
    }

    /// Its words, by position.
    pub fn words(&self) -> impl Iterator<Item = Pieces> + 'a {
        self.words.iter().map(|[a, b, c, d]| Pieces(u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d])))
    }

    /// The numbers of its stems that have related ones, each with its position among the words.
    pub fn stems(&self) -> impl Iterator<Item = (u16, usize)> + 'a {
        let read = |[a, b, c, d]: &[u8; 4]| (u16::from_le_bytes([*a, *b]), usize::from(u16::from_le_bytes([*c, *d])));
        self.stems.iter().map(read)
    }
}

/// The profiles of many documents, part by part: who looks at all vectors reads memory in order, which is half the cost.
#[derive(Debug, Clone, Default)]
pub(super) struct Profiles {
    vectors: Vec<[u8; SIZE]>,
    words: Vec<[u8; 4]>,
    stems: Vec<[u8; 4]>,
    /// Where the parts of each document end.
    ends: Vec<[u32; 3]>,
}

impl Profiles {
    /// Makes room for so many documents once, these being the first of them: a process that asks one question pays for
    /// every page that it touches, and growing by doubling touches twice as many.
    pub fn reserve<'a>(&mut self, first: impl Iterator<Item = Profile<'a>>, all: usize) {
        let (mut vectors, mut words, mut stems, mut documents) = (0, 0, 0, 0);
        for profile in first {
            vectors += profile.vectors.len();
            words += profile.words.len();
            stems += profile.stems.len();
            documents += 1;
        }
        let room = |of_first: usize| (of_first * all).div_ceil(documents.max(1));
        self.vectors.reserve_exact(room(vectors));
        self.words.reserve_exact(room(words));
        self.stems.reserve_exact(room(stems));
        self.ends.reserve_exact(all);
    }

    /// Adds the next document.
    pub fn push(&mut self, profile: Profile<'_>) {
        self.vectors.extend_from_slice(profile.vectors);
        self.words.extend_from_slice(profile.words);
        self.stems.extend_from_slice(profile.stems);
        // A place has no more files than its cap, and each no more parts than `MOST_WORDS`.
        self.ends.push([self.vectors.len(), self.words.len(), self.stems.len()].map(|end| end as u32));
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// One document's.
    pub fn at(&self, document: usize) -> Profile<'_> {
        let ends = self.ends[document].map(|end| end as usize);
        let starts = document.checked_sub(1).map_or([0; 3], |before| self.ends[before]).map(|end| end as usize);
        Profile {
            vectors: &self.vectors[starts[0]..ends[0]],
            words: &self.words[starts[1]..ends[1]],
            stems: &self.stems[starts[2]..ends[2]],
        }
    }

    /// For each document, the weight of the terms that have a related word in it.
    pub fn kin(&self, question: &Question, weights: &[f64]) -> Vec<f64> {
        let stands_for = |[a, b, ..]: &[u8; 4]| question.kin_of(u16::from_le_bytes([*a, *b]));
        let starts = std::iter::once(0).chain(self.ends.iter().map(|ends| ends[2] as usize));
        let stems = starts.zip(&self.ends).map(|(start, ends)| &self.stems[start..ends[2] as usize]);
        let weigh = |stems: &[[u8; 4]]| {
            // A term counts once, however many related words a document has.
            let terms = stems.iter().map(stands_for).fold(0, |all, terms| all | terms);
            weights.iter().enumerate().filter(|(term, _)| terms >> term & 1 == 1).map(|(_, weight)| weight).sum()
        };
        stems.map(weigh).collect()
    }

    /// The vectors of each document.
    pub fn vectors(&self) -> impl Iterator<Item = &[[u8; SIZE]]> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|ends| ends[0] as usize));
        starts.zip(&self.ends).map(|(start, ends)| &self.vectors[start..ends[0] as usize])
    }
}

/// What gets a vector: the document's face, then its parts with the name before them, since an entry alone often lacks its
/// subject. A part is a long entry, or short ones that follow each other.
pub(super) fn texts(document: &document::Document, text: &str) -> Vec<String> {
    let card = &document.card;
    let mut texts = vec![format!("{}. {}", card.name, card.description)];
    let entries = entry::entries(text, document.body.clone());
    let (mut part, mut words) = (String::new(), 0);
    for (at, entry) in entries.iter().enumerate() {
        if texts.len() > MOST_PARTS {
            break;
        }
        part.push_str(entry.text(text));
        part.push('\n');
        words += entry.text(text).split_whitespace().count();
        if words >= PART || at + 1 == entries.len() {
            texts.push(format!("{}. {}", card.name, std::mem::take(&mut part)));
            words = 0;
        }
    }
    texts
}

/// Packs a document.
pub(super) fn pack(path: &EntryPath, text: &str) -> Vec<u8> {
    let document = document::read(path, text);
    let (card, texts) = (&document.card, texts(&document, text));
    let vectors = texts.iter().flat_map(|text| {
        let vector = StaticMinilm::default().quantised(text);
        let length = (dot(&vector, &vector) as f32).sqrt();
        let over = if length > 0.0 { 1.0 / length } else { 0.0 };
        over.to_le_bytes().into_iter().chain(vector.map(i8::cast_unsigned))
    });
    let mut packed = count(texts.len());
    packed.extend(vectors);
    let body = text.get(document.body.clone()).unwrap_or_default();
    let (words, stems) = words_of(&format!("{}. {}. {body}", card.name, card.description));
    packed.extend(count(words.len()));
    packed.extend(words.iter().flat_map(|Pieces(first, second)| pair(*first, *second)));
    packed.extend(count(stems.len()));
    packed.extend(stems.iter().flat_map(|(number, word)| pair(*number, *word)));
    packed
}

/// Distinct words that say something, and the numbers of those that have related ones. A word that the embedder does not
/// know has no pieces, and may still have a number.
fn words_of(text: &str) -> (Vec<Pieces>, Vec<(u16, u16)>) {
    let (mut seen, mut words, mut stems) = (HashSet::new(), Vec::new(), Vec::<(u16, u16)>::new());
    for word in Meaning::words(text) {
        let [stem] = words::tokens(&word).try_into().unwrap_or_default();
        if stem.is_empty() || is_filler(&stem) || words.len() == MOST_WORDS || !seen.insert(stem.clone()) {
            continue;
        }
        let (pieces, number) = (Pieces::of(&word), related::number(&stem));
        if pieces.is_some() || number.is_some() {
            stems.extend(number.map(|number| (number, words.len() as u16)));
            words.push(pieces.unwrap_or_default());
        }
    }
    (words, stems)
}

fn count(count: usize) -> Vec<u8> {
    u16::try_from(count).unwrap_or(0).to_le_bytes().to_vec()
}

fn pair(a: u16, b: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (a.to_le_bytes(), b.to_le_bytes());
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_entries_share_a_vector_and_long_ones_do_not() {
        let parts = |body: &str| {
            let text = format!("---\nname: N\ndescription: d\n---\n{body}");
            texts(&document::read(&EntryPath::parse("a.md").unwrap(), &text), &text).len() - 1
        };
        let long = "word ".repeat(PART);
        assert_eq!(parts(""), 0);
        assert_eq!(parts(&"- a line of five words\n".repeat(10)), 2);
        assert_eq!(parts(&format!("{long}\n\n{long}\n\nthe end\n")), 3);
        assert_eq!(parts(&format!("- {long}\n").repeat(200)), MOST_PARTS);
    }

    #[test]
    fn what_is_packed_is_read() {
        let path = EntryPath::parse("a.md").unwrap();
        let packed =
            pack(&path, "---\nname: Legal\ndescription: signed contracts\n---\nOne.\n\n- Two lawyers\n- Three\n");
        let profile = Profile::read(&packed);
        assert_eq!(profile.vectors.len(), 2, "its face, and short entries together");
        assert!(profile.words().count() >= 4);
        let has_one = |stem| related::of(stem).any(|near| profile.stems().any(|(number, _)| number == near));
        assert!(has_one("attorney") && !has_one("bicycl"));
        for end in 0..packed.len() {
            assert!(Profile::read(&packed[..end]).vectors.len() <= 4, "a torn row is no panic");
        }
    }
}
