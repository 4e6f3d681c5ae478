//! A look at a root that costs next to nothing while nothing changes: for who looks before every answer.
//!
//! Owns when a walk may be left out. Never decides what a change means: [`Store::sync`] does.
//! Start at [`Store::glance`].
//!
//! Invariant: outside_edit_is_seen_by_the_next_look. A walk is left out only when folders were watched before the last
//! walk began, nothing was noted since, and the catalogue is the one that this walk was compared with.

use crate::backend::Watch;
use crate::store::{Root, Store};
use crate::{Result, record::Record};
use std::time::{Duration, Instant};

/// How long a watch is trusted. What is written through a memory map is noted late, so there is a walk now and then.
const TRUSTED: Duration = Duration::from_secs(30);

/// What a process remembers of its last look at a root.
#[derive(Default)]
pub(crate) struct Glance {
    /// A process that looks once needs no watch.
    looked: bool,
    watch: Option<Box<dyn Watch>>,
    seen: Option<Seen>,
}

/// A walk that found everything as the catalogue has it.
struct Seen {
    at: Instant,
    generation: u64,
}

impl Store {
    /// Brings the catalogue of a root up to date with its files, by a walk or, when it is known that nothing changed, without.
    pub async fn glance(&self, root: &Root) -> Result<()> {
        let Some(record) = self.record() else { return Ok(()) };
        let mut glance = root.glance.lock().await;
        // Always asked: it forgets what it noted, and what was noted before the walk is of no interest after it.
        let quiet = glance.watch.as_ref().is_some_and(|watch| watch.quiet());
        let seen = glance.seen.take().filter(|seen| quiet && seen.at.elapsed() < TRUSTED);
        if let Some(seen) = seen
            && self.still(root, record, &seen).await?
        {
            glance.seen = Some(seen);
            return Ok(());
        }
        if glance.looked && glance.watch.is_none() {
            glance.watch = root.backend.watch();
        }
        let at = Instant::now();
        let listing = self.sync(root).await?;
        glance.looked = true;
        let covered = glance.watch.as_ref().is_some_and(|watch| watch.over(&listing.folders));
        if covered && listing.complete {
            glance.seen = Some(Seen { at, generation: record.generation(&root.key.place).await? });
        }
        Ok(())
    }

    /// True when the catalogue is still the same, and no change was cut off.
    async fn still(&self, root: &Root, record: &dyn Record, seen: &Seen) -> Result<bool> {
        let place = &root.key.place;
        Ok(record.generation(place).await? == seen.generation && record.pending(place).await?.is_empty())
    }
}
