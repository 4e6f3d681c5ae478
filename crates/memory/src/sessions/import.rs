//! Importing a transcript: read as a stream, redacted, and only what is new is written.
//!
//! Each message has a mark of what it came from. As long as the marks of a transcript and of the session on record agree,
//! nothing is written; from the first that differs on, the transcript replaces what was there.

use super::read::{Reading, first_words};
use super::source::Source;
use super::{AT_ONCE, Memory, Result};
use crate::Error;
use crate::recall::sessions::fresh::{MAKER, said};
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::secrets;
use loci_domain::transcript::{Called, Format, Turn};
use loci_store::record::{Message, Record, Said, Session};
use serde::Serialize;
use serde_json::{Value, json};

/// Bytes of messages that are written together.
const WEIGHT: usize = 4 << 20;
/// Bytes of a session's name.
pub(super) const LONGEST_NAME: usize = 200;

/// A transcript to import.
pub struct Transcript<'a> {
    /// What the session is called.
    pub id: String,
    /// How it is written.
    pub format: Format,
    /// Where it comes from.
    pub source: &'a mut dyn Source,
    /// When the file was last changed, for a transcript that knows no times.
    pub changed_at: Timestamp,
}

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Sessions that are new or changed.
    pub imported: u64,
    /// Messages that were added.
    pub messages: u64,
    /// Lines that make no sense.
    pub skipped_lines: u64,
}

impl Memory {
    /// Imports a transcript into this project. A transcript without a single good line imports nothing.
    pub async fn import_session(&self, transcript: Transcript<'_>) -> Result<Imported> {
        let Transcript { id, format, source, changed_at } = transcript;
        if id.is_empty() || id.len() > LONGEST_NAME || id.chars().any(char::is_control) {
            return Err(Error::BadSession(id));
        }
        let record = self.record()?;
        let whose = self.whose();
        let known = record.marks(&whose, &id).await?;
        let before = record.session(&whose, &id).await?.map(|kept| kept.session);
        let (title, kept_at) = (String::new(), self.store.now());
        let session = Session { whose, id, title, format: format.to_string(), at: changed_at, kept_at };
        let mut writing =
            Writing { record, session, before, known, seen: 0, agrees: true, waiting: Vec::new(), weight: 0 };
        let mut reading = Reading::start(format, source).map_err(loci_store::Error::io)?;
        let (mut first, mut last, mut added) = (None, None, 0);
        while let Some(turns) = reading.more().map_err(loci_store::Error::io)? {
            for turn in turns {
                last = turn.at.max(last);
                writing.session.at = last.unwrap_or(changed_at);
                first = first.or_else(|| first_words(&turn));
                added += u64::from(writing.take(turn).await?);
            }
            // Reading never waits, nor does a ledger in a file: whoever renews a claim on the same thread gets its turn here.
            tokio::task::yield_now().await;
        }
        let title = reading.about().title.or(first).unwrap_or_default();
        writing.session.title = secrets::redact(&title).into_owned();
        let changed = writing.finish().await?;
        Ok(Imported { imported: u64::from(changed), messages: added, skipped_lines: reading.skipped() })
    }
}

/// Messages on their way.
struct Writing<'a> {
    record: &'a dyn Record,
    session: Session,
    /// The session as it was, if it was there.
    before: Option<Session>,
    /// The marks of what is on record.
    known: Vec<u64>,
    /// Messages of the transcript so far.
    seen: u64,
    /// As long as all of them are on record.
    agrees: bool,
    waiting: Vec<Said>,
    weight: usize,
}

impl Writing<'_> {
    /// Takes a turn; true when it is new.
    async fn take(&mut self, turn: Turn) -> Result<bool> {
        let message = message(turn);
        let place = usize::try_from(self.seen).unwrap_or(usize::MAX);
        self.seen += 1;
        self.agrees = self.agrees && self.known.get(place) == Some(&message.mark);
        if self.agrees {
            return Ok(false);
        }
        self.weight += message.content.len() + message.calls.len();
        self.waiting.push(said(message));
        if self.waiting.len() >= AT_ONCE || self.weight >= WEIGHT {
            self.write().await?;
        }
        Ok(true)
    }

    async fn write(&mut self) -> Result<()> {
        let messages = std::mem::take(&mut self.waiting);
        self.weight = 0;
        let from = self.seen - messages.len() as u64;
        Ok(self.record.say(&self.session, from, MAKER, &messages).await?)
    }

    /// Writes the rest; true when anything changed.
    async fn finish(mut self) -> Result<bool> {
        // A transcript that became shorter is another one; one without a good line says nothing.
        let shorter = self.agrees && self.seen > 0 && self.seen < self.known.len() as u64;
        let changed = shorter || !self.agrees;
        match &self.before {
            // Only its title is another: nobody has to read it again for that.
            Some(before) if !changed && self.seen > 0 => {
                self.session = Session { title: self.session.title, ..before.clone() };
                if self.session != *before {
                    self.write().await?;
                }
            }
            // What was written on the way has no title yet.
            _ if changed => self.write().await?,
            _ => {}
        }
        Ok(changed)
    }
}

/// A turn as it is kept: without secrets, with a mark of what is left.
pub(super) fn message(turn: Turn) -> Message {
    let content = secrets::redact(&turn.content).into_owned();
    let calls = if turn.calls.is_empty() { String::new() } else { redacted(calls(turn.calls)).to_string() };
    let at = turn.at.map(|at| at.as_microsecond());
    let whole = json!([turn.id, turn.role.word(), content, calls, at]).to_string();
    let mark =
        Digest::of(whole.as_bytes()).as_bytes().iter().take(8).fold(0, |mark, byte| mark << 8 | u64::from(*byte));
    Message { id: turn.id, role: turn.role, content, at: turn.at, calls, mark }
}

fn calls(calls: Vec<Called>) -> Value {
    calls.into_iter().map(|call| json!({"name": call.name, "arguments": call.arguments})).collect()
}

/// Secrets taken out of every text in it, and out of `name: value` pairs that make one only together.
fn redacted(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(secrets::redact(&text).into_owned()),
        Value::Array(values) => values.into_iter().map(redacted).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (String, Value)| match value {
                Value::String(text) => {
                    let pair = format!("{name}: \"{text}\"");
                    let clean = secrets::redact(&text).into_owned();
                    let told = clean == text && secrets::redact(&pair) != pair;
                    (name, Value::String(if told { "[REDACTED]".to_owned() } else { clean }))
                }
                other => (name, redacted(other)),
            };
            Value::Object(fields.into_iter().map(field).collect())
        }
        other => other,
    }
}
