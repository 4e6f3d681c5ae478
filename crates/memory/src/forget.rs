//! Forget: entries go, exactly their bytes, and do not come back by themselves.
//!
//! Owns what is meant by a query, how much one call removes, tombstones, and the report of everywhere it was removed.
//! Never guesses: without a model all words of the query must match.
//! Start at [`Memory::forget`]; `forget/candidates.rs` lists, `forget/choose.rs` and `forget/model.rs` choose,
//! `forget/purge.rs` leaves no byte behind.

mod candidates;
mod choose;
mod model;
mod purge;
mod sessions;
mod told;

pub use candidates::Candidate;
pub use purge::Purged;
pub use sessions::PURGED;

use crate::draft::{Draft, Hand};
use crate::remember::TRIES;
use crate::{Error, Memory, Result, Verb};
use loci_domain::change::Actor;
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_domain::{entry, fact, frontmatter};
use loci_llm::Role;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// The longest query, in bytes after trimming.
pub const LONGEST: usize = 64 * 1024;

/// What happens to what was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// It is only told.
    DryRun,
    /// It goes from memory; the journal keeps it for undo.
    Memory,
    /// No byte of it is left anywhere in the home.
    Purge,
}

/// Something to forget.
#[derive(Debug, Clone)]
pub struct Forget {
    /// In words.
    pub query: String,
    /// Only in this scope.
    pub scope: Option<Scope>,
    /// At most this many entries; `None` = all that match.
    pub limit: Option<usize>,
    /// How far it goes.
    pub extent: Extent,
    /// Whose act it is: only a person's own removes what is pinned.
    pub hand: Hand,
}

/// One entry that went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Removed {
    /// Its name: `<scope>:<path>[:<n>]`, as it was before.
    pub id: String,
    /// The type of its document.
    pub topic: String,
    /// Its first line.
    pub summary: String,
    /// The virtual path of its document.
    pub file_path: String,
}

/// One place that held it, and what became of it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemovedFrom {
    /// `file`, `index`, `search`, `journal`, `sessions`, `handbook`, …
    pub place: String,
    /// `removed`, `kept` or `pending`.
    pub state: &'static str,
    /// More in words.
    pub note: String,
}

/// What was forgotten.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    /// In a sentence or two; that more matched is for who knows how to go on ([`Forgotten::with_more`]).
    pub summary: String,
    /// What went, or would go, best match first.
    pub removed_entries: Vec<Removed>,
    /// Their types.
    pub touched_topics: Vec<String>,
    /// Their scopes.
    pub touched_scopes: Vec<Scope>,
    /// Everywhere it was removed from, or is still kept.
    pub removed_from: Vec<RemovedFrom>,
    /// How many more entries matched.
    #[serde(skip)]
    pub more: usize,
    /// What changed, as a unified diff.
    #[serde(skip)]
    pub diff: String,
    /// Pinned ones among them.
    #[serde(skip)]
    pub pinned: usize,
    /// What a purge did.
    #[serde(skip)]
    pub purged: Option<Purged>,
}

impl Forgotten {
    /// The same with a sentence about what more matched; `next` says how to go on, where there is a way.
    pub fn with_more(mut self, next: Option<&str>) -> Forgotten {
        match (self.more, next) {
            (0, _) => {}
            (more, Some(next)) => self.summary.push_str(&format!(" {more} more matched; {next}.")),
            (more, None) => self.summary.push_str(&format!(" {more} more matched.")),
        }
        self
    }
}

/// What a query means in the memory that there is.
struct Meant {
    draft: Draft,
    query: String,
    /// Best first, up to the limit.
    chosen: Vec<Candidate>,
    matched: usize,
    /// Entries that matched and are not this hand's to remove.
    pinned: usize,
}

