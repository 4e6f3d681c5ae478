//! Context: what an agent gets at the start of a session, and what a turn adds to it.
//!
//! Owns the parts, who may claim how much of the budget, and that a session sees the same bytes until its next boundary.
//! Never counts as use: preloading is no reading.
//! Start at [`Memory::context`]; parts are made in `context/parts.rs`.

mod parts;

use crate::recall::{Recall, shown};
use crate::{Memory, Result, Verb};
use loci_domain::hot::Limits;
use loci_domain::tokens::{estimate, within};
use serde::{Deserialize, Serialize};

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Context {
    /// The turn's question, for the recall block.
    pub query: Option<String>,
    /// Tokens for the whole.
    pub budget: usize,
    /// The session, which sees the same bytes until its next boundary.
    pub session: Option<String>,
    /// Whether a new segment of the session starts here.
    pub boundary: Boundary,
    /// Budgets of the hot set.
    pub hot: Limits,
    /// Half-life of use, in days.
    pub half_life_days: f64,
    /// Tokens of the handbook's summary at most; `None` = it is left out.
    pub summary_tokens: Option<usize>,
    /// Documents of the recall block at most.
    pub recall_limit: usize,
    /// Characters of a document in the recall block.
    pub doc_chars: usize,
}

/// Whether a session goes on or starts a new segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// It goes on.
    No,
    /// After a compaction.
    Yes,
}

/// The context, whole and in parts.
#[derive(Debug, Clone, Serialize)]
pub struct Given {
    /// Exactly what is injected.
    pub text: String,
    /// Its estimated tokens.
    pub tokens: usize,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

/// One part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// `guidance`, `index`, `hot`, `summary` or `recall`.
    pub name: String,
    /// Its estimated tokens.
    pub tokens: usize,
    /// Its text.
    pub text: String,
}

/// Whether a segment was made of all that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    All,
    /// A scope or a file could not be read.
    Some,
}

/// What the blank lines between parts may cost.
const SEAM: usize = 4;
/// The share of the budget that a turn's recall may claim before the index.
const RECALL_SHARE: usize = 4;

impl Memory {
    /// What would be injected right now.
    pub fn context(&self, mut ask: Context) -> Verb<'_, Given> {
        Box::pin(async move {
            // Claimed by the estimate, promised by the real count.
            (ask.budget, ask.hot.tokens) = (within(ask.budget), within(ask.hot.tokens));
            let share = ask.budget / RECALL_SHARE;
            let parts = match ask.session.clone() {
                // A session keeps its segment, so each turn's share is left free in it from the start.
                Some(session) => {
                    let mut parts = match self.kept(&session, ask.boundary).await? {
                        Some(parts) => parts,
                        None => self.segment(&ask, &session, ask.budget - share).await?,
                    };
                    let room = ask.budget.saturating_sub(Given::of(parts.clone()).tokens + SEAM);
                    parts.extend(self.recall_part(&ask, share.min(room)).await?);
                    parts
                }
                None => {
                    let recall = self.recall_part(&ask, share).await?;
                    let taken = recall.as_ref().map_or(0, |part| part.tokens + SEAM);
                    let mut parts = self.parts(&ask, ask.budget.saturating_sub(taken)).await?.0;
                    parts.extend(recall);
                    parts
                }
            };
            // The estimate of the whole may differ a little from the sum; the budget holds for the whole.
            let mut given = Given::of(parts);
            while given.tokens > ask.budget && !given.parts.is_empty() {
                given.parts.pop();
                given = Given::of(given.parts);
            }
            Ok(given)
        })
    }

    /// The segment that the session was given, unless a new one starts.
    async fn kept(&self, session: &str, boundary: Boundary) -> Result<Option<Vec<Part>>> {
        let conversation = self.conversation(session);
        if boundary == Boundary::Yes {
            // What was shown before is gone from the agent's context.
            self.record()?.forget_shown(&conversation).await?;
            return Ok(None);
        }
        let segment = self.record()?.segment(&conversation).await?;
        Ok(segment.and_then(|segment| serde_json::from_str(&segment).ok()))
    }

    /// Makes a segment and keeps it for the session, unless something could not be read: the next turn may see more.
    async fn segment(&self, ask: &Context, session: &str, budget: usize) -> Result<Vec<Part>> {
        let (parts, read) = self.parts(ask, budget).await?;
        if let (Read::All, Ok(segment)) = (read, serde_json::to_string(&parts)) {
            self.record()?.keep_segment(&self.conversation(session), &segment, self.store.now()).await?;
        }
        Ok(parts)
    }

    /// The turn's block: as many of the documents as fit. To look at a context shows the session nothing: the same question
    /// gets the same bytes.
    async fn recall_part(&self, ask: &Context, room: usize) -> Result<Option<Part>> {
        let Some(query) = &ask.query else { return Ok(None) };
        let question = Recall {
            query: query.to_owned(),
            scope: None,
            limit: ask.recall_limit,
            doc_chars: ask.doc_chars,
            session: ask.session.clone(),
            // An agent waits for its context.
            model: None,
        };
        let (_, documents) = self.look_up(question).await?;
        let block = |shown| Part::new("recall", shown::prompt(&documents[..shown], ask.doc_chars, self.store.now()));
        Ok((1..=documents.len()).rev().map(block).find(|part| part.tokens <= room))
    }
}

impl Given {
    fn of(parts: Vec<Part>) -> Given {
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let text = texts.join("\n\n");
        Given { tokens: estimate(&text), text, parts }
    }
}

impl Part {
    fn new(name: &str, text: String) -> Part {
        Part { name: name.to_owned(), tokens: estimate(&text), text }
    }
}
