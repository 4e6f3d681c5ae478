//! What extract answers.

use loci_domain::document::Kind;
use serde::Serialize;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Facts were stored.
    Updated,
    /// There was nothing new in it.
    Noop,
    /// It was not looked at.
    Skipped,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Status::Updated => "updated",
            Status::Noop => "noop",
            Status::Skipped => "skipped",
        }
    }
}

/// Why a conversation was not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// It is switched off.
    Disabled,
    /// The agent wrote memory itself in this part.
    MemoryTool,
    /// Somebody is reading exactly this.
    AlreadyRunning,
    /// Somebody is reading; this waits for its turn.
    Queued,
}

impl Skip {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Skip::Disabled => "disabled",
            Skip::MemoryTool => "memory_tool",
            Skip::AlreadyRunning => "already_running",
            Skip::Queued => "queued",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extracted {
    /// How it ended.
    pub status: Status,
    /// Why it was skipped.
    pub skipped_reason: Option<Skip>,
    /// What was stored.
    pub patches: Vec<Patch>,
    /// The types of the documents that changed.
    pub touched_topics: Vec<Kind>,
    /// How many messages of the session are done with.
    pub processed_offset: u64,
}

/// One fact that was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Patch {
    /// Its type.
    pub topic: Kind,
    /// What it says.
    pub summary: String,
    /// In which file.
    pub path: String,
}

impl Extracted {
    pub(super) fn new(status: Status, processed_offset: u64) -> Extracted {
        Extracted { status, skipped_reason: None, patches: Vec::new(), touched_topics: Vec::new(), processed_offset }
    }

    pub(super) fn skipped(reason: Skip, processed_offset: u64) -> Extracted {
        Extracted { skipped_reason: Some(reason), ..Extracted::new(Status::Skipped, processed_offset) }
    }
}
