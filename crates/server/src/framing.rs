//! Where requests on a connection end, as their heads say it.
//!
//! A head that says it twice, by length and by chunks, is understood differently by different readers, and one of them
//! may stand before us: such a request is refused (request smuggling). The HTTP engine drops one of the two before
//! anybody sees it, so the bytes are looked at on their way in.
//! Only requests with a length are followed. One in chunks is the last of its connection, see `listen`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A head that is longer is refused by the engine anyway.
const MOST: usize = 128 * 1024;

/// Whether a connection had an ambiguous head.
#[derive(Clone, Default)]
pub struct Ambiguous(Arc<AtomicBool>);

impl Ambiguous {
    /// True from the first such head on.
    pub fn is(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Follows the bytes of one connection.
pub struct Framing {
    at: At,
    found: Ambiguous,
}

enum At {
    Head(Vec<u8>),
    Body(u64),
    /// Nobody reads on.
    End,
}

impl Framing {
    /// Tells `found` of what it sees.
    pub fn new(found: Ambiguous) -> Framing {
        Framing { at: At::Head(Vec::new()), found }
    }

    /// Takes the next bytes.
    pub fn read(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = match &mut self.at {
                At::End => return,
                At::Body(left) => {
                    let here = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                    *left -= here as u64;
                    if *left == 0 {
                        self.at = At::Head(Vec::new());
                    }
                    &bytes[here..]
                }
                At::Head(head) => {
                    let before = head.len();
                    head.extend_from_slice(bytes);
                    match end(head, before) {
                        Some(end) => {
                            let rest = &bytes[end - before..];
                            self.at = after(&head[..end], &self.found);
                            rest
                        }
                        None => {
                            if head.len() > MOST {
                                self.at = At::End;
                            }
                            return;
                        }
                    }
                }
            };
        }
    }
}

/// Where a head ends: after an empty line that is not its first. Bytes before `from` were looked at already.
fn end(head: &[u8], from: usize) -> Option<usize> {
    let start = head.iter().position(|byte| !b"\r\n".contains(byte))?;
    let from = from.saturating_sub(3).max(start);
    (from..head.len()).find_map(|at| match &head[at..] {
        [b'\n', b'\n', ..] => Some(at + 2),
        [b'\n', b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

fn after(head: &[u8], found: &Ambiguous) -> At {
    let (mut length, mut chunks) = (None, false);
    for line in head.split(|byte| *byte == b'\n') {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            length = Some(std::str::from_utf8(value).ok().and_then(|value| value.parse().ok()).unwrap_or(0));
        }
        chunks |= name.eq_ignore_ascii_case(b"transfer-encoding");
    }
    if chunks {
        if length.is_some() {
            found.0.store(true, Ordering::Release);
        }
        return At::End;
    }
    match length {
        Some(length) if length > 0 => At::Body(length),
        _ => At::Head(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found when the bytes come in pieces of any one size.
    fn found(bytes: &[u8]) -> bool {
        let sizes: Vec<bool> = (1..=bytes.len())
            .map(|size| {
                let ambiguous = Ambiguous::default();
                let mut framing = Framing::new(ambiguous.clone());
                bytes.chunks(size).for_each(|piece| framing.read(piece));
                ambiguous.is()
            })
            .collect();
        assert!(sizes.windows(2).all(|two| two[0] == two[1]), "it depends on the pieces");
        sizes[0]
    }

    #[test]
    fn a_length_and_chunks_are_ambiguous() {
        let both = "POST / HTTP/1.1\r\nContent-Length: 4\r\ntransfer-ENCODING : chunked\r\n\r\n0\r\n\r\n";
        assert!(found(both.as_bytes()));
        assert!(found(both.replace("\r\n", "\n").as_bytes()));
        assert!(found(format!("\r\n\r\n{both}").as_bytes()));
        let before = "POST /a HTTP/1.1\r\nContent-Length: 7\r\n\r\na:\r\n\r\nbGET /b HTTP/1.1\r\nHost: x\r\n\r\n";
        assert!(found(format!("{before}{both}").as_bytes()), "also as the third on its connection");
    }

    #[test]
    fn either_alone_is_not() {
        assert!(!found(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
        // A body may hold whatever it likes.
        let body = "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let whole = format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}GET / HTTP/1.1\r\n\r\n", body.len());
        assert!(!found(whole.as_bytes()));
    }
}
