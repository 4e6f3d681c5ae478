//! Recall: the few documents worth attention right now, or none.
//!
//! Owns ranking, the relevance floor, the prompt block and the receipt.
//! Never writes a memory: whoever *shows* a document reports its use, and here that is [`Memory::recall`] itself.
//! Read [`Memory::recall`] first; the rankers live in `recall/`.

mod aligned;
pub(crate) mod fillers;
mod fuse;
mod known;
mod lexical;
mod meaning;
mod model;
mod postings;
mod profile;
mod question;
mod related;
mod semantic;
pub mod sessions;
mod shelf;
pub(crate) mod shown;
mod stronger;
mod why;

pub use shelf::Shelves;
pub use stronger::Stronger;
pub use why::{Receipt, Why};

use crate::{Error, Memory, Result, Verb};
use fuse::Ranked;
use jiff::Timestamp;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use question::Question;
use serde::Serialize;
use shelf::Shelf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question put to memory.
#[derive(Debug, Clone)]
pub struct Recall {
    /// In any words and language.
    pub query: String,
    /// Only this scope.
    pub scope: Option<Scope>,
    /// At most this many documents.
    pub limit: usize,
    /// Characters of a document in the prompt block.
    pub doc_chars: usize,
    /// Leave out what this session has been shown, and note what it is shown now.
    pub session: Option<String>,
    /// How long a model may take to choose; `None` = none is asked.
    pub model: Option<Duration>,
}

/// How the answer came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Nothing fits.
    None,
    /// By words and local embeddings.
    Heuristic,
    /// By a model's choice.
    Model,
}

impl Strategy {
    /// Its word on every surface.
    pub fn word(self) -> &'static str {
        match self {
            Strategy::None => "none",
            Strategy::Heuristic => "heuristic",
            Strategy::Model => "model",
        }
    }
}

/// What came to mind, best first.
#[derive(Debug, Clone, Serialize)]
pub struct Recalled {
    /// How.
    pub strategy: Strategy,
    /// Which documents.
    pub hits: Vec<Hit>,
    /// The block for a prompt; empty when nothing fits.
    pub prompt: String,
    /// What [`Memory::why`] takes.
    pub receipt: String,
}

/// One document that fits.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Its virtual path.
    pub path: String,
    /// Its scope.
    pub scope: Scope,
    /// What kind of fact it holds.
    pub r#type: Kind,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Between 0 and 1, comparable between questions.
    pub score: f64,
    /// What speaks for it.
    pub why: Why,
    /// The entry that fits best.
    pub excerpt: String,
    /// When the file last changed.
    pub updated_at: Timestamp,
    /// True when something it names has changed or gone.
    pub stale: bool,
}

