//! Reading a transcript as it comes: bytes in, turns out, and what makes no sense is counted.

use super::cutter::{Cutter, Found};
use super::{Format, Gone, Piece, Title, Turn};

/// Bytes of an id.
const LONGEST_ID: usize = 200;
/// Bytes of a title.
const LONGEST_TITLE: usize = 300;

/// What a transcript says of its session, as far as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What the session is called.
    pub session: Option<String>,
    /// Where it took place.
    pub directory: Option<String>,
    /// The SHA-256 of the path of that place, where no more is told.
    pub hashed: Option<String>,
    /// The session that started this one for a task of its own: nobody typed in it.
    pub parent: Option<String>,
    /// What it is about, on one line.
    pub title: Option<String>,
}

/// Reads a transcript piece by piece, skips what makes no sense, and counts that.
#[derive(Debug)]
pub struct Reader {
    format: Format,
    cutter: Cutter,
    gone: Gone,
    turns: u64,
    skipped: u64,
    about: About,
    title: Option<Title>,
}

impl Reader {
    /// A reader at the start of a transcript.
    pub fn new(format: Format) -> Reader {
        Reader {
            format,
            cutter: Cutter::new(format.cut()),
            gone: Gone::default(),
            turns: 0,
            skipped: 0,
            about: About::default(),
            title: None,
        }
    }

    /// The same, without what a [`Scout`](super::Scout) found to be taken back.
    pub fn without(self, gone: Gone) -> Reader {
        Reader { gone, ..self }
    }

    /// The turns that end in these bytes, in order.
    ///
    /// Every turn has an id: one without gets its number in the transcript, so that a longer copy of the same
    /// transcript says the same.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Turn> {
        let found = self.cutter.push(bytes);
        self.turns_of(found)
    }

    /// The turns of what is left when nothing more comes.
    pub fn finish(&mut self) -> Vec<Turn> {
        let found = self.cutter.finish();
        self.turns_of(found)
    }

    /// How many units made no sense.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What the transcript says of its session so far.
    pub fn about(&self) -> About {
        let title = self.title.as_ref().map(|title| line(&title.text)).filter(|title| !title.is_empty());
        About { title, ..self.about.clone() }
    }

    fn turns_of(&mut self, found: Vec<Found>) -> Vec<Turn> {
        let pieces: Vec<Piece> = found.into_iter().filter_map(|unit| self.piece(unit)).collect();
        let mut turns = Vec::new();
        for turn in pieces.into_iter().flat_map(|piece| piece.turns) {
            self.turns += 1;
            if self.gone.has(self.turns) {
                continue;
            }
            let id = if turn.id.is_empty() { format!("#{}", self.turns) } else { plain(&turn.id, LONGEST_ID) };
            turns.push(Turn { id, content: plain(&turn.content, usize::MAX), ..turn });
        }
        turns
    }

    /// What a unit says; `None` for a blank one and for one that makes no sense.
    pub(super) fn piece(&mut self, unit: Found) -> Option<Piece> {
        let text = match unit {
            Found::Unit(bytes) => String::from_utf8(bytes).ok(),
            Found::TooLong => None,
        };
        let trimmed = text.as_deref().map(|text| text.trim_start_matches('\u{FEFF}').trim());
        if trimmed == Some("") {
            return None;
        }
        let Some(mut piece) = trimmed.and_then(|text| self.format.read(text)) else {
            self.skipped += 1;
            return None;
        };
        let about = &mut self.about;
        for (known, told) in [
            (&mut about.session, &mut piece.session),
            (&mut about.directory, &mut piece.directory),
            (&mut about.hashed, &mut piece.hashed),
            (&mut about.parent, &mut piece.parent),
        ] {
            *known = known.take().or(told.take());
        }
        let known = self.title.as_ref().map(|title| title.by);
        if piece.title.as_ref().is_some_and(|title| !title.text.trim().is_empty() && Some(title.by) >= known) {
            self.title = piece.title.take();
        }
        Some(piece)
    }

    /// The units in these bytes; none at the end for what is not whole.
    pub(super) fn cut(&mut self, bytes: Option<&[u8]>) -> Vec<Found> {
        match bytes {
            Some(bytes) => self.cutter.push(bytes),
            None => self.cutter.finish(),
        }
    }
}

/// Without NUL, which no database of ours keeps in text, and no longer than that.
fn plain(text: &str, longest: usize) -> String {
    text[..text.floor_char_boundary(longest.min(text.len()))].replace('\0', "\u{FFFD}")
}

/// On one line, and not longer than a title.
fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain: String = text.chars().filter(|sign| !sign.is_control()).collect();
    plain[..plain.floor_char_boundary(LONGEST_TITLE.min(plain.len()))].to_owned()
}
