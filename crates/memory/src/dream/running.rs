//! Whether a dream runs, and a run that was killed while it changed files: what it did is taken back.
//!
//! The group of a run is on record before its first file changes and until after the last one. Whoever finds it there
//! while no process is at it knows that the run was cut off.

use crate::{Memory, Result};
use loci_domain::change::{GroupId, Identity};
use loci_domain::scope::Scope;
use loci_store::owner::Owner;
use serde::{Deserialize, Serialize};

const RUNNING: &str = "dream.running";

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Running {
    group: String,
    owner: String,
}

impl Memory {
    /// The person's own scope is part of every dream, so there is one at a time whatever the project.
    pub(super) fn dream_lease(&self) -> Result<String> {
        Ok(format!("dream:{}", self.store.root(Some(Scope::Global))?.key.identity.0))
    }

    /// Whether a dream runs right now, in whatever process.
    pub async fn is_dreaming(&self) -> Result<bool> {
        self.is_held(&self.dream_lease()?).await
    }

    /// Notes which group is about to change files, or that it is done.
    pub(super) async fn note_running(&self, of: &Identity, group: Option<&GroupId>) -> Result<()> {
        let running = group.map(|group| Running { group: group.0.clone(), owner: Owner::this().to_string() });
        self.note_down(RUNNING, of, running.as_ref()).await
    }

    /// Takes back what a dream did whose process is dead. Costs one look where there was none; for the start of a process.
    pub async fn recover(&self) -> Result<()> {
        let Ok(of) = self.upkeep_of() else { return Ok(()) };
        let Some(running) = self.recollect::<Running>(RUNNING, &of).await? else { return Ok(()) };
        match Owner::parse(&running.owner) {
            Some(owner) if owner.is_dead() => self.take_back_cut_off(&of).await,
            // It is at work, or runs where nobody here can look: its lease will tell the next dream.
            _ => Ok(()),
        }
    }

    /// Takes back what was cut off. Called with the lease of dreams in hand, or when its holder is known to be dead.
    pub(super) async fn take_back_cut_off(&self, of: &Identity) -> Result<()> {
        let Some(running) = self.recollect::<Running>(RUNNING, of).await? else { return Ok(()) };
        let group = GroupId(running.group);
        let places: Vec<_> = self.store.roots().iter().map(|root| root.key.place.clone()).collect();
        let changes = self.record()?.standing(&group).await?;
        if !changes.iter().all(|change| places.contains(&change.place)) {
            tracing::warn!(group = group.0, "a dream was cut off; run loci with its workspace to take it back");
            return Ok(());
        }
        self.withdraw(&group).await?;
        if !self.record()?.group(&group).await?.is_empty() {
            tracing::warn!(group = group.0, "a dream was cut off; what it did is taken back");
        }
        self.note_running(of, None).await
    }
}
