//! Undo: takes back a group, a single change, or whatever was done last.
//!
//! Never overwrites what came after: a file that is no longer what the change left stays as it is.

use crate::log::Entry;
use crate::{Error, Memory, Result};
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Policy;
use loci_store::{By, Count, Root, Transaction, catalog};
use std::collections::{BTreeMap, BTreeSet};

impl Memory {
    /// Takes back a change or group by its id, or the last group; answers what was taken back, newest first.
    pub async fn undo(&self, id: Option<&str>) -> Result<Vec<Entry>> {
        let roots = self.store.roots();
        for root in &roots {
            self.store.sync(root).await?;
        }
        let mut changes = self.wanted(id, &roots).await?;
        changes.reverse();
        match self.take_back_all(&roots, &changes, Actor::User).await {
            // What cannot be brought back must not stand in the way of what was done before it.
            Err(expired @ Error::Expired { .. }) if id.is_none() => {
                let ids: Vec<ChangeId> = changes.into_iter().map(|change| change.id).collect();
                self.record()?.pass_over(&ids).await?;
                return Err(expired);
            }
            done => done?,
        }
        self.unbury(&changes).await?;
        Ok(changes.into_iter().filter_map(|change| crate::log::entry(&roots, change)).collect())
    }

    /// Who takes a forgetting back says that it may be known.
    async fn unbury(&self, changes: &[Change]) -> Result<()> {
        for change in changes.iter().filter(|change| change.actor == Actor::Forget) {
            let Some(before) = change.before else { continue };
            let image = self.record()?.image(&before).await?;
            if let Some(text) = image.as_deref().and_then(catalog::text) {
                self.lift_tombstones(text).await?;
            }
        }
        Ok(())
    }

    /// Takes back all that was done in a group, because its task came to nothing; a file that changed since stays as it is.
    /// Nothing when nothing was done.
    pub async fn withdraw(&self, group: &GroupId) -> Result<()> {
        for root in self.store.roots() {
            // What was cut off is decided first, by the files themselves.
            self.store.sync(root).await?;
        }
        let mut changes = self.record()?.group(group).await?;
        let Some(actor) = changes.first().map(|change| change.actor) else { return Ok(()) };
        changes.reverse();
        match self.take_back_all(&self.store.roots(), &changes, actor).await {
            Ok(()) => self.unbury(&changes).await,
            // It was taken back already, or a person was faster: their words stay, and all bytes are in the journal.
            Err(Error::Changed { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes back what a run of this actor has done so far, because the rest of it failed.
    pub(crate) async fn take_back_group(&self, group: &GroupId, actor: Actor) -> Result<()> {
        let roots = self.store.roots();
        let mut changes = self.record()?.group(group).await?;
        changes.reverse();
        self.take_back_all(&roots, &changes, actor).await
    }

    /// Takes back changes, newest first, if every file still is what they left.
    async fn take_back_all(&self, roots: &[&Root], changes: &[Change], actor: Actor) -> Result<()> {
        self.check(roots, changes).await?;
        let by = By::new(actor, Policy::Allow, Count::Nothing);
        for root in roots {
            let here: Vec<&Change> = changes.iter().filter(|change| change.place == root.key.place).collect();
            for layer in layers(&here) {
                let mut undo = self.store.begin(root, by.clone()).await?;
                for change in layer {
                    self.take_back(&mut undo, root, change).await?;
                }
                undo.commit().await?;
            }
        }
        Ok(())
    }

    /// The changes to take back, oldest first.
    async fn wanted(&self, id: Option<&str>, roots: &[&Root]) -> Result<Vec<Change>> {
        let record = self.record()?;
        let Some(id) = id else {
            let places: Vec<_> = roots.iter().map(|root| root.key.place.clone()).collect();
            let last = record.last_undoable(&places).await?;
            return if last.is_empty() { Err(Error::NothingToUndo) } else { Ok(last) };
        };
        let found = match record.change(&ChangeId(id.to_owned())).await? {
            Some(change) => vec![change],
            None => record.group(&GroupId(id.to_owned())).await?,
        };
        let reachable = |change: &Change| roots.iter().any(|root| root.key.place == change.place);
        if found.is_empty() || !found.iter().all(reachable) {
            return Err(Error::NoSuchChange(id.to_owned()));
        }
        Ok(found)
    }

    /// Plays the undo in mind, newest change first: each file must be what the change left.
    async fn check(&self, roots: &[&Root], changes: &[Change]) -> Result<()> {
        let mut files: BTreeMap<(usize, EntryPath), Option<Digest>> = BTreeMap::new();
        for change in changes {
            let Some((at, root)) = roots.iter().enumerate().find(|(_, root)| root.key.place == change.place) else {
                continue;
            };
            let mut paths = vec![(&change.path, change.after.filter(|_| change.op != Op::Rename), change.before)];
            if let Some(new_path) = &change.new_path {
                paths.push((new_path, change.after, None));
            }
            for (path, left, then) in paths {
                let key = (at, path.clone());
                let now = match files.get(&key) {
                    Some(now) => *now,
                    None => self.digest(root, path).await?,
                };
                if now != left {
                    return Err(Error::Changed { path: root.name(path) });
                }
                files.insert(key, then);
            }
        }
        Ok(())
    }

    async fn digest(&self, root: &Root, path: &EntryPath) -> Result<Option<Digest>> {
        match root.backend.read(path, loci_store::store::LARGEST_IMAGE).await {
            Ok(blob) => Ok(blob.map(|blob| blob.digest())),
            Err(loci_store::Error::Folder) => Err(Error::Exists(root.name(path))),
            Err(error) => Err(error.into()),
        }
    }

    async fn take_back(&self, undo: &mut Transaction, root: &Root, change: &Change) -> Result<()> {
        undo.undoing(change.id.clone());
        match (change.op, &change.new_path, change.before) {
            (Op::Rename, Some(new_path), _) => undo.rename(new_path, &change.path).await?,
            (_, _, None) => undo.remove(&change.path).await?,
            (_, _, Some(before)) => {
                let bytes = self.record()?.image(&before).await?;
                let bytes = bytes.ok_or_else(|| Error::Expired { path: root.name(&change.path) })?;
                undo.put_back(&change.path, bytes).await?;
            }
        }
        Ok(())
    }
}

/// Splits changes into runs in which no file occurs twice: a transaction touches a file once.
fn layers<'c>(changes: &[&'c Change]) -> Vec<Vec<&'c Change>> {
    let mut layers: Vec<Vec<&Change>> = Vec::new();
    let mut touched: BTreeSet<&EntryPath> = BTreeSet::new();
    for change in changes {
        let paths = || std::iter::once(&change.path).chain(change.new_path.as_ref());
        if layers.is_empty() || paths().any(|path| touched.contains(path)) {
            layers.push(Vec::new());
            touched.clear();
        }
        touched.extend(paths());
        if let Some(layer) = layers.last_mut() {
            layer.push(change);
        }
    }
    layers
}
