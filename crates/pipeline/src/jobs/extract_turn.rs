//! What a hook asks for at the end of a turn: the session is imported, durable facts are taken from what is new in it,
//! and a dream is tried.
//!
//! A transcript that an agent named is a regular file, of a bounded size, in the dialect that the agent writes. What is
//! none of that says nothing. It is read once, as a stream, into the ledger; facts are taken from there.

use super::{pause, told};
use crate::rooms::{Room, Rooms, Where};
use loci_domain::transcript::Format;
use loci_ledger::{Job, JobEnd, Wanted};
use loci_memory::dream::{Doing, Dream};
use loci_memory::extract::{Asking, Extract, Extracted, Skip};
use loci_memory::sessions::{Transcript, open};
use loci_memory::upkeep::Trigger;
use loci_memory::{Error, Memory};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// The word for it.
pub const KIND: &str = "extract_turn";

/// Bytes of a transcript that is read: a stream costs time only, but the end of a turn is no place for minutes of it.
const LARGEST: u64 = 4 << 30;
/// Until whoever extracts in this project is done.
const BUSY: Duration = Duration::from_secs(5);

/// A turn that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractTurn {
    /// The agent's name for its session.
    pub session: String,
    /// Which memory.
    #[serde(flatten)]
    pub place: Where,
    /// Where its transcript is; none = in the ledger, as an imported session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Written>,
}

/// A transcript in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Where.
    pub path: String,
    /// The word of its dialect.
    pub format: String,
}

impl ExtractTurn {
    /// The request for it, for a project.
    pub fn wanted(&self, project: String) -> Wanted {
        let payload = serde_json::to_string(self).unwrap_or_default();
        Wanted { kind: KIND.to_owned(), key: self.session.clone(), project, payload, mark: None }
    }
}

/// Why nothing came of it.
enum Trouble {
    /// It may be better another time.
    Passing(&'static str),
    /// It never will.
    Lasting(&'static str),
    /// A verb failed.
    Verb(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Verb(error)
    }
}

pub(crate) async fn run(rooms: &dyn Rooms, job: &Job) -> JobEnd {
    let Ok(ask) = serde_json::from_str::<ExtractTurn>(&job.payload) else {
        return JobEnd::Hopeless("bad_request".to_owned());
    };
    let room = match rooms.open(&ask.place).await {
        Ok(room) => room,
        Err(error) => {
            tracing::warn!(error, "memory cannot be opened for a job");
            return JobEnd::Failed("memory_unavailable".to_owned(), pause(job.attempts));
        }
    };
    match learn(&room, &ask).await {
        Ok(Some(extracted)) if waits(&extracted) => JobEnd::Later(BUSY),
        Ok(Some(extracted)) => {
            // What others asked for in this project while this ran.
            if let Err(error) = room.memory.catch_up(&asking(&room)).await {
                tracing::warn!(%error, "what waited could not be extracted");
            }
            dream(&room, &ask.session).await;
            JobEnd::Done(extracted.patches.len() as u64)
        }
        Ok(None) => JobEnd::Done(0),
        Err(Trouble::Passing(why)) => JobEnd::Failed(why.to_owned(), pause(job.attempts)),
        Err(Trouble::Lasting(why)) => JobEnd::Hopeless(why.to_owned()),
        Err(Trouble::Verb(error)) => {
            tracing::warn!(%error, "a turn could not be extracted");
            JobEnd::Failed(format!("extract_failed: {}", told(&error)), pause(job.attempts))
        }
    }
}

/// Somebody else is at it in this project.
fn waits(extracted: &Extracted) -> bool {
    matches!(extracted.skipped_reason, Some(Skip::AlreadyRunning | Skip::Queued))
}

/// Imports and extracts; `None` = there is nothing, or nobody wants it any more.
async fn learn(room: &Room, ask: &ExtractTurn) -> Result<Option<Extracted>, Trouble> {
    if !room.extract {
        return Ok(None);
    }
    let (source, format) = match &ask.transcript {
        Some(written) => {
            let format = Format::from_word(&written.format).ok_or(Trouble::Lasting("unknown_format"))?;
            keep(&room.memory, &ask.session, Path::new(&written.path), format).await?;
            (written.path.clone(), format)
        }
        None => (String::new(), Format::Loci),
    };
    // From here on it is the session on record, without secrets, of which only what is new is read.
    let part = room.memory.kept_part(&ask.session).await?;
    if part.end() == 0 {
        return Ok(None);
    }
    let (session, format) = (ask.session.clone(), format.word().to_owned());
    Ok(Some(room.memory.extract(Extract { session, part, source, format, asking: asking(room) }).await?))
}

/// Keeps a transcript as a session.
async fn keep(memory: &Memory, session: &str, path: &Path, format: Format) -> Result<(), Trouble> {
    let mut opened = open(path, format).map_err(|error| match error.kind() {
        // An agent may name its transcript before it writes the first line.
        ErrorKind::NotFound => Trouble::Passing("no_transcript"),
        ErrorKind::InvalidInput => Trouble::Lasting("no_regular_file"),
        _ => Trouble::Lasting("unreadable_transcript"),
    })?;
    if opened.bytes > LARGEST {
        return Err(Trouble::Lasting("transcript_too_large"));
    }
    let (id, changed_at) = (session.to_owned(), opened.changed_at);
    memory.import_session(Transcript { id, format, source: &mut *opened.source, changed_at }).await?;
    Ok(())
}

fn asking(room: &Room) -> Asking {
    Asking { trigger: Trigger::Auto, enabled: room.extract, roots: room.roots.clone() }
}

/// Tries a dream; its gates decide, and what becomes of it is on record.
async fn dream(room: &Room, session: &str) {
    let ask = Dream {
        trigger: Trigger::Auto,
        session: Some(session.to_owned()),
        doing: Doing::Apply,
        settings: room.dream.clone(),
    };
    if let Err(error) = room.memory.dream(ask).await {
        tracing::warn!(%error, "the dream after an extraction failed; nothing was changed");
    }
}
