//! Extract: durable facts from the part of a conversation that was not read yet.
//!
//! Owns the cursor, the skips, and what is dropped on the way; who finds facts is in `extract/spoken.rs` (without a
//! model) and `extract/model.rs`, and both pass the same filters.
//! Never takes what Loci itself said: text that was injected, and restatements of it, are no news.
//! Start at [`Memory::extract`].
//!
//! Invariant: cursor_moves_after_the_result. The cursor is set when the facts are on disk, or when it is known that there are none.

mod answer;
mod echo;
mod model;
mod part;
mod place;
mod spoken;
mod tools;
mod waiting;

pub use answer::{Extracted, Patch, Skip, Status};
pub use part::Part;

use crate::draft::{Draft, Hand};
use crate::upkeep::{Held, Outcome, Trigger};
use crate::{Error, Memory, Result, Verb};
use jiff::Timestamp;
use loci_domain::alike;
use loci_domain::change::{Actor, Identity};
use loci_domain::document::Kind;
use loci_domain::fact;
use loci_domain::scope::Scope;
use loci_domain::secrets::{self, Policy};
use loci_domain::statement::filter;
use loci_domain::transcript::Turn;
use loci_store::record::{Cursor, Lease, Request, Source};
use place::Placed;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How long a run may take before another one may take over.
const LASTS: Duration = Duration::from_secs(900);

/// A conversation to learn from.
#[derive(Debug, Clone)]
pub struct Extract {
    /// Its name.
    pub session: String,
    /// What was said in it.
    pub part: Part,
    /// Where it can be read again, for a request that has to wait.
    pub source: String,
    /// In which format it is there.
    pub format: String,
    /// On whose behalf.
    pub asking: Asking,
}

/// Who asks for an extraction, and what they know of this machine.
#[derive(Debug, Clone)]
pub struct Asking {
    /// Who asks: switches hold for machines only.
    pub trigger: Trigger,
    /// `extract.enabled`.
    pub enabled: bool,
    /// Where the memory roots lie, in every way that an agent on this machine would name them.
    pub roots: Vec<String>,
}

/// A fact on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    kind: Option<Kind>,
    summary: String,
    why: Option<String>,
    how: Option<String>,
    /// The message that said it.
    message: String,
    at: Option<Timestamp>,
}

/// Under this two summaries of one message are about different things.
const OTHER: f64 = 0.34;

/// What a model found, and what a person said in so many words that it left out: "remember that" is never passed over.
fn with_spoken(mut found: Vec<Candidate>, spoken: Vec<Candidate>) -> Vec<Candidate> {
    for said in spoken {
        let same = |other: &Candidate| alike::likeness(&other.summary, &said.summary) >= OTHER;
        if !found.iter().any(same) {
            found.push(said);
        }
    }
    found
}

/// What is being read right now.
#[derive(Debug, Serialize, Deserialize)]
struct Reading {
    session: String,
    upto: u64,
}

