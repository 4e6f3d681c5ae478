//! Private key blocks.
//!
//! Owns how far a block reaches from its header: to its END line, or through whatever still looks like its data.
//! Never flags a header alone: text *about* keys is not a key.
//! Start at [`end`].

use std::ops::Range;

/// The longest block; real ones stay below 8 KB, PGP ones below twice that.
const LONGEST: usize = 32 * 1024;
/// The least data that makes a block out of a header.
const LEAST: usize = 16;

/// Where the block whose header ends at `from` ends, if there is data in it.
pub(super) fn end(text: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut end, mut data) = (from, from, 0);
    let limit = text.len().min(from + LONGEST);
    while at < limit {
        let (line, next) = line(&text[..limit], at);
        let close = closing(line);
        match body(trimmed(&line[..close.as_ref().map_or(line.len(), |close| close.start)])) {
            Some(0) => {}
            Some(count) => {
                data += count;
                end = at + line.trim_ascii_end().len();
            }
            None => break,
        }
        if let Some(close) = close {
            end = at + close.end;
            break;
        }
        at = next;
    }
    (data >= LEAST).then_some(end)
}

/// The END mark in a line.
fn closing(line: &[u8]) -> Option<Range<usize>> {
    let start = ["-----END ", "---- END "].iter().find_map(|mark| position(line, mark))?;
    let rest = &line[start + 9..];
    let end = position(rest, "----")
        .map_or(rest.len(), |at| at + rest[at..].iter().take_while(|byte| **byte == b'-').count());
    Some(start..start + 9 + end)
}

fn position(line: &[u8], mark: &str) -> Option<usize> {
    line.windows(mark.len()).position(|window| window == mark.as_bytes())
}

/// The line at `at` and where the next starts; an escaped `\n` ends a line as well, as keys in JSON and env files have.
fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let rest = &text[at..];
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'\n' => return (&rest[..index], at + index + 1),
            b'\\' if matches!(rest.get(index + 1), Some(b'n' | b'r')) => return (&rest[..index], at + index + 2),
            _ => {}
        }
    }
    (rest, text.len())
}

/// The line without what quotes, comments and string concatenation put around it.
fn trimmed(line: &[u8]) -> &[u8] {
    let around = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;>#*|\\".contains(byte);
    let line = &line[line.iter().take_while(|byte| around(byte)).count()..];
    let line = line.strip_suffix(b"\" +").unwrap_or(line);
    &line[..line.iter().rposition(|byte| !around(byte)).map_or(0, |at| at + 1)]
}

/// How many bytes of key data a line holds: none for an empty line or a header, nothing if it is not of a block.
fn body(line: &[u8]) -> Option<usize> {
    let data = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    if line.iter().all(data) {
        return Some(line.len());
    }
    // A whole key on one line, its line breaks turned into spaces.
    let mut words = line.rsplit(|byte| *byte == b' ');
    let last = words.next().unwrap_or_default();
    if last.iter().all(data) && words.all(|word| word.len() >= LEAST && word.iter().all(data)) {
        return Some(line.len());
    }
    let headed = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Subject:"];
    (headed.iter().any(|head| line.starts_with(head.as_bytes())) || line == b"...").then_some(0)
}
