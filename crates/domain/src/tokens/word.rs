//! Words in Latin letters: how many tokens a word takes beyond its first.
//!
//! A common word is one token, and a rare one breaks where its letters seldom meet. So the estimate adds up, over all
//! neighbours in the word, how often a token ends between these two letters; the table was fitted by least squares on
//! the words of the texts in [`super`], weighted by how often they occur.

/// What stands right before a word and may go into its first token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing: a number, a line break, several signs.
    Nothing,
    /// A space, as between words.
    Space,
    /// A sign that mostly goes along: `_`, `.`, `(`, a tab.
    Close,
    /// A sign that goes along with every other word: `-`, `/`, `<`, `'`.
    Loose,
    /// Any other ASCII sign.
    Apart,
    /// A sign outside ASCII.
    Foreign,
}

impl Before {
    pub(super) fn of(sign: char) -> Before {
        match sign {
            ' ' => Before::Space,
            '_' | '.' | '(' | '\t' => Before::Close,
            '-' | '/' | '<' | '\'' => Before::Loose,
            '\0'..='\u{7F}' => Before::Apart,
            _ => Before::Foreign,
        }
    }

    /// What a single letter, a word in capitals, in small letters and with one capital costs more after it.
    fn costs(self) -> [i32; 4] {
        match self {
            Before::Nothing => [0, -21, -20, -21],
            Before::Space => [0, -36, -33, -19],
            Before::Close => [1, -22, -9, 14],
            Before::Loose => [1, 42, 27, 49],
            Before::Apart => [30, 53, 61, 58],
            Before::Foreign => [40, 63, 69, 73],
        }
    }
}

/// A word as it is read, letter by letter.
#[derive(Debug)]
pub(super) struct Word {
    letters: i32,
    capitals: i32,
    foreign: i32,
    pairs: i32,
    last: u8,
}

/// The class of all letters outside ASCII.
pub(super) const FOREIGN: u8 = 26;

impl Word {
    pub(super) fn new() -> Word {
        Word { letters: 0, capitals: 0, foreign: 0, pairs: 0, last: 0 }
    }

    /// True once a small letter was seen: a capital after it starts a new word.
    pub(super) fn is_small(&self) -> bool {
        self.letters > self.capitals
    }

    /// Reads a letter by its class: 0 for `a` to 25 for `z`, or [`FOREIGN`].
    #[inline]
    pub(super) fn push(&mut self, class: u8, capital: bool) {
        if self.letters > 0 {
            self.pairs += i32::from(PAIRS[usize::from(self.last)][usize::from(class)]);
        }
        self.letters += 1;
        self.capitals += i32::from(capital);
        self.foreign += i32::from(class == FOREIGN);
        self.last = class;
    }

    /// The tokens of the word with what stands before it, in hundredths.
    pub(super) fn cost(&self, before: Before) -> u64 {
        let [single, loud, small, capital] = before.costs();
        let more = match (self.letters, self.capitals) {
            (1, _) => single,
            (letters, 2..) => {
                let mixed = if self.is_small() { 72 } else { 0 };
                loud + 15 * (letters - 1) + 3 * self.pairs / 4 + mixed + 102 * self.foreign
            }
            (letters, capitals) => {
                let start = if capitals == 0 { small } else { capital };
                let short = if letters <= 3 { 8 } else { 0 };
                start + short + self.pairs + 9 * (letters - 9).max(0) + 15 * self.foreign
            }
        };
        // What is rare once is rarer still the more of it there is.
        let more = if more > 100 { more + (more - 100) / 3 } else { more };
        100 + u64::from(more.clamp(0, 85 * self.letters).unsigned_abs())
    }
}

