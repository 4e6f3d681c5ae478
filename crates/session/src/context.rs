//! What a model is shown in a turn: system parts in a fixed order, then messages.
//!
//! Owns the order and the names of parts, and that what did not change is the same byte for byte, so that caches of
//! prompts hold: what is only for this turn stands last.
//! Start at [`Runtime::context`].

use crate::binding::{Bound, Rights};
use crate::mirror::{message, session};
use crate::prune::{active, pending, prune, waiting};
use crate::tools::Tool;
use crate::turn::Going;
use crate::{Result, Runtime, harness};
use loci_domain::message::Message;
use loci_domain::tokens::estimate;
use loci_domain::transcript::Role;
use loci_ledger::{Line, Turn, Visible};
use loci_memory::context::{Boundary, Context};
use loci_memory::now::Now;
use loci_memory::prompts::data;
use loci_memory::recall::Recall;

/// What a model is shown.
#[derive(Debug)]
pub struct TurnContext {
    /// The turn.
    pub turn: Turn,
    /// System parts in order.
    pub system: Vec<Part>,
    /// Messages in order.
    pub messages: Vec<Message>,
    /// Its workspaces; the first is the default one.
    pub workspaces: Vec<Place>,
    /// What it may call.
    pub tools: Vec<Tool>,
    /// Whether older messages were told in short.
    pub compaction: Compaction,
}

/// One system part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// `agent`, `memory`, `harness`, `loci`, `summary`, `persisted` or `turn`.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// Its estimated tokens.
    pub tokens: usize,
}

/// A workspace as a turn tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name that the model uses.
    pub name: String,
    /// The workspace's id.
    pub workspace: String,
    /// Whether it can only be read.
    pub read_only: bool,
}

/// What became of compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compaction {
    /// It was not needed, or is switched off.
    None,
    /// Older messages were told in short.
    Done,
    /// It was needed and came to nothing, for this reason; everything is visible.
    Failed(String),
}

impl Runtime {
    /// Puts together what the model is shown.
    pub(crate) async fn context(&self, going: &Going, now: &Now) -> Result<TurnContext> {
        let mut visible = self.ledger().visible(&going.turn).await?;
        let mut stable = self.stable(going, now, Boundary::No).await?;
        let recalled = self.recalled(going, now, &visible).await;
        let turn: Vec<Part> = going.once.iter().cloned().chain(recalled).map(|text| Part::new("turn", text)).collect();
        let mut compaction = Compaction::None;
        let mut shown = self.shown(going, &visible).await?;
        if let Some(own) = going.agent.compaction {
            let limit = own.map_or(self.settings().max_context, |own| usize::try_from(own).unwrap_or(usize::MAX));
            if shown.length() + length(&stable) + length(&turn) > limit {
                compaction = self.compact(going, &visible, limit).await?;
            }
            if compaction == Compaction::Done {
                visible = self.ledger().visible(&going.turn).await?;
                shown = self.shown(going, &visible).await?;
                stable = self.stable(going, now, Boundary::Yes).await?;
            }
        }
        let mut system = stable;
        system.extend(shown.told);
        system.extend(turn);
        let place = |bound: &Bound| Place {
            name: bound.name.clone(),
            workspace: bound.workspace.clone(),
            read_only: bound.rights == Rights::Read,
        };
        Ok(TurnContext {
            turn: going.turn.clone(),
            system,
            messages: shown.messages,
            workspaces: going.bound.iter().map(place).collect(),
            tools: self.offered(&going.bound).await,
            compaction,
        })
    }

    /// The parts that stay from turn to turn.
    async fn stable(&self, going: &Going, now: &Now, boundary: Boundary) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        let mut add = |name, text: Option<String>| {
            parts.extend(text.filter(|text| !text.trim().is_empty()).map(|text| Part::new(name, text)));
        };
        add("agent", going.agent.system.clone());
        add("memory", harness::memory(&going.bound).await?);
        add("harness", harness::instructions(&going.bound));
        if now.memory {
            let session = Some(session(&going.key, going.turn.conversation));
            let ask = Context { query: None, session, boundary, ..now.context.clone() };
            add("loci", Some(going.memory.context(ask).await?.text));
        }
        Ok(parts)
    }

    /// What of the conversation is shown.
    async fn shown(&self, going: &Going, visible: &Visible) -> Result<Shown> {
        let summary = visible.summary.as_ref().map(|line| {
            let intro = "The earlier part of this conversation, in short; what it covers is not repeated below.";
            Part::new("summary", format!("{intro}\n{}", data("conversation_summary", &message(line).words())))
        });
        let persisted = visible.persisted.iter().map(|line| Part::new("persisted", message(line).words()));
        let told = summary.into_iter().chain(persisted).collect();
        let mut messages = self.waiting_below(going, visible).await?;
        messages.extend(visible.rest.iter().map(message));
        let first = active(&messages, visible.own);
        let messages = if going.agent.pruning { prune(messages, first) } else { messages };
        Ok(Shown { told, messages })
    }

    /// What the summary stands for and must be seen all the same: the calls that wait for a person, with the question.
    async fn waiting_below(&self, going: &Going, visible: &Visible) -> Result<Vec<Message>> {
        let Some((_, covered)) = visible.summary.as_ref().and_then(|summary| summary.covers) else {
            return Ok(Vec::new());
        };
        let lines = self.ledger().calls(going.turn.conversation).await?;
        let waits = pending(&lines.iter().map(message).collect::<Vec<_>>());
        let shown = |line: &Line| visible.rest.iter().any(|shown| shown.position == line.position);
        let below = lines.iter().filter(|line| line.position <= covered && !shown(line));
        Ok(below.filter_map(|line| waiting(message(line), &waits)).collect())
    }

    /// What memory says to the newest words of a person; a turn goes on without.
    async fn recalled(&self, going: &Going, now: &Now, visible: &Visible) -> Option<String> {
        let last = visible.rest.iter().rev().take(visible.own).find(|line| line.role == Role::User)?;
        let query = message(last).words();
        if !(now.memory && now.recall) || query.trim().is_empty() {
            return None;
        }
        let session = Some(session(&going.key, going.turn.conversation));
        // An agent waits for its context, so no model is asked.
        let ask = Recall { query, scope: None, session, model: None, ..now.question.clone() };
        let found =
            going.memory.recall(ask).await.inspect_err(|error| tracing::warn!(%error, "a turn recalls nothing"));
        found.ok().map(|found| found.prompt).filter(|prompt| !prompt.trim().is_empty())
    }
}

/// What of a conversation is shown.
struct Shown {
    told: Vec<Part>,
    messages: Vec<Message>,
}

impl Shown {
    /// Its characters as they go over the wire.
    fn length(&self) -> usize {
        let said = self.messages.iter().map(|message| message.content.to_string().chars().count() + 24);
        length(&self.told) + said.sum::<usize>()
    }
}

/// The characters of system parts.
fn length(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.text.chars().count()).sum()
}

impl Part {
    fn new(name: &'static str, text: String) -> Part {
        Part { name, tokens: estimate(&text), text }
    }
}