impl Memory {
    /// Learns from a conversation. A request that came meanwhile waits in [`Memory::next_extract`].
    pub fn extract(&self, ask: Extract) -> Verb<'_, Extracted> {
        Box::pin(async move {
            let start = Instant::now();
            let of = self.upkeep_of()?;
            let extracted = self.extracted(&ask, &of).await;
            let (status, told, count, topics, skip) = match &extracted {
                Ok(done) => {
                    let topics = done.touched_topics.iter().map(|kind| kind.word().to_owned()).collect::<Vec<_>>();
                    (done.status.word(), "completed", done.patches.len(), topics, done.skipped_reason)
                }
                Err(_) => ("failed", "failed", 0, Vec::new(), None),
            };
            let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::info!(target: "memory.extract", trigger = ask.asking.trigger.word(), status = told, patches_count = count,
                touched_topics = topics.join(","), duration_ms = millis);
            let outcome = Outcome {
                at: self.store.now(),
                session: Some(ask.session),
                trigger: ask.asking.trigger,
                status: status.to_owned(),
                skipped_reason: skip.map(|skip| skip.word().to_owned()),
                topics,
                entries: count,
            };
            self.note_down("extract.last", &of, Some(&outcome)).await?;
            extracted
        })
    }

    /// The request that waited while a run was on, for whoever can read its transcript; asked again it is gone.
    pub async fn next_extract(&self) -> Result<Option<Request>> {
        Ok(self.record()?.unqueue(&self.upkeep_of()?).await?)
    }

    /// The exact prompts that a model would be given for what is not read yet, one for each part of it.
    pub async fn extract_prompts(&self, ask: &Extract) -> Result<Vec<String>> {
        let of = self.upkeep_of()?;
        model::prompts(self, self.unread(ask, &of).await?).await
    }

    async fn extracted(&self, ask: &Extract, of: &Identity) -> Result<Extracted> {
        let record = self.record()?;
        let processed = record.cursor(of, &ask.session).await?.map_or(0, |cursor| cursor.processed);
        if ask.asking.trigger == Trigger::Auto && !ask.asking.enabled {
            return Ok(Extracted::skipped(Skip::Disabled, processed));
        }
        let name = format!("extract:{}", of.0);
        let hold = match self.hold(&name, LASTS).await? {
            Held::Mine(hold) => hold,
            Held::Here | Held::Elsewhere => match self.wait(ask, of, processed).await? {
                waits if waits.skipped_reason != Some(Skip::Queued) => return Ok(waits),
                // Whoever was at it may have looked for requests just before this one was left.
                waits => match self.hold(&name, LASTS).await? {
                    Held::Mine(hold) => hold,
                    Held::Here | Held::Elsewhere => return Ok(waits),
                },
            },
        };
        let reading = Reading { session: ask.session.clone(), upto: ask.part.end() };
        self.note_down("extract.reading", of, Some(&reading)).await?;
        let waiting = record.queued(of).await?;
        if waiting.is_some_and(|waiting| waiting.session == ask.session && waiting.source == ask.source) {
            record.unqueue(of).await?;
        }
        let extracted = self.read_on(ask, of, &hold.lease).await;
        self.note_down::<Reading>("extract.reading", of, None).await?;
        hold.let_go().await;
        extracted
    }

    /// Leaves a request for whoever is at it, unless that is what they are reading.
    async fn wait(&self, ask: &Extract, of: &Identity, processed: u64) -> Result<Extracted> {
        let reading: Option<Reading> = self.recollect("extract.reading", of).await?;
        if reading.is_some_and(|now| now.session == ask.session && now.upto == ask.part.end()) {
            return Ok(Extracted::skipped(Skip::AlreadyRunning, processed));
        }
        let request = Request {
            session: ask.session.clone(),
            source: ask.source.clone(),
            format: ask.format.clone(),
            at: self.store.now(),
        };
        self.record()?.queue(of, &request).await?;
        Ok(Extracted::skipped(Skip::Queued, processed))
    }

    async fn read_on(&self, ask: &Extract, of: &Identity, lease: &Lease) -> Result<Extracted> {
        // Read again under the lease: another run may have moved the cursor.
        let (new, end) = (self.unread(ask, of).await?, ask.part.end());
        if new.is_empty() {
            return Ok(Extracted::new(Status::Noop, end));
        }
        if let Err(error) = self.note_cited(&ask.session, new).await {
            tracing::warn!(%error, "what the session cited is not on its receipts");
        }
        if new.iter().any(|turn| tools::wrote_memory(turn, &ask.asking.roots)) {
            self.set_cursor(of, &ask.session, end).await?;
            return Ok(Extracted::skipped(Skip::MemoryTool, end));
        }
        let candidates = match model::candidates(self, new).await {
            Some(found) => with_spoken(found, spoken::candidates(new)),
            None => spoken::candidates(new),
        };
        let candidates = self.worth_keeping(ask, candidates).await?;
        // A model may have taken longer than the lease lasts; then somebody else reads this part.
        if !self.record()?.holds_lease(lease).await? {
            return Err(Error::LeaseLost);
        }
        let patches = self.store_facts(&ask.session, &candidates).await?;
        self.set_cursor(of, &ask.session, end).await?;
        let status = if patches.is_empty() { Status::Noop } else { Status::Updated };
        let touched = Kind::ALL.into_iter().filter(|kind| patches.iter().any(|patch| patch.topic == *kind)).collect();
        Ok(Extracted { patches, touched_topics: touched, ..Extracted::new(status, end) })
    }

    /// The part behind the cursor.
    async fn unread<'a>(&self, ask: &'a Extract, of: &Identity) -> Result<&'a [Turn]> {
        let cursor = self.record()?.cursor(of, &ask.session).await?;
        Ok(ask.part.after(cursor.map_or(0, |cursor| cursor.processed)))
    }

    async fn set_cursor(&self, of: &Identity, session: &str, processed: u64) -> Result<()> {
        let cursor = Cursor { session: session.to_owned(), processed, updated_at: self.store.now() };
        Ok(self.record()?.set_cursor(of, &cursor).await?)
    }

    /// Drops what is too small, of the moment, a secret, said twice, an echo, or forgotten on purpose.
    async fn worth_keeping(&self, ask: &Extract, candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let heard = echo::Heard::of(
            ask.part.heard(),
            self.record()?.segment(&self.conversation(&ask.session)).await?.as_deref(),
        );
        let key = self.record()?.fact_key().await?;
        let identities: Vec<Identity> = self.store.roots().iter().map(|root| root.key.identity.clone()).collect();
        let (mut kept, mut said): (Vec<Candidate>, HashSet<String>) = (Vec::new(), HashSet::new());
        for candidate in candidates {
            let repeats = !said.insert(alike::normalised(&candidate.summary));
            let dropped = filter::check(&candidate.summary).err();
            if repeats || dropped.is_some() || heard.echoes(&candidate.summary) {
                tracing::debug!(repeats, dropped = ?dropped, "a fact is not kept");
                continue;
            }
            let marks = fact::marks(&key, &candidate.summary, &candidate.summary);
            if !self.record()?.is_buried(&identities, &marks).await? {
                kept.push(candidate.redacted());
            }
        }
        Ok(kept)
    }

    /// Stores facts as one journal group, each with where it came from; what is known already only gains a source.
    async fn store_facts(&self, session: &str, candidates: &[Candidate]) -> Result<Vec<Patch>> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let mut draft = Draft::open(self, Hand::Machine).await?;
        let mut patches = Vec::new();
        let mut sources: Vec<(Scope, String, &Candidate)> = Vec::new();
        for candidate in candidates {
            match place::place(&mut draft, candidate).await? {
                Placed::New { scope, kind, path } => {
                    sources.push((scope, candidate.summary.clone(), candidate));
                    patches.push(Patch { topic: kind, summary: candidate.summary.clone(), path });
                }
                Placed::Known { scope, summary } => sources.push((scope, summary, candidate)),
            }
        }
        if !draft.is_empty() {
            draft.commit(Actor::Extract, Policy::Redact).await?;
        }
        let key = self.record()?.fact_key().await?;
        for (scope, summary, candidate) in sources {
            let root = self.store.root(Some(scope))?;
            let source = Source {
                session: session.to_owned(),
                message: Some(candidate.message.clone()),
                at: candidate.at.unwrap_or_else(|| self.store.now()),
            };
            self.record()?.note_source(&root.key.identity, &fact::mark(&key, &summary), &source).await?;
        }
        Ok(patches)
    }
}

impl Candidate {
    fn redacted(self) -> Candidate {
        let clean = |text: String| secrets::redact(&text).into_owned();
        Candidate { summary: clean(self.summary), why: self.why.map(clean), how: self.how.map(clean), ..self }
    }
}
