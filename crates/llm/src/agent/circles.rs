//! Notices an agent that does the same again and again.

use crate::provider::{Call, CallResult};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// As often as this is once too often: the second time a model may have wanted to make sure.
const TIMES: u32 = 3;

/// How often each call brought the same.
#[derive(Debug, Default)]
pub(super) struct Circles {
    seen: HashMap<u64, u32>,
    hasher: RandomState,
}

impl Circles {
    /// Takes the calls of a turn and what came of them; true when one of them came to the same on its third turn.
    pub(super) fn closed(&mut self, calls: &[Call], results: &[CallResult]) -> bool {
        let mut turn: Vec<u64> = calls
            .iter()
            .zip(results)
            .map(|(call, result)| self.hasher.hash_one((&call.name, call.arguments.to_string(), &result.text)))
            .collect();
        // Twice in one turn is one turn.
        turn.sort_unstable();
        turn.dedup();
        turn.into_iter().fold(false, |closed, step| {
            let times = self.seen.entry(step).or_default();
            *times += 1;
            closed || *times >= TIMES
        })
    }
}
