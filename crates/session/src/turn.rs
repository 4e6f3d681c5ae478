//! One turn, in the order in which it goes: the event is claimed, the conversation taken, what came is kept, what the
//! model sees is put together; then tools are called, and the turn is completed or fails.
//!
//! Owns that nothing of a refused turn is kept, and that a late one writes nothing: every step asks the ledger, which
//! looks at the turn's fencing token in the same transaction.
//! Start at [`Runtime::begin`].

pub use crate::mirror::{message, message_id};

use crate::binding::Bound;
use crate::context::TurnContext;
use crate::fence::Fence;
use crate::prune::{Pending, pending};
use crate::tools::Called;
use crate::{Error, Hall, Result, Runtime};
use jiff::Timestamp;
use loci_domain::agent::Agent;
use loci_domain::form::Bad;
use loci_domain::message::Message;
use loci_domain::transcript::Role;
use loci_ledger::{Begin, Begun, Conversation, Line, Spoken, Step, Turn};
use loci_memory::Memory;
use loci_memory::now::Now;
use loci_store::store::fresh_id;
use serde_json::{Map, Value};

/// Bytes of a conversation's key and of an event's id.
const LONGEST_KEY: usize = 160;
/// Messages that one call brings.
const MOST_MESSAGES: usize = 1000;
/// Conversations in a list.
const LISTED: usize = 1000;

/// A turn that is wanted.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The id of what happened.
    pub event: String,
    /// Who answers.
    pub agent: String,
    /// What happened, as messages.
    pub events: Vec<Value>,
}

/// What came of it.
#[derive(Debug)]
pub enum Started {
    /// The turn, with what the model sees.
    Turn(Box<TurnContext>),
    /// The event was taken already.
    Duplicate,
}

/// A turn that goes on, with all that its steps need.
pub(crate) struct Going {
    pub(crate) turn: Turn,
    pub(crate) account: String,
    pub(crate) key: String,
    pub(crate) agent: Agent,
    pub(crate) bound: Vec<Bound>,
    pub(crate) memory: Memory,
    /// What the harness says for this turn only.
    pub(crate) once: Vec<String>,
}

impl Runtime {
    /// Begins a turn.
    pub async fn begin(&self, account: &str, key: &str, wanted: Wanted, now: &Now) -> Result<Started> {
        named(key, "the conversation's key")?;
        named(&wanted.event, "eventId")?;
        let (ingress, once) = read(&wanted.events, "events")?;
        let (agent, bound) = match self.who(account, &wanted.agent).await {
            Ok(who) => who,
            // The claim comes first: an event that was dealt with is not told of what went since.
            Err(Error::Dangling { .. })
                if self.ledger().is_claimed(account, &wanted.event, self.settings().claim).await? =>
            {
                return Ok(Started::Duplicate);
            }
            Err(error) => return Err(error),
        };
        let begin = Begin {
            account: account.to_owned(),
            key: key.to_owned(),
            event: wanted.event,
            turn: format!("turn_{}", fresh_id()),
            agent: wanted.agent,
            ingress,
            lasts: self.settings().lease,
            claimed: self.settings().claim,
        };
        let turn = match self.ledger().begin_turn(&begin).await? {
            Begun::Duplicate => return Ok(Started::Duplicate),
            Begun::Busy(until) => return Err(Error::Busy(until)),
            Begun::Started(turn) => turn,
        };
        let memory = self.memory_of(account, &bound);
        let going = Going { turn, account: account.to_owned(), key: key.to_owned(), agent, bound, memory, once };
        match self.context(&going, now).await {
            Ok(context) => Ok(Started::Turn(Box::new(context))),
            Err(error) => {
                // Whoever asked got no turn, so it must not keep others out.
                if let Err(stuck) = self.ledger().fail_turn(going.turn.token).await {
                    tracing::error!(error = %stuck, "a turn that has no context keeps its lease until it runs out");
                }
                Err(error)
            }
        }
    }

    /// Who answers, and where they work.
    async fn who(&self, account: &str, id: &str) -> Result<(Agent, Vec<Bound>)> {
        let agent = self.agent(account, id).await.map_err(|error| match error {
            Error::Missing { what, id } => Error::Dangling { what, id, advice: "make it first" },
            other => other,
        })?;
        let bound = self.bound(account, &agent).await?;
        Ok((agent, bound))
    }

    /// Prolongs a turn; until when.
    pub async fn renew(&self, account: &str, key: &str, id: &str) -> Result<(Turn, Timestamp)> {
        let turn = self.turn(account, key, id).await?;
        let until = stepped(self.ledger().renew_turn(turn.token, self.settings().lease).await?)?;
        Ok((turn, until))
    }

    /// Keeps what was said and ends the turn; then what was said is there to be recalled and learnt from.
    pub async fn complete(&self, account: &str, key: &str, id: &str, messages: &[Value]) -> Result<()> {
        let (messages, _) = read(messages, "messages")?;
        let turn = self.turn(account, key, id).await?;
        let memory = self.memory_of_turn(account, &turn).await;
        stepped(self.ledger().complete_turn(turn.token, &messages).await?)?;
        if let Err(error) = self.mirror(&memory, account, key, turn.conversation).await {
            tracing::warn!(%error, "a conversation cannot be recalled yet; its next turn tries again");
        }
        Ok(())
    }

