//! Text inside Base64.
//!
//! Owns where an encoded run starts and ends, and its bytes.
//! Never decodes what it decoded: one layer is what configuration files use, more is a game without end.
//! Start at [`runs`].

use std::ops::Range;

/// The shortest run worth decoding: shorter ones hold no token.
const LEAST: usize = 24;
/// Lines of at least this length are taken to be wrapped, and go on on the next.
const WRAPPED: usize = 60;

/// The encoded runs of a text that hold text.
pub(super) fn runs(text: &[u8]) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].iter().position(|byte| SEXTETS[usize::from(*byte)] < 64)?;
            let end = run_end(text, start);
            at = end;
            if end - start >= LEAST
                && let Some(from) = (start..start + 4).find(|from| readable(&text[*from..end]))
            {
                return Some((start..end, decode(&text[from..end])));
            }
        }
    })
}

/// Whether a run, read from its start, begins with text. Images and hashes do not, and neither does a run that is read
/// from the wrong one of four places, as behind a path or a prefix.
fn readable(run: &[u8]) -> bool {
    let text = |byte: u32| matches!(byte & 0xff, 0x20..=0x7e | 0x09 | 0x0a | 0x0d);
    let head = &run[..run.len().min(32)];
    head.len() >= 20
        && head.chunks_exact(4).all(|four| {
            let held = four.iter().fold(0, |held, byte| held << 6 | u32::from(SEXTETS[usize::from(*byte)]));
            text(held >> 16) && text(held >> 8) && text(held)
        })
}

fn run_end(text: &[u8], start: usize) -> usize {
    let mut line = start;
    loop {
        let end =
            line + text[line..].iter().position(|byte| SEXTETS[usize::from(*byte)] > 63).unwrap_or(text.len() - line);
        let padded = end + text[end..].iter().take(2).take_while(|byte| **byte == b'=').count();
        let broken = text[end..].starts_with(b"\n") || text[end..].starts_with(b"\r\n");
        if padded > end || end - line < WRAPPED || !broken {
            return padded;
        }
        let next = end + text[end..].iter().take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
        if text.get(next).is_none_or(|byte| SEXTETS[usize::from(*byte)] > 63) {
            return padded;
        }
        line = next;
    }
}

/// The bytes of a run; signs outside the alphabet (line breaks, padding) are skipped.
fn decode(run: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(run.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for value in run.iter().map(|byte| SEXTETS[usize::from(*byte)]).filter(|value| *value < 64) {
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}

/// The value of each sign in the standard or the URL alphabet; 64 for what is in neither.
static SEXTETS: [u8; 256] = {
    let mut table = [64; 256];
    let signs = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = if at < 64 { at as u8 } else { at as u8 - 2 };
        at += 1;
    }
    table
};