impl Memory {
    /// Asks memory. Outside edits are seen; what is shown counts as used, and is noted for the session.
    pub fn recall(&self, ask: Recall) -> Verb<'_, Recalled> {
        Box::pin(async move {
            let (start, session, query_length) = (Instant::now(), ask.session.clone(), ask.query.chars().count());
            let (recalled, _) = self.look_up(ask).await?;
            self.note_shown(&recalled.hits, session.as_deref()).await?;
            tracing::info!(
                target: "memory.recall",
                query_length,
                docs_scanned = self.shelves.documents(),
                docs_selected = recalled.hits.len(),
                strategy = recalled.strategy.word(),
                duration_ms = start.elapsed().as_millis() as u64,
            );
            Ok(recalled)
        })
    }

    /// The same, as a look that leaves no use behind: context is preloading, not reading. Also the documents behind the
    /// prompt, for who has room for fewer of them.
    pub(crate) async fn look_up(&self, ask: Recall) -> Result<(Recalled, Vec<shown::Document>)> {
        let question = Question::new(&ask.query);
        let shelves = if question.is_empty() || ask.limit == 0 { Vec::new() } else { self.shelves(ask.scope).await? };
        let ranked = self.rank(&question, &shelves).await?;
        let (mut fitting, left_out) = self.unseen(ranked, &shelves, ask.session.as_deref()).await?;
        let mut by = Strategy::Heuristic;
        if let Some(chosen) = self.chosen(&ask, &question, &shelves, &fitting, &left_out).await? {
            (fitting, by) = (chosen, Strategy::Model);
        }
        let mut hits = Vec::new();
        let mut documents = Vec::new();
        for ranked in fitting.iter().take(ask.limit) {
            // A file that went since the walk is no hit.
            if let Some((hit, document)) = self.hit(&question, &shelves, ranked).await? {
                hits.push(hit);
                documents.push(document);
            }
        }
        let prompt = shown::prompt(&documents, ask.doc_chars, self.store.now());
        let receipt = self.receipt(&question, &hits, &fitting, &shelves, left_out, &ask).await?;
        let strategy = if hits.is_empty() { Strategy::None } else { by };
        Ok((Recalled { strategy, hits, prompt, receipt }, documents))
    }

    /// Every document that passes the floor, best first.
    async fn rank(&self, question: &Question, shelves: &[Arc<Shelf>]) -> Result<Vec<Ranked>> {
        let words = lexical::score(self.record()?, shelves, question).await?;
        let mut semantic = semantic::score(shelves, question, &words.weights);
        if let Some(stronger) =
            self.stronger.as_ref().filter(|_| shelves.iter().any(|shelf| !shelf.documents.is_empty()))
            && let Some(nearness) = stronger.nearness(self, &question.text, shelves).await
        {
            for (semantic, near) in semantic.iter_mut().flatten().zip(nearness.into_iter().flatten()) {
                semantic.strengthen(near);
            }
        }
        let mut compared = aligned::Compared::default();
        for (at, document) in fuse::shortlist(&words, &semantic) {
            let (lexical, semantic) = (&words.documents[at][document], &mut semantic[at][document]);
            let profile = shelves[at].profiles.at(document);
            let whole = semantic.similarity;
            semantic.aligned = aligned::score(question, &words.weights, lexical, &profile, whole, &mut compared);
        }
        Ok(fuse::merge(shelves, question, &words, &semantic))
    }

    /// The shelves of a scope or of all, brought up to date with the files.
    async fn shelves(&self, scope: Option<Scope>) -> Result<Vec<Arc<Shelf>>> {
        let mut shelves = Vec::new();
        for root in self.roots(scope)? {
            self.look(root).await?;
            shelves.push(self.shelves.fresh(self.record()?, &self.store, root).await?);
        }
        Ok(shelves)
    }

    /// Leaves out what the session has been shown; also says what that was.
    async fn unseen(
        &self,
        ranked: Vec<Ranked>,
        shelves: &[Arc<Shelf>],
        session: Option<&str>,
    ) -> Result<(Vec<Ranked>, Vec<String>)> {
        let Some(session) = session else { return Ok((ranked, Vec::new())) };
        let shown = self.record()?.shown(&self.conversation(session)).await?;
        if shown.is_empty() {
            return Ok((ranked, Vec::new()));
        }
        let path = |ranked: &Ranked| shelves[ranked.shelf].virtual_path(ranked.document);
        let (out, fitting): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|ranked| shown.contains(&path(ranked)));
        let out = out.iter().map(path).collect();
        Ok((fitting, out))
    }

    async fn hit(
        &self,
        question: &Question,
        shelves: &[Arc<Shelf>],
        ranked: &Ranked,
    ) -> Result<Option<(Hit, shown::Document)>> {
        let shelf = &shelves[ranked.shelf];
        let root = self.store.root(Some(shelf.scope))?;
        let searched = &shelf.documents[ranked.document];
        let blob = match self.store.read(root, &searched.path).await {
            Ok(Some(blob)) => blob,
            // What this user may not read was told when files were looked at.
            Ok(None) | Err(loci_store::Error::Forbidden) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let text = String::from_utf8(blob.bytes).map_err(|_| Error::NotText(root.name(&searched.path)))?;
        let listed = self.record()?.listed_file(&root.key, &searched.path).await?;
        let Some(mut file) = listed.map(|listed| crate::list::file(root, listed)) else { return Ok(None) };
        let drifted = self.store.drifted(root, &searched.path, &file.sha256).await?;
        file.stale = drifted.is_some();
        let excerpt = shown::excerpt(&searched.path, &text, question);
        let document = shown::Document::new(&file, &text, drifted.clone());
        let hit = Hit {
            why: Why { stale: drifted, ..Why::of(question, ranked, &file, self.store.now()) },
            path: file.path.clone(),
            scope: file.scope,
            r#type: file.r#type,
            name: file.name.clone(),
            description: file.description.clone(),
            score: (ranked.score * 1e4).round() / 1e4,
            excerpt,
            updated_at: file.updated_at,
            stale: file.stale,
        };
        Ok(Some((hit, document)))
    }

    /// For a process that ends now: what recall has read is left to the kernel.
    pub fn leave_shelves(&self) {
        self.shelves.leave();
    }

    /// Notes that a session's agent wrote these memories itself, so that they are not shown to it again. Paths that are
    /// none, or that lie elsewhere, are passed over.
    pub async fn note_written(&self, session: &str, paths: &[String]) -> Result<()> {
        let ours = |path: &String| self.locate(path).ok().map(|(root, path)| root.name(&path));
        let paths: Vec<String> = paths.iter().filter_map(ours).collect();
        Ok(self.record()?.show(&self.conversation(session), &paths, self.store.now()).await?)
    }

    /// Counts the use of what is shown, and notes it for the session. Where nothing can be written, the answer still counts.
    async fn note_shown(&self, hits: &[Hit], session: Option<&str>) -> Result<()> {
        let record = self.record()?;
        let used = hits.iter().map(|hit| self.locate(&hit.path).map(|(root, path)| (root.key.identity.clone(), path)));
        let used = used.collect::<Result<Vec<_>>>()?;
        if let Err(error) = record.touch_each(&used, self.store.now()).await {
            tracing::warn!(%error, "the use was not counted");
        }
        if let Some(session) = session.filter(|_| !hits.is_empty()) {
            let paths: Vec<String> = hits.iter().map(|hit| hit.path.clone()).collect();
            record.show(&self.conversation(session), &paths, self.store.now()).await?;
        }
        Ok(())
    }
}
