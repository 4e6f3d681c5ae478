//! A transcript piece by piece, however large it is.

use loci_domain::transcript::Unit;
use std::io::{self, BufRead, Read};

/// Bytes of a line, or of a file that is read as a whole; what is longer is no message that anybody wrote.
const LONGEST: usize = 16 << 20;

/// One piece of a transcript.
pub(super) enum Piece {
    /// Text to be read.
    Text(String),
    /// Not text, or absurdly long.
    Senseless,
}

/// The next piece; `None` at the end.
pub(super) fn next(unit: Unit, source: &mut dyn BufRead) -> io::Result<Option<Piece>> {
    let mut bytes = Vec::new();
    let whole = match unit {
        Unit::Line => line(source, &mut bytes)?,
        Unit::File => source.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map(|read| (read > 0).then_some(read))?,
    };
    let Some(length) = whole else { return Ok(None) };
    let text = Some(bytes).filter(|_| length <= LONGEST).and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(Some(text.map_or(Piece::Senseless, Piece::Text)))
}

/// Reads a line without its end, of which no more than [`LONGEST`] is kept; how long it was, `None` at the end.
fn line(source: &mut dyn BufRead, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let mut length = 0;
    loop {
        let ahead = source.fill_buf()?;
        if ahead.is_empty() {
            return Ok((length > 0).then_some(length));
        }
        let end = ahead.iter().position(|byte| *byte == b'\n');
        let part = &ahead[..end.unwrap_or(ahead.len())];
        bytes.extend(&part[..part.len().min(LONGEST - bytes.len())]);
        length += part.len();
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            return Ok(Some(length));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(unit: Unit, mut source: &[u8]) -> Vec<Option<String>> {
        let mut pieces = Vec::new();
        while let Some(piece) = next(unit, &mut source).unwrap() {
            pieces.push(match piece {
                Piece::Text(text) => Some(text),
                Piece::Senseless => None,
            });
        }
        pieces
    }

    #[test]
    fn lines_and_files() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(pieces(Unit::Line, b"a\n\nb\r\n\xff\nend"), [some("a"), some(""), some("b\r"), None, some("end")]);
        assert_eq!(pieces(Unit::Line, b""), []);
        assert_eq!(pieces(Unit::File, b"a\nb"), [some("a\nb")]);
    }

    #[test]
    fn an_absurdly_long_line_costs_no_memory_and_is_passed_over() {
        let mut text = vec![b'x'; LONGEST + 1];
        text.extend(b"\nok");
        assert_eq!(pieces(Unit::Line, &text), [None, Some("ok".to_owned())]);
    }
}
