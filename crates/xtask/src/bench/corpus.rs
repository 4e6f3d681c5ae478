//! Documents to measure with: English-like, about 714 bytes each, the same in every run.

/// Bytes of a document, as in the published measurements.
pub const BYTES: usize = 714;

const WORDS: &str = "the service reads its settings from a file and every deploy runs behind one proxy team prefers small \
    changes with clear names tests are written before release because customers asked for stable output \
    in spring when traffic doubles cache expires after an hour unless someone pins it logs go to disk \
    first then collector picks them up at night never restart database during backup window editor shows \
    tabs as four spaces while linter complains about long lines";

const KINDS: &[&str] = &["user", "feedback", "project", "reference"];

/// A document of [`BYTES`] bytes; another number gives another text.
pub fn document(number: usize) -> String {
    let mut luck = Luck::new(number as u64 + 1);
    let kind = KINDS[number % KINDS.len()];
    let mut text = format!(
        "---\nname: Note {number}\ndescription: {}\ntype: {kind}\n---\n",
        sentence(&mut luck, 6).trim_end_matches('.')
    );
    while text.len() < BYTES {
        text.push_str("- ");
        text.push_str(&sentence(&mut luck, 12));
        text.push('\n');
    }
    // All ASCII, so every byte is a border.
    text.truncate(BYTES - 1);
    text.push('\n');
    text
}

fn sentence(luck: &mut Luck, words: usize) -> String {
    let known: Vec<&str> = WORDS.split(' ').collect();
    let picked: Vec<&str> = (0..words).map(|_| known[luck.below(known.len())]).collect();
    let text = picked.join(" ");
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}

/// Numbers that look random and are the same in every run (xorshift64*).
pub struct Luck(u64);

impl Luck {
    /// Another seed gives other numbers.
    pub fn new(seed: u64) -> Luck {
        Luck(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_differ_but_not_between_runs() {
        assert_eq!(document(7), document(7));
        assert_ne!(document(7), document(8));
        for number in 0..500 {
            assert_eq!(document(number).len(), BYTES);
        }
    }
}
