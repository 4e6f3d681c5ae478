//! The client's end of HTTP on a plain socket: one connection that is kept, one request at a time.
//!
//! Knows as much of HTTP as the daemon speaks: every answer says how long it is.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// No answer in this time is none.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection to a daemon, for one caller.
pub struct Connection {
    stream: BufReader<TcpStream>,
    /// What every request says of itself.
    heads: String,
}

impl Connection {
    /// Connects to `address`; each request shows the token.
    pub fn open(address: &str, token: &str) -> Result<Connection> {
        let stream = TcpStream::connect(address).context("connect")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // A request is one write; waiting for more to send would be measured as the daemon's time.
        stream.set_nodelay(true)?;
        let heads = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n");
        Ok(Connection { stream: BufReader::new(stream), heads })
    }

    /// Asks and waits for the answer; its status and body.
    pub fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value)> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!("{method} {path} HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}", self.heads, body.len());
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (status, length) = head(&mut self.stream)?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }
}

/// Reads an answer up to its body: its status, and how long the body is.
fn head(stream: &mut impl BufRead) -> Result<(u16, usize)> {
    let (mut status, mut length) = (None, None);
    loop {
        let mut line = String::new();
        ensure!(stream.read_line(&mut line)? > 0, "the daemon hung up");
        let line = line.trim_end();
        if line.is_empty() {
            return Ok((status.context("no status")?, length.context("no content-length")?));
        }
        if status.is_none() {
            status = Some(line.split(' ').nth(1).and_then(|word| word.parse().ok()).context("no status")?);
        } else if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse()?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_tells_status_and_length() {
        let mut answer = &b"HTTP/1.1 202 Accepted\r\nDate: now\r\nContent-Length: 2\r\n\r\n{}"[..];
        assert_eq!(head(&mut answer).unwrap(), (202, 2));
        assert_eq!(answer, b"{}");
        assert!(head(&mut &b"HTTP/1.1 200 OK\r\n\r\n"[..]).is_err(), "how long is it?");
        assert!(head(&mut &b""[..]).is_err(), "nobody is there");
    }
}