impl Memory {
    /// Forgets what a query means. Nothing that matches is an answer, not an error.
    pub fn forget(&self, ask: Forget) -> Verb<'_, Forgotten> {
        Box::pin(async move {
            let start = Instant::now();
            let forgotten = self.forget_now(ask).await;
            let status = if forgotten.is_ok() { "completed" } else { "failed" };
            let removed = forgotten.as_ref().map_or(0, |forgotten| forgotten.removed_entries.len());
            let duration_ms = start.elapsed().as_millis() as u64;
            tracing::info!(target: "memory.forget", trigger = "manual", status, removed, duration_ms);
            forgotten
        })
    }

    async fn forget_now(&self, ask: Forget) -> Result<Forgotten> {
        let mut tries = TRIES;
        loop {
            tries -= 1;
            let Meant { draft, query, chosen, matched, pinned } = self.meant(&ask).await?;
            match self.forget_these(draft, ask.clone(), &query, chosen, matched).await {
                // Somebody was quicker; what is there now decides anew.
                Err(Error::Changed { .. }) if tries > 0 => {}
                Ok(forgotten) => return Ok(forgotten.beside(pinned)),
                failed => return failed,
            }
        }
    }

    async fn meant(&self, ask: &Forget) -> Result<Meant> {
        let query = checked(&ask.query)?;
        let mut draft = Draft::open(self, ask.hand).await?;
        let candidates = candidates::all(self, &mut draft, ask.scope).await?;
        let mut chosen = self.choose(&query, &candidates).await?;
        let matched = chosen.len();
        chosen.truncate(ask.limit.unwrap_or(usize::MAX));
        let pinned = choose::by_words(&query, &candidates::out_of_reach(self, &mut draft, ask.scope).await?).len();
        Ok(Meant { draft, query, chosen, matched, pinned })
    }

    /// Forgets exactly these entries, as a person saw them in a preview, `more` of which matched too: a changed file is
    /// [`Error::Changed`].
    pub fn forget_chosen(&self, ask: Forget, chosen: Vec<Candidate>, more: usize) -> Verb<'_, Forgotten> {
        Box::pin(async move {
            let query = checked(&ask.query)?;
            let mut draft = Draft::open(self, ask.hand).await?;
            let now = candidates::all(self, &mut draft, ask.scope).await?;
            if let Some(other) = chosen.iter().find(|candidate| !now.contains(candidate)) {
                return Err(Error::Changed { path: other.path.virtual_in(other.scope) });
            }
            let matched = chosen.len() + more;
            self.forget_these(draft, ask, &query, chosen, matched).await
        })
    }

    /// What a query means, best first, and how many more entries matched; nothing is changed.
    pub async fn forget_preview(&self, ask: &Forget) -> Result<(Vec<Candidate>, usize)> {
        let Meant { chosen, matched, .. } = self.meant(ask).await?;
        let more = matched - chosen.len();
        Ok((chosen, more))
    }

    /// The exact prompt that a model would be given.
    pub async fn forget_prompt(&self, ask: &Forget) -> Result<String> {
        let query = checked(&ask.query)?;
        let mut draft = Draft::open(self, ask.hand).await?;
        let candidates = candidates::all(self, &mut draft, ask.scope).await?;
        model::prompt(self, &query, &model::shortlist(&query, &candidates))
    }

    /// By the model where there is one, else by words.
    async fn choose(&self, query: &str, candidates: &[Candidate]) -> Result<Vec<Candidate>> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let named = choose::by_words(query, candidates);
        if self.models.has(Role::Fast) {
            match model::choose(self, query, candidates).await? {
                Ok(chosen) if !misses(&chosen, &named) => return Ok(chosen),
                Ok(_) => tracing::warn!("the model chose others than the words name plainly; words decide"),
                Err(reason) => tracing::warn!(%reason, "words decide instead of the model"),
            }
        }
        Ok(named)
    }

    async fn forget_these(
        &self,
        mut draft: Draft,
        ask: Forget,
        query: &str,
        chosen: Vec<Candidate>,
        matched: usize,
    ) -> Result<Forgotten> {
        cut_out(&mut draft, &chosen).await?;
        let renamed = match ask.extent {
            Extent::Purge => purge::rename_faces(&mut draft, &chosen).await?,
            Extent::DryRun | Extent::Memory => Vec::new(),
        };
        let mut forgotten = told::told(&chosen, matched - chosen.len(), ask.extent);
        forgotten.diff = draft.diff();
        if ask.extent == Extent::DryRun {
            return Ok(forgotten);
        }
        let mut group = None;
        if !chosen.is_empty() {
            group = Some(draft.commit(Actor::Forget, Policy::Allow).await?.group);
            self.bury(&chosen).await?;
        }
        if ask.extent == Extent::Purge {
            let everything = matched <= chosen.len();
            let purged = purge::purge(self, everything.then_some(query), &chosen, renamed, group.as_ref()).await?;
            purge::report(&mut forgotten, &purged);
            forgotten.purged = Some(purged);
        }
        Ok(forgotten)
    }

    /// Keeps what was forgotten from being learnt again, and forgets where it came from.
    async fn bury(&self, chosen: &[Candidate]) -> Result<()> {
        let record = self.record()?;
        let key = record.fact_key().await?;
        for candidate in chosen {
            let identity = &self.store.root(Some(candidate.scope))?.key.identity;
            record.bury(identity, &fact::marks(&key, &candidate.summary, &candidate.text), self.store.now()).await?;
            record.forget_sources(identity, &[fact::mark(&key, &candidate.summary)]).await?;
        }
        Ok(())
    }
}

fn checked(query: &str) -> Result<String> {
    match query.trim() {
        "" => Err(Error::Query("say what to forget".to_owned())),
        long if long.len() > LONGEST => {
            Err(Error::Query(format!("the query has {} bytes; forget takes at most {LONGEST}", long.len())))
        }
        query => Ok(query.to_owned()),
    }
}

/// True for a choice that has nothing of what the query's own words name: a small model that did not understand.
fn misses(chosen: &[Candidate], named: &[Candidate]) -> bool {
    let is_named = |candidate: &Candidate| named.iter().any(|named| named.id == candidate.id);
    !chosen.is_empty() && !named.is_empty() && !chosen.iter().any(is_named)
}

/// Stages the removal of entries, all of a file at once.
async fn cut_out(draft: &mut Draft, chosen: &[Candidate]) -> Result<()> {
    let mut files: BTreeMap<(Scope, _), Vec<usize>> = BTreeMap::new();
    for candidate in chosen {
        files.entry((candidate.scope, candidate.path.clone())).or_default().push(candidate.n);
    }
    for ((scope, path), which) in files {
        let Some(text) = draft.read(scope, &path).await? else { continue };
        match entry::remove(&text, frontmatter::split(&text).body, &which) {
            Some(rest) => draft.put(scope, &path, rest).await?,
            None => draft.remove(scope, &path).await?,
        }
    }
    Ok(())
}
