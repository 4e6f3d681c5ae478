//! Log: what changed, newest first.

use crate::{Memory, Result};
use jiff::Timestamp;
use loci_domain::change::{Actor, Change, Op};
use loci_domain::path::Spot;
use loci_store::Root;
use loci_store::record::Log;
use serde::Serialize;

/// One change as people and scripts see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// What it was made together with.
    pub group: String,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub actor: Actor,
    /// What.
    pub op: Op,
    /// Which file.
    pub path: String,
    /// Where it went, for a rename.
    pub new_path: Option<String>,
}

impl Entry {
    /// A change of something that is no file of memory, by the name that it has.
    pub fn plain(change: Change) -> Entry {
        Entry {
            id: change.id.0,
            group: change.group.0,
            at: change.at,
            actor: change.actor,
            op: change.op,
            path: change.path.to_string(),
            new_path: None,
        }
    }
}

impl Memory {
    /// The newest changes of all scopes that are there, or of one scope, folder or file.
    pub async fn log(&self, given: Option<&str>, limit: usize) -> Result<Vec<Entry>> {
        let (roots, path) = match given {
            Some(given) => match self.spot(given)?.spot {
                Spot::Top => (self.store.roots(), None),
                Spot::Root(scope) => (vec![self.store.root(scope)?], None),
                Spot::Inside(scope, path) => (vec![self.store.root(scope)?], Some(path)),
            },
            None => (self.store.roots(), None),
        };
        for root in &roots {
            self.look(root).await?;
        }
        let places = roots.iter().map(|root| root.key.place.clone()).collect();
        let changes = self.record()?.changes(&Log { places, path, limit }).await?;
        Ok(changes.into_iter().filter_map(|change| entry(&roots, change)).collect())
    }
}

/// The public face of a change in one of these roots.
pub(crate) fn entry(roots: &[&Root], change: Change) -> Option<Entry> {
    let root = roots.iter().find(|root| root.key.place == change.place)?;
    Some(Entry {
        id: change.id.0,
        group: change.group.0,
        at: change.at,
        actor: change.actor,
        op: change.op,
        path: root.name(&change.path),
        new_path: change.new_path.map(|path| root.name(&path)),
    })
}
