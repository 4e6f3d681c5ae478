//! The hot set: the few files that a session gets whole, because they are pinned or much used of late.
//!
//! Owns the score, the order and the budgets of the set. Never reads a file or counts a use: whoever shows a file
//! reports it, and whoever fills the set brings the text, best candidate first, until the set is full.
//! Start at [`order`], then [`Set::offer`].
//!
//! Invariant: hot_set_is_bounded. The rendered block never exceeds its bytes, its tokens or its items.

use crate::block::{self, HotItem};
use crate::tokens;
use jiff::Timestamp;
use std::cmp::Ordering;

const DAY: f64 = 24.0 * 60.0 * 60.0;

/// What is known of a file before its text is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its virtual path.
    pub path: String,
    /// A person's mark.
    pub pinned: bool,
    /// How often it was used.
    pub uses: u64,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

/// How large the set may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one item's text; a longer one is cut.
    pub item_bytes: usize,
    /// Bytes of the rendered block.
    pub total_bytes: usize,
    /// Tokens of the rendered block.
    pub tokens: usize,
    /// Items.
    pub items: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { item_bytes: 16 * 1024, total_bytes: 48 * 1024, tokens: 12_000, items: 8 }
    }
}

/// The uses, halved for every half-life since the last one; never used is 0.
pub fn score(uses: u64, last_used_at: Option<Timestamp>, now: Timestamp, half_life_days: f64) -> f64 {
    let Some(last) = last_used_at else { return 0.0 };
    let age = now.duration_since(last).as_secs_f64() / DAY;
    // A clock that went back is no age at all, and also keeps 0 / 0 out of a half-life of nothing.
    let fading = if age > 0.0 { 0.5_f64.powf(age / half_life_days.max(0.0)) } else { 1.0 };
    uses as f64 * fading
}

/// The candidates worth offering, best first: pinned ones, then by score, equals by path; without either it stays out.
pub fn order(candidates: Vec<Candidate>, now: Timestamp, half_life_days: f64) -> Vec<Candidate> {
    let scored = candidates.into_iter().map(|one| (score(one.uses, one.last_used_at, now, half_life_days), one));
    let mut scored: Vec<_> = scored.filter(|(score, one)| one.pinned || *score > 0.0).collect();
    scored.sort_by(|(a_score, a), (b_score, b)| {
        let by_score = if a.pinned { Ordering::Equal } else { b_score.total_cmp(a_score) };
        b.pinned.cmp(&a.pinned).then(by_score).then_with(|| a.path.cmp(&b.path))
    });
    scored.into_iter().map(|(_, one)| one).collect()
}

/// A set that is being filled; what it holds always fits its limits.
#[derive(Debug, Clone)]
pub struct Set {
    limits: Limits,
    items: Vec<HotItem>,
    bytes: usize,
    tokens: usize,
}

impl Set {
    /// A set with nothing in it.
    pub fn new(limits: Limits) -> Set {
        let frame = block::hot_frame();
        Set { limits, items: Vec::new(), bytes: frame.len(), tokens: tokens::estimate(&frame) }
    }

    /// Takes a file in if the block stays within the limits and within `room` tokens; says whether it did.
    ///
    /// A file that is refused leaves the set as it was, so a smaller one after it may still fit.
    pub fn offer(&mut self, path: &str, text: &str, room: usize) -> bool {
        if self.is_full() {
            return false;
        }
        let item = HotItem::new(path, text, self.limits.item_bytes);
        let rendered = item.render();
        // Counted item by item and rounded up each time, so the sum is never below the count of the whole block.
        let (bytes, tokens) = (self.bytes + rendered.len(), self.tokens + tokens::estimate(&rendered));
        if bytes > self.limits.total_bytes || tokens > self.limits.tokens.min(room) {
            return false;
        }
        (self.bytes, self.tokens) = (bytes, tokens);
        self.items.push(item);
        true
    }

    /// True when no further file can be taken in, however small.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.limits.items
    }

    /// What is in it, in the order it came.
    pub fn items(&self) -> &[HotItem] {
        &self.items
    }

    /// The tokens of [`Set::block`]; 0 while it is empty.
    pub fn tokens(&self) -> usize {
        if self.items.is_empty() { 0 } else { self.tokens }
    }

    /// The set as it goes into the prompt; nothing while it is empty.
    pub fn block(&self) -> String {
        block::hot_block(&self.items)
    }
}

/// Fills a set with files that come best first, as path and text.
pub fn choose<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>, limits: Limits) -> Set {
    let mut set = Set::new(limits);
    for (path, text) in files {
        if set.is_full() {
            break;
        }
        set.offer(path, text, limits.tokens);
    }
    set
}

#[cfg(test)]
mod tests;
