//! When a bucket is walked again.
//!
//! A walk is a request over a network for every thousand objects. Whoever writes through Loci is known by the ledger at once;
//! only who writes past it has to wait for the next walk.

use loci_domain::path::EntryPath;
use loci_store::backend::Watch;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a walk is trusted.
const TRUSTED: Duration = Duration::from_secs(2);

/// Knows when the last walk was.
#[derive(Default)]
pub(super) struct Pace(Mutex<Option<Instant>>);

impl Watch for Pace {
    fn over(&self, _: &[EntryPath]) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        true
    }

    fn quiet(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|walked| walked.elapsed() < TRUSTED)
    }
}