/// How often a token ends between two letters, in hundredths: rows by the first one, [`FOREIGN`] last.
#[rustfmt::skip]
const PAIRS: [[i8; 27]; 27] = [
    [57, 11, 16, 2, 64, 13, -9, 19, 5, 39, 18, -10, 1, 1, 62, 5, 38, -4, 6, -7, 0, 8, 20, 6, -11, 7, 31],
    [17, 48, 58, 60, 6, 70, 62, 74, 32, 20, 81, 2, 52, 63, 8, 76, 85, 10, 9, 45, 3, 65, 58, 73, 12, 68, 35],
    [15, 68, 21, 66, -9, 37, 70, 3, -3, 49, -5, 11, 27, 51, 5, 57, 50, 6, 31, -7, -5, 59, 68, 70, -8, 41, 19],
    [20, 36, 55, 26, 2, 63, 26, 72, 6, 21, 35, 20, 22, 49, 17, 49, 93, 21, 8, 30, 16, 38, 55, 34, 21, 9, 54],
    [18, 30, 21, 7, 16, 17, 14, 41, 25, 59, 38, 7, 18, 5, 24, 22, 19, 8, 5, 12, 40, 20, 20, -1, 14, 22, 85],
    [20, 65, 60, 53, 6, 7, 22, 94, 6, 69, 62, 15, 32, 23, 14, 55, 71, 9, 42, 11, 14, 73, 76, 51, 11, 76, 27],
    [33, 67, 66, 74, 11, 94, 28, 16, 18, 73, 104, 17, 46, 18, 16, 78, 87, 16, 29, 32, 16, 78, 72, 71, 27, 33, 39],
    [17, 51, 62, 56, 5, 104, 70, 76, 9, 69, 76, 51, 25, 9, 8, 80, 70, 12, 31, -17, 11, 69, 63, 79, 32, 56, 26],
    [23, -1, 5, 8, 11, 8, 3, 107, 61, 59, 42, 1, 16, 1, -9, 7, 35, 6, 8, 1, 55, 12, 73, 26, 75, -5, 37],
    [26, 83, 72, 54, -12, 62, 83, 77, 40, 83, 75, 58, 77, 79, 12, 68, 53, 87, 4, 88, 10, 76, 68, 48, 62, 82, 17],
    [33, 58, 71, 44, -1, 45, 5, 58, 16, 104, 83, 79, 43, 11, 43, 79, 96, 82, 6, 45, 40, 84, 46, 78, 38, 69, 33],
    [13, 24, 52, 16, 1, 15, 47, 45, 12, 75, 37, 14, 43, 37, 12, 28, 78, 65, 20, 14, 0, 27, 42, 94, -10, 87, 48],
    [10, -11, 89, 51, -6, 60, 45, 75, 21, 74, 46, 32, 7, 28, 13, 3, 49, 97, 20, 35, 15, 90, 82, 75, 32, 56, 7],
    [26, 68, 16, 5, 7, 20, -1, 49, 24, 35, 13, 29, 34, 14, 20, 33, 87, 55, 10, -4, 22, 20, 23, 53, 23, 47, 53],
    [17, 14, 16, 12, 37, 14, 5, 35, 13, 22, 17, 6, 12, -4, 8, 15, 87, -4, 18, 7, 1, 10, 10, 14, 10, 35, 31],
    [19, 58, 65, 28, -5, 73, 52, 30, 25, 84, 60, 4, 58, 69, 13, 3, 74, -1, 15, 4, 13, 42, 63, 70, 22, 72, 15],
    [79, 74, 69, 92, 92, 93, 101, 77, 84, 88, 113, 47, 78, 102, 89, 73, 50, 71, 86, 72, -11, 85, 77, 72, 64, 94, 42],
    [15, 40, 19, 11, 0, 14, 5, 25, 6, 89, 13, 25, 5, 8, 6, 53, 38, 23, 14, 9, 30, 20, 23, 33, 2, 54, 41],
    [28, 90, 28, 76, 0, 34, 45, 11, 10, 81, 37, 39, 29, 34, 17, 7, 22, 20, 3, 4, 12, 32, 7, 79, 9, 66, 24],
    [16, 46, 27, 26, 7, 32, 88, 4, 4, 97, 33, 21, 32, 59, 14, 26, 90, 4, 14, 9, 9, 75, 21, 21, -2, 26, 35],
    [22, 1, 15, 22, 10, 30, 5, 79, 16, 73, 35, -8, 8, 4, 53, 2, 91, 7, 14, 3, 66, 49, 80, 14, 73, 50, 38],
    [14, 83, 65, 90, -4, 86, 30, 83, 10, 71, 57, 79, 46, 86, 10, 67, 64, 59, 61, 75, 12, 73, 63, 82, 62, 60, 38],
    [23, 65, 70, 36, 9, 71, 82, 16, 18, 84, 90, 51, 81, -1, 10, 78, 90, 21, 3, 58, 68, 79, 33, 61, 50, 93, 77],
    [27, 68, 29, 75, 21, 64, 127, 78, 35, 63, 88, 82, 43, 102, 111, 19, 89, 88, 68, 20, 65, 77, 102, 63, 41, 87, 86],
    [62, 85, 44, 84, 8, 108, 76, 95, 29, 110, 50, 38, 49, 13, 21, 33, 98, 58, 10, 28, 57, 86, 63, 103, 93, 65, 77],
    [30, 82, 80, 97, 27, 100, 87, 69, 40, 83, 68, 81, 71, 51, 56, 91, 110, 93, 89, 54, 41, 91, 47, 79, 20, 38, 33],
    [42, 45, 33, 46, 21, 9, 15, -20, 58, 17, 49, 29, 23, -5, -13, 40, 42, 14, 25, 16, 95, 13, 67, 36, 18, 29, 26],
];
