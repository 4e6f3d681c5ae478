//! Who does the jobs of a home on this machine: one process at a time, the daemon or a worker.
//!
//! Owns the lock file that says so. A lock and not a row: the kernel takes it back from the dead at once, and an idle
//! daemon writes nothing. It only keeps processes from waiting for each other; a job itself is safe by its fenced claim,
//! whoever does it.
//!
//! Nobody is left waiting: who asks for a job puts it down first and looks for a free seat then; who leaves the seat gives
//! it up first and looks for jobs then.

use loci_store::lock::{FileLock, Held, Lock};
use std::path::Path;

/// The right to do jobs; it ends when this is dropped.
pub struct Seat(#[allow(dead_code, reason = "dropping it is its use")] Held);

impl Seat {
    /// Takes the seat of a home, if nobody has it.
    pub async fn take(home: &Path) -> loci_store::Result<Option<Seat>> {
        Ok(FileLock::File(home.join("locks/pipeline.lock")).try_hold().await?.map(Seat))
    }

    /// Whether somebody has to be started to do jobs.
    pub async fn is_free(home: &Path) -> loci_store::Result<bool> {
        Ok(Seat::take(home).await?.is_some())
    }
}