    /// Ends a turn that came to nothing; its event may be sent again.
    pub async fn fail(&self, account: &str, key: &str, id: &str) -> Result<()> {
        let turn = self.turn(account, key, id).await?;
        stepped(self.ledger().fail_turn(turn.token).await?).map(drop)
    }

    /// Calls a tool of a bound workspace, while the turn has the conversation.
    pub async fn tool(
        &self,
        account: &str,
        key: &str,
        id: &str,
        name: &str,
        input: &Map<String, Value>,
    ) -> Result<Called> {
        let fence = Fence::of(self, account, key, id);
        let turn = fence.passed().await?;
        let agent = self.agent(account, &turn.agent).await?;
        let bound = self.bound(account, &agent).await?;
        self.call(fence, &bound, name, input).await
    }

    /// The conversations of an account, the one in which something happened last first.
    pub async fn conversations(&self, account: &str) -> Result<Vec<Conversation>> {
        Ok(self.ledger().conversations(account, LISTED).await?)
    }

    /// A conversation and messages of it from a place on.
    pub async fn conversation(
        &self,
        account: &str,
        key: &str,
        from: u64,
        limit: usize,
    ) -> Result<(Conversation, Vec<Line>)> {
        let found = self.ledger().conversation(account, key).await?.ok_or_else(|| no_conversation(key))?;
        let lines = self.ledger().lines(found.number, from, limit).await?;
        Ok((found, lines))
    }

    /// The approvals that a conversation waits for, of all that was said in it.
    pub async fn waiting(&self, conversation: &Conversation) -> Result<Vec<Pending>> {
        let lines = self.ledger().calls(conversation.number).await?;
        Ok(pending(&lines.iter().map(message).collect::<Vec<_>>()))
    }

    /// Removes a conversation for good, with its copy among the sessions; files of workspaces stay.
    pub async fn remove_conversation(&self, account: &str, key: &str) -> Result<()> {
        let found = self.ledger().conversation(account, key).await?.ok_or_else(|| no_conversation(key))?;
        let memory = self.halls().open(&Hall::of(account, None));
        match memory.drop_session(&crate::mirror::session(key, found.number)).await {
            Ok(_) | Err(loci_memory::Error::NoSuchSession(_)) => {}
            Err(error) => return Err(error.into()),
        }
        self.ledger().drop_conversation(account, key).await?;
        Ok(())
    }

    pub(crate) async fn turn(&self, account: &str, key: &str, id: &str) -> Result<Turn> {
        let found = self.ledger().turn(account, key, id).await?;
        found.ok_or_else(|| Error::Missing { what: "turn", id: id.chars().take(80).collect() })
    }

    /// What is seen of memory in a conversation of an agent: that of its default workspace too.
    fn memory_of(&self, account: &str, bound: &[Bound]) -> Memory {
        self.halls().open(&Hall::of(account, bound.first().map(|bound| (bound.workspace.as_str(), &bound.storage))))
    }

    async fn memory_of_turn(&self, account: &str, turn: &Turn) -> Memory {
        let agent = self.agent(account, &turn.agent).await.ok();
        let first = agent.as_ref().and_then(|agent| agent.workspaces.first()).map(|first| first.workspace.as_str());
        // One that went meanwhile has no memory any more.
        let there = match first {
            Some(id) => self.workspace(account, id).await.ok().map(|workspace| (id, workspace.storage)),
            None => None,
        };
        self.halls().open(&Hall::of(account, there.as_ref().map(|(id, storage)| (*id, storage))))
    }
}

fn stepped(step: Step) -> Result<Timestamp> {
    match step {
        Step::Done(until) => Ok(until),
        Step::Lost => Err(Error::LeaseLost),
        Step::Over => Err(Error::TurnFinished),
    }
}

/// What is kept, and what the harness says for this turn only.
fn read(messages: &[Value], field: &str) -> Result<(Vec<Spoken>, Vec<String>)> {
    if messages.len() > MOST_MESSAGES {
        return Err(Bad::new(field, format!("must be at most {MOST_MESSAGES}")).into());
    }
    let (mut kept, mut once) = (Vec::new(), Vec::new());
    for (place, value) in messages.iter().enumerate() {
        let at = format!("{field}[{place}]");
        let message = Message::read(value, &at)?;
        let persist = match value.get("persist") {
            None | Some(Value::Null) => true,
            Some(Value::Bool(persist)) => *persist,
            Some(_) => return Err(Bad::new(format!("{at}.persist"), "must be true or false").into()),
        };
        match (persist, message.role) {
            (true, role) => kept.push(Spoken { role, content: message.content.to_string() }),
            (false, Role::System) => once.push(message.words()),
            (false, _) => return Err(Bad::new(format!("{at}.persist"), "is for system messages only").into()),
        }
    }
    Ok((kept, once))
}

/// A name that somebody outside made up: bounded, and of characters that can be seen.
fn named(name: &str, field: &str) -> Result<()> {
    if name.trim().is_empty() || name.len() > LONGEST_KEY || name.chars().any(char::is_control) {
        return Err(Bad::new(field, format!("must be a text of 1 to {LONGEST_KEY} bytes on one line")).into());
    }
    Ok(())
}

fn no_conversation(key: &str) -> Error {
    Error::Missing { what: "conversation", id: key.chars().take(80).collect() }
}
