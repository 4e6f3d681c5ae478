//! Extractions: what past sessions came to, one row a session, and how far each project's handbook is made of them.
//!
//! A row is written only together with the end of the job that made it ([`super::JobEnd::Distilled`]), so that one whose
//! claim was lost leaves nothing. A session that is dropped takes its row along.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;

/// What one session came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction {
    /// The identity of the project.
    pub project: String,
    /// The session's name in it.
    pub session: String,
    /// How far the session was read, by the mark of the job that did.
    pub mark: u64,
    /// When the session had last been written when it was read.
    pub kept_at: Timestamp,
    /// When something was last said in it.
    pub said_at: Timestamp,
    /// What is worth keeping; empty = nothing.
    pub raw_memory: String,
    /// What it was about; empty = nothing durable.
    pub summary: String,
    /// A short name for it.
    pub slug: Option<String>,
    /// When it was made.
    pub at: Timestamp,
}

impl Extraction {
    /// True when nothing durable was in the session: the row only says that it has been read.
    pub fn is_nothing(&self) -> bool {
        self.raw_memory.is_empty() && self.summary.is_empty()
    }
}

/// How far a session was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watermark {
    /// The identity of the project.
    pub project: String,
    /// The session's name in it.
    pub session: String,
    /// The mark of the job that read it.
    pub mark: u64,
    /// When the session had last been written then.
    pub kept_at: Timestamp,
}

/// How far a handbook is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handbook {
    /// The identity of the project.
    pub project: String,
    /// How often what it is made of has changed.
    pub changed: u64,
    /// Up to which of these changes it was made.
    pub made: u64,
    /// When it was last made.
    pub made_at: Option<Timestamp>,
    /// Sessions that came to something.
    pub extractions: u64,
    /// Sessions that were read and came to nothing.
    pub nothing: u64,
}

/// What a handbook is made of, all of one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// How often it has changed.
    pub changed: u64,
    /// Up to which change the handbook was made.
    pub made: u64,
    /// What sessions came to, the one in which something was said last first; ties by name.
    pub extractions: Vec<Extraction>,
    /// How many more there are.
    pub left_out: u64,
}

/// What was taken away from a project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Extractions, also those that say nothing.
    pub extractions: u64,
    /// Jobs.
    pub jobs: u64,
}

/// Keeping what sessions came to.
#[async_trait]
pub trait Extractions {
    /// How far each session of each project was read, in no order.
    async fn watermarks(&self) -> Result<Vec<Watermark>>;

    /// What a project's handbook is to be made of: at most so many extractions that say something.
    async fn snapshot(&self, project: &str, limit: usize) -> Result<Snapshot>;

    /// Every project that has extractions, or had some; by identity.
    async fn handbooks(&self) -> Result<Vec<Handbook>>;

    /// Marks a project's handbook as out of date, though no extraction changed: the next run makes it anew. Says the number
    /// of the change, up to which it is to be made then. Durable.
    async fn mark_stale(&self, project: &str) -> Result<u64>;

    /// Puts `instead` in the place of each of these texts in all extractions, which lose their short names with it: those
    /// may be made of the text. Names the projects in which that changed something. Durable, and no byte of the texts is left there once the ledger has written its log back.
    async fn redact_extractions(&self, texts: &[String], instead: &str) -> Result<Vec<String>>;

    /// Takes extractions, watermarks and the jobs of these kinds of a project away, whoever is at one. Durable.
    async fn clear_extractions(&self, project: &str, kinds: &[&str]) -> Result<Cleared>;
}
