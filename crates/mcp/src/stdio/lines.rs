//! Input whose lines have an end: who sends one that is too long hears of it, and the next one is read as if nothing
//! had been.

use std::io::Result;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// What follows the beginning of a line that is too long: its end, and a line that is JSON but no message, which the
/// protocol answers with an error.
const STAND_IN: &[u8] = b"\n{}\n";

/// A reader that passes on at most so many bytes of a line.
pub struct Lines<R> {
    input: R,
    longest: usize,
    /// What was read and not looked at yet.
    read: Vec<u8>,
    at: usize,
    /// Bytes of the current line that were passed on.
    long: usize,
    /// Whether the rest of the current line is passed over.
    skipping: bool,
    stand_in: &'static [u8],
}

impl<R> Lines<R> {
    pub fn new(input: R, longest: usize) -> Lines<R> {
        Lines { input, longest, read: Vec::new(), at: 0, long: 0, skipping: false, stand_in: b"" }
    }

    /// Passes on what fits of what was read.
    fn pass_on(&mut self, out: &mut ReadBuf<'_>) {
        while out.remaining() > 0 {
            if let [next, rest @ ..] = self.stand_in {
                out.put_slice(&[*next]);
                self.stand_in = rest;
                continue;
            }
            let rest = &self.read[self.at..];
            let end = rest.iter().position(|byte| *byte == b'\n');
            if self.skipping {
                self.at += end.map_or(rest.len(), |end| end + 1);
                self.skipping = end.is_none();
                self.long = 0;
                if self.skipping {
                    return;
                }
                continue;
            }
            let line = end.map_or(rest.len(), |end| end + 1).min(out.remaining());
            let fits = line.min(self.longest - self.long);
            out.put_slice(&rest[..fits]);
            self.at += fits;
            self.long += fits;
            if fits < line {
                (self.skipping, self.stand_in) = (true, STAND_IN);
            } else if fits == 0 {
                return;
            } else if self.read[self.at - 1] == b'\n' {
                self.long = 0;
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let before = out.filled().len();
        loop {
            self.pass_on(out);
            if out.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
            let mut read = std::mem::take(&mut self.read);
            read.resize(64 * 1024, 0);
            let mut buffer = ReadBuf::new(&mut read);
            let polled = Pin::new(&mut self.input).poll_read(cx, &mut buffer);
            let filled = buffer.filled().len();
            let filled = if polled.is_ready() { filled } else { 0 };
            read.truncate(filled);
            (self.read, self.at) = (read, 0);
            ready!(polled)?;
            if filled == 0 {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    async fn passed(text: &str, chunk: usize) -> String {
        let (mut ours, theirs) = duplex(chunk);
        let mut lines = Lines::new(theirs, 10);
        let text = text.to_owned();
        let write = tokio::spawn(async move { ours.write_all(text.as_bytes()).await });
        let mut all = String::new();
        lines.read_to_string(&mut all).await.unwrap();
        write.await.unwrap().unwrap();
        all
    }

    #[tokio::test]
    async fn a_line_too_long_is_cut_and_followed_by_a_stand_in() {
        for chunk in [1, 3, 7, 64, 4096] {
            assert_eq!(passed("123456789\nb\n\nc", chunk).await, "123456789\nb\n\nc", "{chunk}");
            assert_eq!(passed("a\n1234567890\nb\n", chunk).await, "a\n1234567890\n{}\nb\n", "{chunk}");
            assert_eq!(passed("1234567890123456789012345\nb\n", chunk).await, "1234567890\n{}\nb\n", "{chunk}");
            assert_eq!(passed("12345678901234567890", chunk).await, "1234567890\n{}\n", "{chunk}");
        }
    }
}
