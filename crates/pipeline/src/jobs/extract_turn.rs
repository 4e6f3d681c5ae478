//! What a hook asks for at the end of a turn: the session is imported, durable facts are taken from what is new in it,
//! and a dream is tried.
//!
//! Owns how a transcript that an agent named is opened: a regular file, of a bounded size, in the dialect that the agent
//! writes. What is none of that says nothing.

use super::pause;
use crate::rooms::{Room, Rooms, Where};
use jiff::Timestamp;
use loci_domain::transcript::{Format, Turn};
use loci_ledger::{Job, JobEnd, Wanted};
use loci_memory::dream::{Doing, Dream};
use loci_memory::extract::{Extract, Extracted, Skip};
use loci_memory::sessions::{Transcript, turns};
use loci_memory::upkeep::Trigger;
use loci_memory::{Error, Memory};
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

/// The word for it.
pub const KIND: &str = "extract_turn";

/// Bytes of a transcript that is read.
const LARGEST: u64 = 512 << 20;
/// Bytes that are read at once.
const AHEAD: usize = 256 << 10;
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
            catch_up(&room).await;
            dream(&room, &ask.session).await;
            JobEnd::Done(extracted.patches.len() as u64)
        }
        Ok(None) => JobEnd::Done(0),
        Err(Trouble::Passing(why)) => JobEnd::Failed(why.to_owned(), pause(job.attempts)),
        Err(Trouble::Lasting(why)) => JobEnd::Hopeless(why.to_owned()),
        Err(Trouble::Verb(error)) => {
            tracing::warn!(%error, "a turn could not be extracted");
            JobEnd::Failed(format!("extract_failed: {:?}", error.fault()).to_lowercase(), pause(job.attempts))
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
    let (turns, source, format) = match &ask.transcript {
        Some(written) => {
            let format = Format::from_word(&written.format).ok_or(Trouble::Lasting("unknown_format"))?;
            let turns = imported(&room.memory, &ask.session, Path::new(&written.path), format).await?;
            (turns, written.path.clone(), format)
        }
        None => (room.memory.session_turns(&ask.session).await?, String::new(), Format::Loci),
    };
    if turns.is_empty() {
        return Ok(None);
    }
    Ok(Some(room.memory.extract(extraction(room, ask.session.clone(), source, format, turns)).await?))
}

/// The turns of a transcript, which is kept as a session besides.
async fn imported(memory: &Memory, session: &str, path: &Path, format: Format) -> Result<Vec<Turn>, Trouble> {
    let file = open(path)?;
    let changed_at = file.metadata().and_then(|about| about.modified()).ok();
    let changed_at = changed_at.and_then(|at| Timestamp::try_from(at).ok()).unwrap_or_else(Timestamp::now);
    let again = file.try_clone().map_err(|_| Trouble::Passing("unreadable_transcript"))?;
    let turns = turns(format, &mut BufReader::with_capacity(AHEAD, file))
        .map_err(|_| Trouble::Passing("unreadable_transcript"))?;
    if !turns.is_empty() {
        rustix::fs::seek(&again, rustix::fs::SeekFrom::Start(0))
            .map_err(|_| Trouble::Passing("unreadable_transcript"))?;
        let mut source = BufReader::with_capacity(AHEAD, again);
        let transcript = Transcript { id: session.to_owned(), format, source: &mut source, changed_at };
        memory.import_session(transcript).await?;
    }
    Ok(turns)
}

/// Opens a regular file of a bounded size; never waits for a pipe, never follows a link.
fn open(path: &Path) -> Result<File, Trouble> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        // An agent may name its transcript before it writes the first line.
        Err(rustix::io::Errno::NOENT) => return Err(Trouble::Passing("no_transcript")),
        Err(_) => return Err(Trouble::Lasting("unreadable_transcript")),
    };
    match file.metadata() {
        Ok(about) if about.is_file() && about.len() <= LARGEST => Ok(file),
        Ok(about) if about.is_file() => Err(Trouble::Lasting("transcript_too_large")),
        _ => Err(Trouble::Lasting("no_regular_file")),
    }
}

fn extraction(room: &Room, session: String, source: String, format: Format, turns: Vec<Turn>) -> Extract {
    Extract {
        session,
        turns,
        source,
        format: format.word().to_owned(),
        trigger: Trigger::Auto,
        enabled: room.extract,
        roots: room.roots.clone(),
    }
}

/// Reads what somebody else asked for in this project while the extraction ran, and had to wait for it.
async fn catch_up(room: &Room) {
    while let Ok(Some(request)) = room.memory.next_extract().await {
        let Some(format) = Format::from_word(&request.format) else { continue };
        let Ok(file) = open(Path::new(&request.source)) else { continue };
        let Ok(turns) = turns(format, &mut BufReader::with_capacity(AHEAD, file)) else { continue };
        let ask = extraction(room, request.session, request.source, format, turns);
        match room.memory.extract(ask).await {
            Ok(extracted) if !waits(&extracted) => {}
            // Whoever is at it now looks for what waits.
            _ => return,
        }
    }
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
