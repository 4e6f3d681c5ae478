//! The pieces that the tokenizer cuts a text into before it looks anything up, and what each costs.
//!
//! Start at [`Pieces::take`]. Costs are in hundredths of a token.

use super::script::{self, Cjk};
use super::word::{Before, FOREIGN, Word};

/// A run of ASCII signs by how often the sign changes in it: `!!` never, `);` once.
const SIGNS: [u64; 5] = [100, 104, 126, 196, 250];
/// Each further change.
const CHANGE: u64 = 67;
/// Each repeated sign among so many changes: `|---|` is no token of the vocabulary.
const REPEATED: u64 = 130;

/// What a character is to the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A Latin letter: its class for [`Word::push`], and whether it is a capital.
    Latin(u8, bool),
    Cjk(Cjk),
    /// A letter of any other script.
    Letter,
    Number,
    Space,
    Break,
    Sign,
}

impl Kind {
    const fn of_ascii(byte: u8) -> Kind {
        match byte {
            b'a'..=b'z' => Kind::Latin(byte - b'a', false),
            b'A'..=b'Z' => Kind::Latin(byte - b'A', true),
            b'0'..=b'9' => Kind::Number,
            b'\n' | b'\r' => Kind::Break,
            b' ' | b'\t' | 0xB | 0xC => Kind::Space,
            _ => Kind::Sign,
        }
    }

    /// The kind of a character outside ASCII.
    fn of_foreign(c: char) -> Kind {
        match c {
            '\u{D7}' | '\u{F7}' => Kind::Sign,
            '\u{C0}'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => {
                Kind::Latin(FOREIGN, c.is_uppercase())
            }
            c => match Cjk::of(c) {
                Some(script) => Kind::Cjk(script),
                None if c.is_alphabetic() => Kind::Letter,
                None if c.is_numeric() => Kind::Number,
                None if c.is_whitespace() => Kind::Space,
                None => Kind::Sign,
            },
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Kind::Latin(..) | Kind::Cjk(_) | Kind::Letter)
    }
}

/// The kinds of ASCII, looked up: nearly all text is made of it.
const ASCII: [Kind; 128] = {
    let (mut kinds, mut byte) = ([Kind::Sign; 128], 0);
    while byte < 128 {
        kinds[byte as usize] = Kind::of_ascii(byte);
        byte += 1;
    }
    kinds
};

/// The text on its way through, and what it costs so far, in hundredths of a token.
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    sum: u64,
}

