//! Upkeep: what extract and dream have in common.
//!
//! Owns whose upkeep it is, how a run is kept from running twice, and what `loci status` tells of the last one.
//! Never changes a memory. Start at [`Memory::hold`].

use crate::{Memory, Result};
use jiff::{SignedDuration, Timestamp};
use loci_domain::change::Identity;
use loci_domain::scope::Scope;
use loci_store::Store;
use loci_store::owner::Owner;
use loci_store::record::{Lease, Taken};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::runtime::Handle;

/// Who asked for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trigger {
    /// A hook, a schedule, the end of a turn: switches and gates hold.
    Auto,
    /// A person.
    Manual,
}

impl Trigger {
    /// The word in telemetry.
    pub fn word(self) -> &'static str {
        match self {
            Trigger::Auto => "auto",
            Trigger::Manual => "manual",
        }
    }
}

/// How the last run of a verb went, as status tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// When it ended.
    pub at: Timestamp,
    /// In which session.
    pub session: Option<String>,
    /// Who asked for it.
    pub trigger: Trigger,
    /// `updated`, `noop`, `proposed`, `skipped` or `failed`.
    pub status: String,
    /// Why nothing was done, if it was skipped.
    pub skipped_reason: Option<String>,
    /// The types of the documents that changed.
    pub topics: Vec<String>,
    /// How many entries came or went.
    pub entries: usize,
}

/// A name that is ours. Dropping it gives it back, so that a run that is cancelled does not keep others away until its time
/// is over; [`Hold::let_go`] waits until that is done.
pub struct Hold {
    /// As it was taken, or prolonged since.
    pub lease: Lease,
    store: Store,
    given_back: bool,
}

impl Hold {
    /// Gives the name back; one that was lost meanwhile is nobody's fault.
    pub async fn let_go(mut self) {
        give_back(&self.store, &self.lease).await;
        self.given_back = true;
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let (false, Ok(runtime)) = (self.given_back, Handle::try_current()) {
            let (store, lease) = (self.store.clone(), self.lease.clone());
            runtime.spawn(async move { give_back(&store, &lease).await });
        }
    }
}

async fn give_back(store: &Store, lease: &Lease) {
    let Some(record) = store.record() else { return };
    if let Err(error) = record.release_lease(lease).await {
        tracing::warn!(%error, name = lease.name, "a lease runs out by itself");
    }
}

/// What came of asking for a name.
pub enum Held {
    /// It is ours.
    Mine(Hold),
    /// This process has it already.
    Here,
    /// Another live process has it.
    Elsewhere,
}

impl Memory {
    /// Whose upkeep it is: the project's, or the person's where there is no project.
    pub fn upkeep_of(&self) -> Result<Identity> {
        let root = self.store.root(Some(Scope::Project)).or_else(|_| self.store.root(Some(Scope::Global)))?;
        Ok(root.key.identity.clone())
    }

    /// Takes a name for a run; that of a dead process on this machine is taken at once.
    pub async fn hold(&self, name: &str, lasts: Duration) -> Result<Held> {
        let record = self.record()?;
        let this = Owner::this();
        let mut dead = None;
        loop {
            match record.take_lease(name, &this.to_string(), lasts, dead).await? {
                Taken::Mine(lease) => {
                    return Ok(Held::Mine(Hold { lease, store: self.store.clone(), given_back: false }));
                }
                Taken::Theirs(lease) => match Owner::parse(&lease.owner) {
                    Some(owner) if owner == *this => return Ok(Held::Here),
                    // Asked once for each dead holder: another process may have been faster.
                    Some(owner) if owner.is_dead() && dead != Some(lease.token) => dead = Some(lease.token),
                    _ => return Ok(Held::Elsewhere),
                },
            }
        }
    }

    /// Whether somebody who lives holds a name.
    pub(crate) async fn is_held(&self, name: &str) -> Result<bool> {
        let Some(lease) = self.record()?.lease(name).await? else { return Ok(false) };
        let is_dead = Owner::parse(&lease.owner).is_some_and(|owner| owner.is_dead());
        Ok(lease.until > self.store.now() && !is_dead)
    }

    /// A note of upkeep; one that makes no sense is as good as none.
    pub(crate) async fn recollect<T: DeserializeOwned>(&self, what: &str, of: &Identity) -> Result<Option<T>> {
        let note = self.record()?.note(&format!("{what}:{}", of.0)).await?;
        Ok(note.and_then(|note| serde_json::from_str(&note).ok()))
    }

    /// Keeps a note of upkeep; `None` takes it away.
    pub(crate) async fn note_down<T: Serialize>(&self, what: &str, of: &Identity, value: Option<&T>) -> Result<()> {
        let text = value.and_then(|value| serde_json::to_string(value).ok());
        Ok(self.record()?.set_note(&format!("{what}:{}", of.0), text.as_deref()).await?)
    }

    /// How the last extract and the last dream went.
    pub async fn last_upkeep(&self) -> Result<[Option<Outcome>; 2]> {
        let of = self.upkeep_of()?;
        Ok([self.recollect("extract.last", &of).await?, self.recollect("dream.last", &of).await?])
    }
}

/// True when less than so long has passed since; a moment in the future (the clock was set back) stops nobody.
pub(crate) fn within(since: Option<Timestamp>, now: Timestamp, span: SignedDuration) -> bool {
    since.is_some_and(|since| since <= now && now.duration_since(since) < span)
}
