//! Sessions: what was said, message by message, and where its words stand.
//!
//! Text arrives already cut into tokens (`domain::words`) and embedded, so every engine finds the same; ranking is not
//! done here. For search, messages lie in *chunks*: at most [`CHUNK`] of one session, in order. A chunk's number is
//! never used again, and a chunk never changes under its number; what is added, cut or replaced makes new ones.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::transcript::Role;

/// The most messages of a chunk.
pub const CHUNK: usize = 128;

/// Whose sessions they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whose {
    /// The account; `local` for a person on their own machine.
    pub account: String,
    /// The identity of the project; empty for a session of none.
    pub project: String,
}

/// A session as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose.
    pub whose: Whose,
    /// Its name, unique among those.
    pub id: String,
    /// What it is about, on one line; empty when nobody knows.
    pub title: String,
    /// In which format it came.
    pub format: String,
    /// When something was last said in it.
    pub at: Timestamp,
    /// When it was last written here.
    pub kept_at: Timestamp,
}

/// A session on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its number in this ledger, never used again.
    pub number: u64,
    /// What it is.
    pub session: Session,
    /// How many messages it has.
    pub messages: u64,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its name in the session.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// The words.
    pub content: String,
    /// When.
    pub at: Option<Timestamp>,
    /// The tools that it calls, as JSON; empty without any.
    pub calls: String,
    /// What it came from, so that the same transcript is not taken twice; stays when the words are redacted.
    pub mark: u64,
}

/// A message with what search needs of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The message.
    pub message: Message,
    /// Its tokens, with a space between them.
    pub words: String,
    /// True when it ends in a question.
    pub asks: bool,
    /// Its vector; all messages of a session have vectors of one length.
    pub vector: Vec<u8>,
}

/// What a ranker knows of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its number.
    pub number: u64,
    /// The session's number.
    pub session: u64,
    /// The position of its first message in the session.
    pub first: u64,
    /// Who cut and embedded it.
    pub maker: String,
    /// For each message, how many tokens it has and whether it ends in a question.
    pub measures: Vec<(u16, bool)>,
    /// The vectors of its messages, back to back.
    pub vectors: Vec<u8>,
}

/// Where a term stands in a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The chunk's number.
    pub chunk: u64,
    /// Which of the asked terms, by position.
    pub term: u16,
    /// Each message of the chunk that has it, by place in the chunk, and how often (255 stands for more).
    pub places: Vec<(u8, u8)>,
}

/// Keeping and finding what was said.
#[async_trait]
pub trait Sessions {
    /// Keeps the first `from` messages of a session and puts these behind them, in place of all that stood there; makes
    /// the session when it is new. `maker` is who cut and embedded them. One step as a whole, on disk when this returns.
    ///
    /// [`super::Error::Missing`] when the session has fewer than `from` messages. Text that goes leaves no byte behind
    /// once the ledger has written its log back.
    async fn say(&self, session: &Session, from: u64, maker: &str, messages: &[Said]) -> Result<()>;

    /// All sessions of an account, the one in which something was said last first; ties by name, then project.
    async fn sessions(&self, account: &str) -> Result<Vec<Kept>>;

    /// One session.
    async fn session(&self, whose: &Whose, id: &str) -> Result<Option<Kept>>;

    /// The marks of a session's messages, in order, as far as they are whole; none for an unknown one.
    async fn marks(&self, whose: &Whose, id: &str) -> Result<Vec<u64>>;

    /// Messages of a session from a position on, at most so many; none for an unknown number.
    async fn messages(&self, session: u64, from: u64, limit: usize) -> Result<Vec<Message>>;

    /// Removes a session with all its words; says whether it was there. Durable, and no byte of its text is left.
    async fn drop_session(&self, session: u64) -> Result<bool>;

    /// Where a text stands in messages of an account, in any case of its ASCII letters, by session number and position.
    async fn said(&self, account: &str, text: &str) -> Result<Vec<(u64, u64)>>;

    /// A mark that differs whenever a session of these came, changed or went; never one that was there before, 0 for
    /// unknown ones. Constant time.
    async fn talk(&self, whose: &Whose) -> Result<u64>;

    /// The numbers of all chunks, by session and position.
    async fn chunk_numbers(&self, whose: &Whose) -> Result<Vec<u64>>;

    /// The chunks with a number above `after`, by number, at most so many.
    async fn chunks(&self, whose: &Whose, after: u64, limit: usize) -> Result<Vec<Chunk>>;

    /// Where each term stands, in the order of the terms and then by chunk. Terms are single tokens, compared as they are;
    /// those behind the 65,536th are not looked for.
    async fn heard(&self, whose: &Whose, terms: &[String]) -> Result<Vec<Heard>>;
}
