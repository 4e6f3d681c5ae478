//! Conversations: what was said in turns, who may speak right now, and which events were taken already.
//!
//! One turn at a time has a conversation. Its number is the fencing token: whoever takes over gets a higher one, and the
//! old one writes nothing any more. All times are the ledger's, so that nobody has to agree about the clock.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::transcript::Role;
use std::time::Duration;

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its number in this ledger, never used again.
    pub number: u64,
    /// Whose it is.
    pub account: String,
    /// What its caller calls it, unique in the account.
    pub key: String,
    /// How many messages it has.
    pub messages: u64,
    /// When it began.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub updated_at: Timestamp,
}

/// A message to be put behind the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Who speaks.
    pub role: Role,
    /// What, as JSON.
    pub content: String,
}

/// A message as it is kept. It is never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its place in the conversation, from 0.
    pub position: u64,
    /// Who speaks.
    pub role: Role,
    /// What, as JSON.
    pub content: String,
    /// When it was kept.
    pub at: Timestamp,
    /// The turn that brought it.
    pub turn: String,
    /// For a summary: the first and the last place that it stands for.
    pub covers: Option<(u64, u64)>,
}

/// What a model may be shown, read at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visible {
    /// The last summary.
    pub summary: Option<Line>,
    /// What the harness said, from the beginning.
    pub persisted: Vec<Line>,
    /// All else that the summary does not stand for, in order; what the turn's own event brought stands last.
    pub rest: Vec<Line>,
    /// How many of them the turn's own event brought.
    pub own: usize,
}

/// A turn to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begin {
    /// Whose.
    pub account: String,
    /// In which conversation; it is made when it is new.
    pub key: String,
    /// The id of what happened: taken once in an account, for so long as `claimed`.
    pub event: String,
    /// The turn's own id.
    pub turn: String,
    /// Who speaks.
    pub agent: String,
    /// What the event brings; stored once, however often the event comes.
    pub ingress: Vec<Spoken>,
    /// How long nobody else may speak.
    pub lasts: Duration,
    /// How long an event that was dealt with is known.
    pub claimed: Duration,
}

/// What came of beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It is this turn's.
    Started(Turn),
    /// The event was taken already.
    Duplicate,
    /// Somebody else speaks until then; nothing was kept.
    Busy(Timestamp),
}

/// How far a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnStatus {
    /// It has the conversation.
    Running,
    /// It said what it had to say.
    Completed,
    /// It gave up.
    Failed,
    /// Another one took the conversation over.
    Lost,
}

impl TurnStatus {
    /// All of them.
    pub const ALL: [TurnStatus; 4] = [TurnStatus::Running, TurnStatus::Completed, TurnStatus::Failed, TurnStatus::Lost];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TurnStatus::Running => "running",
            TurnStatus::Completed => "completed",
            TurnStatus::Failed => "failed",
            TurnStatus::Lost => "lost",
        }
    }

    /// The status with this word.
    pub fn from_word(word: &str) -> Option<TurnStatus> {
        TurnStatus::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its fencing token: higher than that of every turn before.
    pub token: u64,
    /// Its id.
    pub id: String,
    /// The conversation's number.
    pub conversation: u64,
    /// Who speaks.
    pub agent: String,
    /// The event that it is for.
    pub event: String,
    /// How far it is.
    pub status: TurnStatus,
    /// Until when nobody else may speak.
    pub until: Timestamp,
}

/// What came of a step of a turn. Anything but `Done` changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It is done; the time is the end of the lease.
    Done(Timestamp),
    /// Another turn has the conversation.
    Lost,
    /// The turn is over.
    Over,
}

/// Conversations and their turns. Everything here is durable.
#[async_trait]
pub trait Turns {
    /// Takes the event, then the conversation, then keeps what the event brings: all of it or nothing.
    ///
    /// An event whose turn is running, or completed less than `claimed` ago, is a duplicate, also while the conversation
    /// is busy. One whose turn failed, was taken over or ran out of its lease may be taken again; what it brought to this
    /// conversation is not stored twice. A turn whose lease ran out gives the conversation to the next one that asks.
    async fn begin_turn(&self, begin: &Begin) -> Result<Begun>;

    /// Whether an event is taken, by the same rule; for who cannot begin a turn with it.
    async fn is_claimed(&self, account: &str, event: &str, claimed: Duration) -> Result<bool>;

    /// A turn of a conversation of an account.
    async fn turn(&self, account: &str, key: &str, id: &str) -> Result<Option<Turn>>;

    /// Prolongs a turn's lease to so long from now. One that ran out and that nobody took is still the turn's.
    async fn renew_turn(&self, token: u64, lasts: Duration) -> Result<Step>;

    /// Puts messages behind the others and ends the turn; also after its lease ran out, as long as nobody took it.
    async fn complete_turn(&self, token: u64, messages: &[Spoken]) -> Result<Step>;

    /// Ends the turn; its event may be taken again.
    async fn fail_turn(&self, token: u64) -> Result<Step>;

    /// Keeps a summary that stands for the places `covers`, if the turn still has the conversation.
    async fn keep_summary(&self, token: u64, content: &str, covers: (u64, u64)) -> Result<Step>;

    /// What a model may be shown in this turn.
    async fn visible(&self, turn: &Turn) -> Result<Visible>;

    /// The conversations of an account, the one in which something happened last first.
    async fn conversations(&self, account: &str, limit: usize) -> Result<Vec<Conversation>>;

    /// One conversation.
    async fn conversation(&self, account: &str, key: &str) -> Result<Option<Conversation>>;

    /// Messages of a conversation from a place on, at most so many.
    async fn lines(&self, conversation: u64, from: u64, limit: usize) -> Result<Vec<Line>>;

    /// What a conversation says of calls: the messages that have such parts, and the last one whatever it is, if a person
    /// was ever asked about a call in it; else nothing.
    async fn calls(&self, conversation: u64) -> Result<Vec<Line>>;

    /// Puts another text in the place of one in all messages of an account, for a person who wants it gone for good; how
    /// many messages had it.
    async fn redact_lines(&self, account: &str, text: &str, with: &str) -> Result<u64>;

    /// Removes a conversation with all its words and turns; says whether it was there. No byte of its text is left.
    async fn drop_conversation(&self, account: &str, key: &str) -> Result<bool>;
}
