//! The kinds of signs that BERT's tokenizer tells apart.
//!
//! Owns the answer for one sign; the ranges are data, in `assets/bert/categories.txt`.
//! Never follows Unicode further than the reference does: a text must give the tokens that it gives there.

/// What a sign is to the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Part of a word.
    Plain,
    /// Between words.
    Space,
    /// A word by itself.
    Punctuation,
    /// A nonspacing mark, such as an accent.
    Mark,
    /// A control or format sign, or one of private use.
    Other,
}

/// Ranges of signs that are not plain, in order; spaces and ASCII are not among them.
static RANGES: &[(u32, u32, Category)] = &include!(concat!(env!("OUT_DIR"), "/categories.rs"));

impl Category {
    /// The category of a sign; tab and line ends are spaces.
    #[inline]
    pub fn of(c: char) -> Category {
        match c {
            c if c.is_ascii() => Category::of_ascii(c as u8),
            // Most of what is written in other scripts, and without exception plain.
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Category::Plain,
            c => match Category::in_ranges(c) {
                // Asked second, because the next-line sign (U+0085) is both, and is taken for a control sign.
                Category::Plain if c.is_whitespace() => Category::Space,
                category => category,
            },
        }
    }

    /// The category of a sign below 128.
    #[inline]
    pub const fn of_ascii(byte: u8) -> Category {
        match byte {
            b'\t' | b'\n' | b'\r' | b' ' => Category::Space,
            0..b' ' | 127.. => Category::Other,
            byte if byte.is_ascii_punctuation() => Category::Punctuation,
            _ => Category::Plain,
        }
    }

    fn in_ranges(c: char) -> Category {
        let c = u32::from(c);
        let after = RANGES.partition_point(|(first, _, _)| *first <= c);
        match after.checked_sub(1).and_then(|at| RANGES.get(at)) {
            Some((_, last, category)) if c <= *last => *category,
            _ => Category::Plain,
        }
    }
}
