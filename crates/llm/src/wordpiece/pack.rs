//! A vocabulary as bytes in which tokens can be found where they lie.
//!
//! Owns the format: hash slots, then where each token starts, then the text of all tokens in the order of their ids.
//! The build script packs the shipped vocabulary with this very file, so it must use nothing but `std`.
//! Never reads a vocabulary's source; start at [`pack`], and at `vocabulary.rs` for the other direction.

/// What a token must have before it to count as one that continues a word.
pub const CONTINUING: &str = "##";
/// Bits of a slot that hold the id plus one; the rest is a piece of the hash.
pub const ID_BITS: u32 = 20;
/// The bit of a start that says that the token continues a word.
pub const CONTINUES: u32 = 1 << 31;

/// A vocabulary in its packed form; numbers are little-endian and four bytes wide.
#[derive(Debug)]
pub struct Packed {
    /// A power of two of slots: 0 for an empty one, or the id plus one below a piece of the hash.
    pub slots: Vec<u8>,
    /// For each id where its text starts, with [`CONTINUES`]; one more at the end.
    pub starts: Vec<u8>,
    /// The tokens without the sign of continuation, one after the other.
    pub text: Vec<u8>,
    /// The bytes of the longest token.
    pub longest: usize,
    /// The median of the tokens' bytes, continuation sign included.
    pub median: usize,
}

/// Packs tokens that are given in the order of their ids; an empty one stands for an id that no token has.
///
/// `None` when there are too many of them for the format.
pub fn pack<'a>(tokens: impl Iterator<Item = &'a str>) -> Option<Packed> {
    let tokens: Vec<&str> = tokens.collect();
    let mut slots = vec![0_u32; (tokens.len() * 2).next_power_of_two()];
    let mut packed = Packed { slots: Vec::new(), starts: Vec::new(), text: Vec::new(), longest: 0, median: 1 };
    for (id, token) in tokens.iter().enumerate() {
        let (piece, continues) = match token.strip_prefix(CONTINUING) {
            Some(rest) if !rest.is_empty() => (rest, CONTINUES),
            _ => (*token, 0),
        };
        let start = u32::try_from(packed.text.len()).ok().filter(|start| start & CONTINUES == 0)?;
        packed.starts.extend((start | continues).to_le_bytes());
        packed.text.extend(piece.as_bytes());
        packed.longest = packed.longest.max(piece.len());
        if piece.is_empty() {
            continue;
        }
        let hash = piece.bytes().fold(seed(continues), step);
        let next = u32::try_from(id + 1).ok().filter(|next| next >> ID_BITS == 0)?;
        let mut at = slot(hash, slots.len());
        while slots[at] != 0 {
            at = (at + 1) & (slots.len() - 1);
        }
        slots[at] = mark(hash) | next;
    }
    packed.starts.extend(u32::try_from(packed.text.len()).ok()?.to_le_bytes());
    packed.slots = slots.into_iter().flat_map(u32::to_le_bytes).collect();
    let mut lengths: Vec<usize> = tokens.iter().filter(|token| !token.is_empty()).map(|token| token.len()).collect();
    lengths.sort_unstable();
    packed.median = lengths.get(lengths.len() / 2).copied().unwrap_or(1);
    Some(packed)
}

/// Where the hash of a piece begins, so that the two kinds of pieces lie in different slots.
pub fn seed(continues: u32) -> u64 {
    0xcbf2_9ce4_8422_2325 ^ u64::from(continues)
}

/// The hash with one more byte (FNV-1a): the hashes of all beginnings of a word cost one pass.
pub fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The slot in which the search begins.
pub fn slot(hash: u64, slots: usize) -> usize {
    // FNV leaves its low bits poor after few bytes; one more multiplication brings them up.
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & (slots - 1)
}

/// The piece of the hash that a slot keeps, so that most wrong ones are passed without a look at the text.
pub fn mark(hash: u64) -> u32 {
    (hash as u32) << ID_BITS
}
