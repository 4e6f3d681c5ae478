//! Dream: keeps memory tidy, and never loses any of it.
//!
//! Owns the gates, the lock, the rails and the record of a run; the ways to tidy are in `dream/`.
//! A run is staged as a draft and made true as one journal group, so one undo takes it back, and a run that fails or is
//! killed leaves everything as it was.
//! Start at [`Memory::dream`].
//!
//! Invariant: dream_never_touches_pinned. Invariant: cut_off_dream_is_taken_back.

mod agent;
mod gates;
mod loss;
mod mechanical;
mod proposal;
mod running;

pub use gates::Skip;
pub use proposal::{Proposed, Review};

use crate::draft::{Draft, Edit, Hand};
use crate::upkeep::{Held, Outcome, Trigger};
use crate::{Error, Memory, Result, Verb};
use loci_domain::change::{Actor, Identity};
use loci_domain::document::{self, Kind};
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_store::record::Lease;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Dream {
    /// Who asks: gates hold for machines only.
    pub trigger: Trigger,
    /// In which session.
    pub session: Option<String>,
    /// Whether to do it or only to say what would be done.
    pub doing: Doing,
    /// Its limits.
    pub settings: Settings,
}

/// Whether a run changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It does.
    Apply,
    /// It only shows what it would do, and leaves no trace.
    Preview,
}

/// Limits of dreaming.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `dream.enabled` and `memory.enabled`, for [`Trigger::Auto`].
    pub enabled: bool,
    /// `dream.min_hours`: between two runs.
    pub min_hours: u64,
    /// `dream.min_sessions`: new ones since the last run.
    pub min_sessions: usize,
    /// `dream.scan_minutes`: between two looks at the sessions.
    pub scan_minutes: u64,
    /// `dream.lock_minutes`: how long a run may take at most.
    pub lock_minutes: u64,
    /// `dream.max_loss`: the share of entries that a run may lose.
    pub max_loss: f64,
    /// `agent.turns`.
    pub turns: usize,
    /// `agent.seconds`.
    pub time: Duration,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Memory changed.
    Updated,
    /// There was nothing to do.
    Noop,
    /// It would have lost too much, so it waits for a person's word.
    Proposed,
    /// It was not its time.
    Skipped,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Status::Updated => "updated",
            Status::Noop => "noop",
            Status::Proposed => "proposed",
            Status::Skipped => "skipped",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dreamt {
    /// How it ended.
    pub status: Status,
    /// Why it was skipped.
    pub skipped_reason: Option<Skip>,
    /// One sentence for a person.
    pub summary: String,
    /// The types of the documents that changed.
    pub touched_topics: Vec<Kind>,
    /// How many entries were merged into others.
    pub deduped_entries: usize,
    /// The scopes that changed.
    pub touched_scopes: Vec<Scope>,
    /// The proposal that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// What would change or did, as a unified diff.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

impl Dreamt {
    fn new(status: Status, summary: impl Into<String>) -> Dreamt {
        Dreamt {
            status,
            skipped_reason: None,
            summary: summary.into(),
            touched_topics: Vec::new(),
            deduped_entries: 0,
            touched_scopes: Vec::new(),
            proposal: None,
            diff: String::new(),
        }
    }

    fn skipped(reason: Skip) -> Dreamt {
        Dreamt { skipped_reason: Some(reason), ..Dreamt::new(Status::Skipped, reason.sentence()) }
    }

    /// With what these edits touch.
    fn touching(self, edits: &[Edit], deduped_entries: usize) -> Dreamt {
        let touched = kinds(edits);
        let scopes = Scope::ALL.into_iter().filter(|scope| edits.iter().any(|edit| edit.scope == *scope)).collect();
        Dreamt { touched_topics: touched, touched_scopes: scopes, deduped_entries, ..self }
    }
}

/// What a way to tidy staged.
pub(crate) struct Staged {
    draft: Draft,
    deduped: usize,
    /// What share of the entries would be gone without their text surviving elsewhere.
    loss: f64,
}

impl Memory {
    /// Tidies memory, if it is time to.
    pub fn dream(&self, ask: Dream) -> Verb<'_, Dreamt> {
        Box::pin(async move {
            let start = Instant::now();
            let of = self.upkeep_of()?;
            let dreamt = self.dreamt(&ask, &of).await;
            let (status, deduped, topics) = match &dreamt {
                Ok(dreamt) => (dreamt.status.word(), dreamt.deduped_entries, words(&dreamt.touched_topics)),
                Err(_) => ("failed", 0, Vec::new()),
            };
            let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::info!(target: "memory.dream", trigger = ask.trigger.word(), status, deduped_entries = deduped,
                touched_topics = topics.join(","), duration_ms = millis);
            if ask.doing == Doing::Apply {
                let skipped_reason = dreamt.as_ref().ok().and_then(|dreamt| dreamt.skipped_reason);
                let outcome = Outcome {
                    at: self.store.now(),
                    session: ask.session.clone(),
                    trigger: ask.trigger,
                    status: status.to_owned(),
                    skipped_reason: skipped_reason.map(|skip| skip.word().to_owned()),
                    topics,
                    entries: deduped,
                };
                self.note_down("dream.last", &of, Some(&outcome)).await?;
            }
            dreamt
        })
    }

    async fn dreamt(&self, ask: &Dream, of: &Identity) -> Result<Dreamt> {
        if ask.trigger == Trigger::Auto
            && let Some(skip) = self.gate(ask, of).await?
        {
            return Ok(Dreamt::skipped(skip));
        }
        if ask.doing == Doing::Preview {
            let staged = self.tidied(&ask.settings).await?;
            return Ok(preview(&staged, ask.settings.max_loss));
        }
        let lasts = Duration::from_secs(ask.settings.lock_minutes.saturating_mul(60));
        let hold = match self.hold(&self.dream_lease()?, lasts).await? {
            Held::Mine(hold) => hold,
            Held::Here => return Ok(Dreamt::skipped(Skip::Running)),
            Held::Elsewhere => return Ok(Dreamt::skipped(Skip::Locked)),
        };
        let dreamt = self.under_lease(ask, of, &hold.lease).await;
        hold.let_go().await;
        dreamt
    }

    async fn under_lease(&self, ask: &Dream, of: &Identity, lease: &Lease) -> Result<Dreamt> {
        self.take_back_cut_off(of).await?;
        let staged = self.tidied(&ask.settings).await?;
        let dreamt = if staged.draft.is_empty() {
            Dreamt::new(Status::Noop, "Memory is tidy; nothing was changed.")
        } else if staged.loss > ask.settings.max_loss {
            self.propose(of, &staged).await?
        } else {
            self.apply(of, staged, lease).await?
        };
        self.note_dreamt(of, ask.session.as_deref()).await?;
        Ok(dreamt)
    }

    /// Makes a draft true as one group, if the lease is still ours.
    async fn apply(&self, of: &Identity, staged: Staged, lease: &Lease) -> Result<Dreamt> {
        let edits = staged.draft.edits();
        let dreamt = Dreamt { diff: staged.draft.diff(), ..Dreamt::new(Status::Updated, said(&edits, staged.deduped)) }
            .touching(&edits, staged.deduped);
        if !self.record()?.holds_lease(lease).await? {
            return Err(Error::LeaseLost);
        }
        let by = self.by(Actor::Dream, Policy::Redact);
        self.note_running(of, Some(&by.group)).await?;
        let committed = staged.draft.commit_by(by).await;
        match &committed {
            Ok(_) => self.note_running(of, None).await?,
            // Half of it may stand. Where it cannot be taken back now either, the note stays for who comes next.
            Err(_) => self.take_back_cut_off(of).await?,
        }
        committed.map(|_| dreamt)
    }

    /// The changes that a run would make: the agent's where there is a model, else the mechanical ones.
    async fn tidied(&self, settings: &Settings) -> Result<Staged> {
        if let Some(staged) = agent::tidy(self, settings).await? {
            return Ok(staged);
        }
        let mut draft = Draft::open(self, Hand::Machine).await?;
        let deduped = mechanical::tidy(self, &mut draft).await?;
        // Nothing is lost here: a copy goes only when all that it says stands elsewhere.
        Ok(Staged { draft, deduped, loss: 0.0 })
    }
}

