//! Transcripts of any size are read in a bounded amount of memory.

use loci_domain::transcript::Format;
use loci_memory::sessions::Reading;
use serde_json::{Value, json};
use std::io::{self, Read, Seek, SeekFrom};
use std::process::Command;

const BYTES: usize = 72 << 20;
/// What a process may need more for it: a bite, a unit of 16 MiB that turns out to be too long, and what parsing takes.
const MOST: u64 = 40 << 10;

/// Stands for text that is too long for a unit.
const LONG: &str = "(long)";

/// A transcript that is made while it is read; in its middle is a unit that is too long.
struct Made {
    format: Format,
    made: usize,
    turns: usize,
    ahead: Vec<u8>,
    /// Bytes of the long text that are to come, and what comes then.
    long: (usize, String),
}

impl Made {
    fn new(format: Format) -> Made {
        Made { format, made: 0, turns: 0, ahead: Vec::new(), long: (0, String::new()) }
    }

    fn unit(&mut self) -> Option<String> {
        let first = self.made == 0;
        self.turns += 1;
        let text =
            if self.turns == 500 { LONG.to_owned() } else { format!("Turn {} {}", self.turns, "word ".repeat(6000)) };
        let document = self.format == Format::OpenCode;
        let unit = match (self.made > BYTES, document) {
            (true, true) if self.made < usize::MAX => "]}".to_owned(),
            (true, _) => return None,
            (false, true) => {
                let head = if first { r#"{"info":{"id":"s"},"messages":["# } else { "," };
                format!(
                    "{head}{}",
                    json!({"info": {"id": self.turns.to_string(), "role": "user"}, "parts": [part(&text)]})
                )
            }
            (false, false) => {
                format!("{}\n", json!({"type": "user", "uuid": self.turns.to_string(), "message": {"content": text}}))
            }
        };
        self.made = if self.made > BYTES { usize::MAX } else { self.made + unit.len() };
        Some(unit)
    }
}

impl Made {
    /// The next bytes, of which none are many.
    fn piece(&mut self) -> String {
        let (left, then) = &mut self.long;
        if *left > 0 {
            *left -= 1 << 20;
            return "x".repeat(1 << 20);
        }
        if !then.is_empty() {
            return std::mem::take(then);
        }
        let unit = self.unit().unwrap_or_default();
        match unit.split_once(LONG) {
            Some((before, after)) => {
                self.long = (17 << 20, after.to_owned());
                before.to_owned()
            }
            None => unit,
        }
    }
}

fn part(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

impl Read for Made {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ahead.is_empty() {
            self.ahead = self.piece().into_bytes();
        }
        let length = self.ahead.len().min(into.len());
        into[..length].copy_from_slice(&self.ahead[..length]);
        self.ahead.drain(..length);
        Ok(length)
    }
}

impl Seek for Made {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        assert_eq!((to, self.made), (SeekFrom::Start(0), 0), "only a fresh one is at its start");
        Ok(0)
    }
}

/// The most memory that this process ever had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// In a process of its own, since all tests of one share its memory.
#[test]
fn a_large_transcript_is_read_in_little_memory() {
    const CHILD: &str = "LOCI_TEST_STREAMS";
    if std::env::var_os(CHILD).is_none() {
        let name = "streams::a_large_transcript_is_read_in_little_memory";
        let mut child = Command::new(std::env::current_exe().unwrap());
        let done = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        return;
    }
    for format in [Format::ClaudeCode, Format::OpenCode] {
        let (mut made, before) = (Made::new(format), peak());
        let mut reading = Reading::start(format, &mut made).unwrap();
        let (mut turns, mut bytes) = (0, 0);
        while let Some(some) = reading.more().unwrap() {
            turns += some.len();
            bytes += some.iter().map(|turn| turn.content.len()).sum::<usize>();
        }
        assert_eq!(reading.skipped(), 1, "{format}: the one that is too long");
        assert!(bytes > 48 << 20 && turns > 1500, "{format}: {turns} turns of {bytes} bytes");
        let more = peak() - before;
        assert!(more < MOST, "{format}: {more} KiB for {BYTES} bytes");
    }
}
