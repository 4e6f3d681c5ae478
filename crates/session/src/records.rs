//! What an account holds: workspaces, agents and sandboxes; made, read, changed and removed.
//!
//! Owns that a record is whole before it is kept, that it names only what is there, and that it belongs to one account.
//! What a record may say is `domain`'s business.

use crate::{Error, Result, Runtime};
use jiff::Timestamp;
use loci_domain::agent::{self, Agent};
use loci_domain::change::Op;
use loci_domain::form::{Bad, merged};
use loci_domain::sandbox::{self, Sandbox};
use loci_domain::workspace::{self, Workspace};
use loci_ledger::{Card, Holding};
use loci_store::store::fresh_id;
use serde_json::Value;

/// Records of a kind in an account.
const MOST: usize = 10_000;
/// Bytes of what a record says.
const LARGEST: usize = 256 << 10;
/// How often a change is tried when others change the same record.
const TRIES: usize = 8;

/// A record as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Its id.
    pub id: String,
    /// What it says.
    pub body: Value,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Runtime {
    /// Makes a record.
    pub async fn add(&self, kind: Holding, account: &str, body: Value) -> Result<Held> {
        let body = without_nulls(body);
        let id = format!("{}{}", prefix(kind), fresh_id());
        self.check(kind, account, &id, &body).await?;
        let now = now();
        let card = Card { id, account: account.to_owned(), body: body.to_string(), created_at: now, updated_at: now };
        if !self.ledger().add_holding(kind, &card, MOST).await? {
            return Err(Error::Full(MOST));
        }
        self.audit(account, Op::Create, kind.word(), &card.id).await;
        held(card)
    }

    /// One record.
    pub async fn get(&self, kind: Holding, account: &str, id: &str) -> Result<Held> {
        held(self.card(kind, account, id).await?)
    }

    /// All records of a kind, in the order in which they were made.
    pub async fn all(&self, kind: Holding, account: &str) -> Result<Vec<Held>> {
        self.ledger().holdings(kind, account).await?.into_iter().map(held).collect()
    }

    /// Merges a change into a record; one that leaves it wrong changes nothing.
    pub async fn change(&self, kind: Holding, account: &str, id: &str, change: &Value) -> Result<Held> {
        if !change.is_object() {
            return Err(Bad::new("the body", "must be an object").into());
        }
        for _ in 0..TRIES {
            let card = self.card(kind, account, id).await?;
            let body = merged(read(&card.body), change);
            self.check(kind, account, id, &body).await?;
            if kind == Holding::Workspace {
                files_stay(&read(&card.body), &body)?;
            }
            let changed = Card { body: body.to_string(), updated_at: now(), ..card.clone() };
            if self.ledger().change_holding(kind, &changed, &card.body).await? {
                self.audit(account, Op::Modify, kind.word(), id).await;
                return held(changed);
            }
        }
        Err(Error::Raced)
    }

    /// Removes an agent or a sandbox; a workspace goes with its files, by [`Runtime::remove_workspace`].
    pub async fn remove(&self, kind: Holding, account: &str, id: &str) -> Result<()> {
        if !self.ledger().remove_holding(kind, account, id).await? {
            return Err(missing(kind, id));
        }
        self.audit(account, Op::Delete, kind.word(), id).await;
        Ok(())
    }

    /// A workspace.
    pub async fn workspace(&self, account: &str, id: &str) -> Result<Workspace> {
        Ok(Workspace::read(&read(&self.card(Holding::Workspace, account, id).await?.body))?)
    }

    /// An agent.
    pub async fn agent(&self, account: &str, id: &str) -> Result<Agent> {
        Ok(Agent::read(&read(&self.card(Holding::Agent, account, id).await?.body))?)
    }

    async fn card(&self, kind: Holding, account: &str, id: &str) -> Result<Card> {
        self.ledger().holding(kind, account, id).await?.ok_or_else(|| missing(kind, id))
    }

    /// Whether a record may say this, and whether all that it names is there.
    async fn check(&self, kind: Holding, account: &str, id: &str, body: &Value) -> Result<()> {
        if body.to_string().len() > LARGEST {
            return Err(Bad::new("the body", format!("must have at most {LARGEST} bytes")).into());
        }
        match kind {
            Holding::Workspace => {
                self.storages().open(account, id, &Workspace::read(body)?.storage)?;
            }
            Holding::Sandbox => Sandbox::read(body).map(drop)?,
            Holding::Agent => self.check_names(account, &Agent::read(body)?).await?,
        }
        Ok(())
    }

    /// Refuses an agent that names a workspace or a sandbox of nobody, or of another account.
    pub(crate) async fn check_names(&self, account: &str, agent: &Agent) -> Result<()> {
        const ADVICE: &str = "make it first, or take it out of the agent";
        for binding in &agent.workspaces {
            let id = &binding.workspace;
            if self.ledger().holding(Holding::Workspace, account, id).await?.is_none() {
                return Err(Error::Dangling { what: "workspace", id: id.clone(), advice: ADVICE });
            }
        }
        let own = agent.workspaces.iter().filter_map(|binding| agent.sandbox_of(binding));
        for id in own.chain(agent.sandbox.as_deref()) {
            if self.ledger().holding(Holding::Sandbox, account, id).await?.is_none() {
                return Err(Error::Dangling { what: "sandbox", id: id.to_owned(), advice: ADVICE });
            }
        }
        Ok(())
    }
}

/// The time to the grain of the ledger, so that a row reads the same before and after it was written.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// Files are not moved by a change of words: how their place is reached may change, which place it is may not.
fn files_stay(before: &Value, after: &Value) -> Result<()> {
    if Workspace::read(before)?.storage.is_same_place(&Workspace::read(after)?.storage) {
        return Ok(());
    }
    Err(Bad::new("config.storage", "says where the files lie and cannot change; make another workspace").into())
}

/// The same words whether it never was, went, or is somebody else's.
pub(crate) fn missing(kind: Holding, id: &str) -> Error {
    let what = match kind {
        Holding::Workspace => "workspace",
        Holding::Agent => "agent",
        Holding::Sandbox => "sandbox",
    };
    Error::Missing { what, id: id.chars().take(80).collect() }
}

fn prefix(kind: Holding) -> &'static str {
    match kind {
        Holding::Workspace => workspace::PREFIX,
        Holding::Agent => agent::PREFIX,
        Holding::Sandbox => sandbox::PREFIX,
    }
}

fn held(card: Card) -> Result<Held> {
    Ok(Held { id: card.id, body: read(&card.body), created_at: card.created_at, updated_at: card.updated_at })
}

fn read(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

/// `null` at the top is the same as absent; inside a list it may mean something.
fn without_nulls(body: Value) -> Value {
    match body {
        Value::Object(fields) => Value::Object(fields.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}
