//! Recall over sessions: the few messages that answer a question, or none.
//!
//! Owns what a hit in a session is; the question, the fillers and the receipt are those of [`Memory::recall`].
//! Start at [`Memory::recall_sessions`]; `sessions/rank.rs` ranks, `sessions/talk.rs` keeps messages between questions.

pub(crate) mod fresh;
mod rank;
mod talk;

pub use talk::Talks;

use super::question::Question;
use super::why::{Cut, MOST, Receipt, Shown, Why};
use super::{Memory, Result, Strategy, Verb};
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_store::record::{Message, Whose};
use rank::Ranked;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use talk::Talk;

/// Characters of an excerpt.
const EXCERPT: usize = 400;
/// Further messages that a receipt names.
const NAMED: usize = 20;

/// A question put to past sessions.
#[derive(Debug, Clone)]
pub struct RecallSessions {
    /// In any words and language.
    pub query: String,
    /// At most this many messages.
    pub limit: usize,
    /// Which sessions.
    pub reach: Reach,
}

/// Which sessions are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This project's, and those of no project.
    Here,
    /// All.
    Everywhere,
}

/// What came to mind, best first.
#[derive(Debug, Clone, Serialize)]
pub struct RecalledSessions {
    /// How.
    pub strategy: Strategy,
    /// Which messages.
    pub hits: Vec<SessionHit>,
    /// What [`Memory::why`] takes.
    pub receipt: String,
}

/// One message that fits.
#[derive(Debug, Clone, Serialize)]
pub struct SessionHit {
    /// The session's name.
    pub session: String,
    /// The message's name in it.
    pub message: String,
    /// Who speaks.
    pub role: &'static str,
    /// When it was said; the session's time when the message has none.
    pub at: Timestamp,
    /// Between 0 and 1.
    pub score: f64,
    /// What speaks for it.
    pub why: Why,
    /// Its words, where the question's stand.
    pub excerpt: String,
}

impl Memory {
    /// Asks past sessions. Leaves a receipt, and no use behind: messages are no memories.
    pub fn recall_sessions(&self, ask: RecallSessions) -> Verb<'_, RecalledSessions> {
        Box::pin(async move {
            let (start, question) = (Instant::now(), Question::new(&ask.query));
            let (mut ranked, mut scanned): (Vec<(Arc<Talk>, Ranked)>, usize) = (Vec::new(), 0);
            if !question.terms.is_empty() && ask.limit > 0 {
                for whose in self.reached(ask.reach).await? {
                    let talk = self.talks.fresh(self.record()?, &whose).await?;
                    scanned += talk.len();
                    let heard = self.record()?.heard(&whose, &question.terms).await?;
                    let found = rank::rank(&talk, &question, &heard, ask.limit + NAMED);
                    ranked.extend(found.into_iter().map(|ranked| (Arc::clone(&talk), ranked)));
                }
                ranked.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
            }
            let (mut hits, mut cut) = (Vec::new(), Vec::new());
            for (talk, ranked) in &ranked {
                let place = talk.place(ranked.message);
                // A session that went since is no hit.
                let Some(message) = self.record()?.messages(place.session.number, place.position, 1).await?.pop()
                else {
                    continue;
                };
                let session = &place.session.session;
                if hits.len() == ask.limit {
                    cut.push(Cut { path: path(&session.id, &message.id), reason: "limit".to_owned() });
                    if cut.len() == NAMED {
                        break;
                    }
                    continue;
                }
                let at = message.at.unwrap_or(session.at);
                hits.push(SessionHit {
                    session: session.id.clone(),
                    role: message.role.word(),
                    at,
                    score: (ranked.score * 1e4).round() / 1e4,
                    why: why(&question, ranked, at, self.store.now()),
                    excerpt: excerpt(&message, &question),
                    message: message.id,
                });
            }
            let receipt = self.keep_session_receipt(&question, &hits, cut).await?;
            let strategy = if hits.is_empty() { Strategy::None } else { Strategy::Heuristic };
            tracing::info!(
                target: "memory.recall",
                query_length = ask.query.chars().count(),
                docs_scanned = scanned,
                docs_selected = hits.len(),
                strategy = strategy.word(),
                duration_ms = start.elapsed().as_millis() as u64,
            );
            Ok(RecalledSessions { strategy, hits, receipt })
        })
    }

    async fn reached(&self, reach: Reach) -> Result<Vec<Whose>> {
        let here = self.whose();
        let mut reached = vec![here.clone()];
        match reach {
            Reach::Here => reached.push(Whose { project: String::new(), ..here }),
            Reach::Everywhere => {
                let all = self.record()?.sessions(&here.account).await?;
                reached.extend(all.into_iter().map(|kept| kept.session.whose));
            }
        }
        reached.sort();
        reached.dedup();
        Ok(reached)
    }

    async fn keep_session_receipt(&self, question: &Question, hits: &[SessionHit], cut: Vec<Cut>) -> Result<String> {
        let shown = |hit: &SessionHit| Shown {
            path: path(&hit.session, &hit.message),
            score: hit.score,
            why: hit.why.clone(),
            cited: false,
        };
        let receipt = Receipt {
            id: loci_store::store::fresh_id(),
            at: self.store.now(),
            query: Digest::of(question.text.as_bytes()).to_string(),
            session: None,
            shown: hits.iter().map(shown).collect(),
            cut,
        };
        let body = serde_json::to_string(&receipt).unwrap_or_default();
        if let Err(error) = self.record()?.keep_receipt(&receipt.id, receipt.at, &body, MOST).await {
            tracing::warn!(%error, "the receipt was not kept");
        }
        Ok(receipt.id)
    }
}

/// How a receipt names a message.
fn path(session: &str, message: &str) -> String {
    format!("session:{session}#{message}")
}

/// What the body of a receipt holds when it names a message of a session.
pub(crate) fn named_in_receipts(session: &str) -> String {
    serde_json::json!(path(session, "")).to_string().trim_end_matches('"').to_owned()
}

fn why(question: &Question, ranked: &Ranked, at: Timestamp, now: Timestamp) -> Why {
    let named = |own: bool| vec![if own { "message" } else { "neighbours" }.to_owned()];
    let terms: BTreeMap<String, Vec<String>> =
        ranked.matched.iter().map(|(term, own)| (question.terms[*term].clone(), named(*own))).collect();
    let round = |value: f64| (value * 1e3).round() / 1e3;
    Why {
        terms,
        coverage: round(ranked.coverage),
        similarity: round(ranked.similarity),
        uses: 0,
        stale: None,
        age_days: (now.as_second() - at.as_second()).max(0) / 86_400,
    }
}

/// The words around the first line that has most of the question's words.
fn excerpt(message: &Message, question: &Question) -> String {
    let text = message.content.trim();
    if text.chars().nth(EXCERPT).is_none() {
        return text.to_owned();
    }
    // Looking at all of a megabyte would cost more than finding it.
    let text = &text[..text.floor_char_boundary(64 << 10)];
    let shared = |line: &str| {
        let tokens = loci_domain::words::tokens(line);
        question.terms.iter().filter(|term| tokens.contains(term)).count()
    };
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), shared(line)))
    });
    let start = lines.fold((0, 0), |best, found| if found.1 > best.1 { found } else { best }).0;
    let cut: String = text[start..].chars().take(EXCERPT).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + cut.len() < text.len() { "…" } else { "" });
    format!("{before}{}{after}", cut.trim_end())
}