fn preview(staged: &Staged, max_loss: f64) -> Dreamt {
    let edits = staged.draft.edits();
    if edits.is_empty() {
        return Dreamt::new(Status::Noop, "Memory is tidy; nothing would change.");
    }
    let (status, summary) = match staged.loss > max_loss {
        true => (Status::Proposed, "The run would lose too much, so it would wait for your word.".to_owned()),
        false => (Status::Updated, format!("{} (dry run: nothing was changed)", said(&edits, staged.deduped))),
    };
    Dreamt { diff: staged.draft.diff(), ..Dreamt::new(status, summary) }.touching(&edits, staged.deduped)
}

/// One sentence about what changed.
fn said(edits: &[Edit], deduped: usize) -> String {
    let count = |amount: usize, one: &str, many: &str| format!("{amount} {}", if amount == 1 { one } else { many });
    let gone = edits.iter().filter(|edit| edit.after.is_none()).count();
    let mut parts = Vec::new();
    if deduped > 0 {
        parts.push(format!("merged {}", count(deduped, "entry", "entries")));
    }
    if edits.len() > gone {
        parts.push(format!("rewrote {}", count(edits.len() - gone, "file", "files")));
    }
    if gone > 0 {
        parts.push(format!("removed {}", count(gone, "emptied file", "emptied files")));
    }
    let text = parts.join(", ");
    let mut signs = text.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", signs.as_str())
}

/// The kinds of the documents before and after, in their order.
fn kinds(edits: &[Edit]) -> Vec<Kind> {
    let of = |edit: &Edit| {
        let sides = [&edit.before, &edit.after];
        let read = |text: &String| document::read(&edit.path, text).card.kind;
        sides.into_iter().flatten().map(read).collect::<Vec<_>>()
    };
    let touched: Vec<Kind> = edits.iter().flat_map(of).collect();
    Kind::ALL.into_iter().filter(|kind| touched.contains(kind)).collect()
}

fn words(kinds: &[Kind]) -> Vec<String> {
    kinds.iter().map(|kind| kind.word().to_owned()).collect()
}
