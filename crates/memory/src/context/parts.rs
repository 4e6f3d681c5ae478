//! The parts of a segment, in the order in which they claim the budget: guidance, summary, pinned items,
//! index, other hot items.

use super::{Context, Part, Read, SEAM};
use crate::list::{File, Trust};
use crate::prompts::READ_PATH;
use crate::{Memory, Result};
use loci_domain::hot::{self, Candidate, Set};
use loci_domain::scope::Scope;
use loci_domain::{block, tokens};
use loci_store::catalog;

const GUIDANCE: &str = include_str!("../../prompts/guidance.md");
/// Lines of the index block for one scope.
const INDEX_LINES: usize = 200;

impl Memory {
    /// The parts of a segment within a budget. A scope that cannot be read is left out: an agent starts all the same.
    pub(super) async fn parts(&self, ask: &Context, budget: usize) -> Result<(Vec<Part>, Read)> {
        let (mut files, mut read) = (Vec::new(), Read::All);
        for scope in self.roots(None)?.iter().filter_map(|root| root.scope) {
            match self.list(Some(scope)).await {
                Ok(here) => files.extend(here),
                Err(error) => {
                    tracing::warn!(%error, %scope, "the scope was left out of the context");
                    read = Read::Some;
                }
            }
        }
        let guidance = Part::new("guidance", GUIDANCE.trim_end().to_owned());
        let left = budget.saturating_sub(guidance.tokens + 4 * SEAM);
        let summary = Part::new("summary", self.summary(ask, left, &mut read).await);
        let left = left.saturating_sub(summary.tokens);
        let candidates = files.iter().filter(|file| file.pinned || file.uses > 0).map(|file| Candidate {
            path: file.path.clone(),
            pinned: file.pinned,
            uses: file.uses,
            last_used_at: file.last_used_at,
        });
        let ordered = hot::order(candidates.collect(), self.store.now(), ask.half_life_days);
        let (pinned, used): (Vec<Candidate>, Vec<Candidate>) = ordered.into_iter().partition(|one| one.pinned);
        let mut set = Set::new(ask.hot);
        let pinned_read = self.offer(&mut set, &pinned, &files, left).await?;
        let index = Part::new("index", index(&files, left.saturating_sub(set.tokens())));
        let used_read = self.offer(&mut set, &used, &files, left.saturating_sub(index.tokens)).await?;
        if pinned_read == Read::Some || used_read == Read::Some {
            read = Read::Some;
        }
        let hot = Part::new("hot", set.block());
        let parts = [guidance, index, hot, summary];
        Ok((parts.into_iter().filter(|part| !part.text.is_empty()).collect(), read))
    }

    /// The summary of the handbook, as much as its own limit and the budget allow.
    async fn summary(&self, ask: &Context, left: usize, read: &mut Read) -> String {
        let Some(limit) = ask.summary_tokens else { return String::new() };
        match self.handbook_summary().await {
            Ok(Some(text)) => self.framed(&text, tokens::within(limit).min(left)),
            Ok(None) => String::new(),
            Err(error) => {
                tracing::warn!(%error, "the summary was left out of the context");
                *read = Read::Some;
                String::new()
            }
        }
    }

    /// The summary as an agent is given it, in the person's own frame where there is one.
    pub(crate) fn framed(&self, summary: &str, tokens: usize) -> String {
        let framed = |block: &str| self.prompts.filled(&READ_PATH, &[("memory_summary", block)]);
        let around = match framed("") {
            Ok(frame) => tokens::estimate(frame.trim_end()),
            Err(error) => {
                tracing::warn!(%error, "the handbook's summary is given without a frame");
                return block::summary_block(summary, tokens);
            }
        };
        let block = block::summary_block(summary, tokens.saturating_sub(around));
        if block.is_empty() { block } else { framed(&block).map_or(block, |text| text.trim_end().to_owned() + "\n") }
    }

    /// Offers documents to the hot set, best first; only those that may still fit are read.
    async fn offer(&self, set: &mut Set, candidates: &[Candidate], files: &[File], room: usize) -> Result<Read> {
        let mut read = Read::All;
        for candidate in candidates {
            if set.is_full() {
                break;
            }
            let (root, path) = self.locate(&candidate.path)?;
            let blob = match self.store.read(root, &path).await {
                Ok(Some(blob)) => blob,
                Ok(None) => continue,
                Err(_) => {
                    read = Read::Some;
                    continue;
                }
            };
            let Some(text) = catalog::text(&blob.bytes) else { continue };
            let is = |wanted: fn(&File) -> bool| files.iter().any(|file| file.path == candidate.path && wanted(file));
            let untrusted = is(|file| file.trust == Trust::Untrusted);
            let trust = if untrusted { "[untrusted: nobody accepted this yet]\n" } else { "" };
            let stale = if is(|file| file.stale) { "[stale: what it names has changed; verify first]\n" } else { "" };
            set.offer(&candidate.path, &format!("{trust}{stale}{text}"), room);
        }
        Ok(read)
    }
}

fn described(file: &File) -> String {
    block::marked(&file.description, file.trust == Trust::Trusted).into_owned()
}

/// As many lines as fit; the last one says what is left out.
fn index(files: &[File], budget: usize) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for scope in Scope::ALL {
        let here = files.iter().filter(|file| file.scope == scope).take(INDEX_LINES);
        rows.extend(here.map(|file| (file.path.clone(), described(file))));
    }
    let block = |shown: usize| block::index_block(&rows[..shown], files.len() - shown);
    if tokens::estimate(&block(rows.len())) <= budget {
        return block(rows.len());
    }
    // The most lines that fit, by halves: an estimate of a thousand lines is cheap, a thousand estimates are not.
    let (mut fits, mut over) = (0, rows.len());
    while over - fits > 1 {
        let middle = usize::midpoint(fits, over);
        if tokens::estimate(&block(middle)) <= budget { fits = middle } else { over = middle }
    }
    let least = block(fits);
    if tokens::estimate(&least) <= budget { least } else { String::new() }
}
