//! As much of HTTP/1.1 as a scripted model needs: one request a connection.

use super::wire::{Seen, Wire};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub(super) wire: Wire,
    /// The path, as it was asked for.
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body; null when it is no JSON.
    pub body: Value,
}

impl Request {
    /// What it says, whatever the wire format.
    pub fn seen(&self) -> Seen {
        self.wire.seen(self)
    }

    /// What a real service would refuse.
    pub(super) fn check(&self) -> Result<(), String> {
        self.wire.check(self)
    }

    pub(super) fn read(stream: &mut TcpStream, wire: Wire) -> Option<Request> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (_method, path) = (words.next()?, words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.insert(name.trim().to_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        Some(Request { wire, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
    }
}

/// Answers and ends the connection. A caller that went away is no news.
pub(super) fn answer(stream: &mut TcpStream, status: u16, headers: &[(String, String)], body: &[u8]) {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{more}\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

/// Promises more than it gives.
pub(super) fn half(stream: &mut TcpStream) {
    let head = b"HTTP/1.1 200 Scripted\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"choi";
    let _ = stream.write_all(head);
}

/// Until the caller hangs up.
pub(super) fn wait_for_end(stream: &mut TcpStream) {
    let mut rest = [0; 512];
    while matches!(stream.read(&mut rest), Ok(read) if read > 0) {}
}