impl Pieces<'_> {
    pub(super) fn new(text: &str) -> Pieces<'_> {
        Pieces { text, at: 0, sum: 0 }
    }

    /// The cost of what was taken.
    pub(super) fn sum(&self) -> u64 {
        self.sum
    }

    /// The next character, not yet taken.
    #[inline]
    fn next(&self) -> Option<(char, Kind)> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if let Some(kind) = ASCII.get(usize::from(byte)) {
            return Some((char::from(byte), *kind));
        }
        let c = self.text[self.at..].chars().next()?;
        Some((c, Kind::of_foreign(c)))
    }

    /// Takes one piece; false at the end.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        let Some((c, kind)) = self.next() else { return false };
        match kind {
            Kind::Space | Kind::Break => self.white(),
            Kind::Number => self.number(),
            Kind::Sign => {
                self.at += c.len_utf8();
                if self.next().is_some_and(|(_, kind)| kind.is_letter()) {
                    self.letters(Before::of(c));
                } else {
                    self.at -= c.len_utf8();
                    self.signs();
                }
            }
            _ => self.letters(Before::Nothing),
        }
        true
    }

    /// White space: up to the last line break it is one piece, then all but the last character, which goes along with
    /// a word or, if it is a space, with signs.
    fn white(&mut self) {
        let (start, mut line, mut last, mut count, mut changes) = (self.at, None, ' ', 0, 0);
        while let Some((c, kind @ (Kind::Space | Kind::Break))) = self.next() {
            changes += u64::from(c != last && c != '\n' && c != '\r');
            self.at += c.len_utf8();
            last = c;
            count += 1;
            if kind == Kind::Break {
                line = Some((self.at, changes));
                count = 0;
            }
        }
        if let Some((end, changes)) = line {
            // Tabs and spaces in turns are no token of the vocabulary.
            self.sum += 100 + 100 * ((end - start) / 16) as u64 + 150 * changes.saturating_sub(1);
        }
        let after = self.next().map(|(_, kind)| kind);
        if count > 1 || (count == 1 && after.is_none()) {
            self.sum += 100 + 100 * (count / 80);
        }
        match after {
            Some(kind) if count > 0 && kind.is_letter() => self.letters(Before::of(last)),
            Some(Kind::Sign) if count > 0 && last == ' ' => self.signs(),
            Some(_) if count > 0 => self.sum += 100,
            _ => {}
        }
    }

    fn number(&mut self) {
        for _ in 0..3 {
            match self.next() {
                Some((c, Kind::Number)) => {
                    self.at += c.len_utf8();
                    self.sum += if c.is_ascii() { 0 } else { 70 };
                }
                _ => break,
            }
        }
        self.sum += 100;
    }

    /// A run of signs, with the line breaks after it.
    fn signs(&mut self) {
        let (mut changes, mut count, mut foreign, mut last) = (0, 0, 0, None);
        let (mut repeated, mut alike) = (0, false);
        while let Some((c, Kind::Sign)) = self.next() {
            self.at += c.len_utf8();
            count += 1;
            changes += usize::from(last.is_some_and(|last| last != c));
            repeated += u64::from(last == Some(c) && !alike);
            alike = last == Some(c);
            if !c.is_ascii() {
                // Signs of the first plane come in pairs that the vocabulary knows; emoji do not.
                let paired = c <= '\u{FFFF}' && last.is_some_and(|last: char| !last.is_ascii());
                foreign += script::sign(c) / if paired { 2 } else { 1 };
            }
            last = Some(c);
        }
        while let Some(b'\n' | b'\r' | b'/') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        self.sum += match SIGNS.get(changes) {
            _ if foreign > 0 => foreign + 80 * (changes as u64).min(1),
            Some(cost) => cost + 100 * (count / 16),
            None => SIGNS[4] + CHANGE * (changes - 4) as u64 + REPEATED * repeated,
        };
    }

    /// A word of one script, at least one letter of which is next.
    fn letters(&mut self, before: Before) {
        match self.next() {
            Some((_, Kind::Latin(..))) => self.latin(before),
            Some((_, Kind::Cjk(_))) => self.cjk(before),
            _ => self.other(before),
        }
    }

    fn latin(&mut self, before: Before) {
        let mut word = Word::new();
        while let Some((c, Kind::Latin(class, capital))) = self.next() {
            if capital && word.is_small() {
                break;
            }
            word.push(class, capital);
            self.at += c.len_utf8();
        }
        self.sum += word.cost(before);
        self.at += contraction(&self.text.as_bytes()[self.at..]);
    }

    fn cjk(&mut self, before: Before) {
        let mut last = None;
        let mut cost = match before {
            Before::Nothing => 0,
            Before::Space => 17,
            _ => 72,
        };
        while let Some((c, Kind::Cjk(script))) = self.next() {
            self.at += c.len_utf8();
            cost += script.cost(c) + if last == Some(script) { 0 } else { script.start() };
            last = Some(script);
        }
        self.sum += cost.max(100);
    }

    fn other(&mut self, before: Before) {
        let mut cost = if matches!(before, Before::Nothing | Before::Space) { 70 } else { 170 };
        while let Some((c, Kind::Letter)) = self.next() {
            self.at += c.len_utf8();
            cost += script::letter(c);
        }
        self.sum += cost.max(100);
    }
}

/// The length of `'s`, `'re` and the like at the start of what follows a word: they belong to its piece.
fn contraction(rest: &[u8]) -> usize {
    match rest {
        [b'\'', a, b, ..] if matches!(&[a.to_ascii_lowercase(), b.to_ascii_lowercase()], b"re" | b"ve" | b"ll") => 3,
        [b'\'', a, ..] if matches!(a.to_ascii_lowercase(), b's' | b't' | b'm' | b'd') => 2,
        _ => 0,
    }
}
