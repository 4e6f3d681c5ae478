//! Undo: takes back a group, a single change, or whatever was done last.
//!
//! Never overwrites what came after: a file that is no longer what the change left stays as it is.
//! A person's undo is all or nothing; `undo/withdraw.rs` takes back what a run did that came to nothing.

mod withdraw;

use crate::log::Entry;
use crate::{Error, Memory, Result};
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Policy;
use loci_store::{By, Count, Root, Transaction, catalog};
use std::collections::{BTreeMap, BTreeSet};

/// What an undo would come to in one root.
#[derive(Default)]
struct Played<'c> {
    /// Changes that can be taken back, newest first.
    free: Vec<&'c Change>,
    /// The names of files that are not what the changes left.
    changed: Vec<String>,
    /// The names of files whose bytes before the journal does not have any more.
    expired: Vec<String>,
}

/// What lies at a path in the course of an undo.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    /// A file of these bytes, or nothing.
    Is(Option<Digest>),
    /// A folder, a link, or what else is no file of memory.
    Other,
    /// Something that stays as it is.
    Stays,
}

impl Memory {
    /// Takes back a change or group by its id, or the last group; answers what was taken back, newest first.
    pub async fn undo(&self, id: Option<&str>) -> Result<Vec<Entry>> {
        let roots = self.store.roots();
        for root in &roots {
            self.store.sync(root).await?;
        }
        let mut changes = self.wanted(id, &roots).await?;
        changes.reverse();
        match self.take_back_all(&roots, &changes).await {
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

    /// Takes back changes, newest first, if every file still is what they left.
    async fn take_back_all(&self, roots: &[&Root], changes: &[Change]) -> Result<()> {
        let of = |root: &Root| changes.iter().filter(|change| change.place == root.key.place).collect::<Vec<_>>();
        let (mut changed, mut expired) = (Vec::new(), Vec::new());
        for root in roots {
            let played = self.played(root, &of(root)).await?;
            changed.extend(played.changed);
            expired.extend(played.expired);
        }
        if let Some(path) = changed.into_iter().next() {
            return Err(Error::Changed { path });
        }
        if let Some(path) = expired.into_iter().next() {
            return Err(Error::Expired { path });
        }
        let by = By::new(Actor::User, Policy::Allow, Count::Nothing);
        for root in roots {
            for layer in layers(&of(root)) {
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

    /// Plays the undo of changes to one root in mind, newest change first: each file must be what the change left.
    async fn played<'c>(&self, root: &Root, changes: &[&'c Change]) -> Result<Played<'c>> {
        let mut files: BTreeMap<&EntryPath, Now> = BTreeMap::new();
        let mut played = Played::default();
        for change in changes {
            let mut paths = vec![(&change.path, change.after.filter(|_| change.op != Op::Rename), change.before)];
            if let Some(new_path) = &change.new_path {
                paths.push((new_path, change.after, None));
            }
            let mut differs = false;
            for (path, left, _) in &paths {
                if !files.contains_key(path) {
                    files.insert(*path, self.lies_at(root, path).await?);
                }
                if files[path] != Now::Is(*left) {
                    differs = true;
                    // Said once: what came before on this path is in the way of nothing but itself.
                    if files.insert(*path, Now::Stays) != Some(Now::Stays) {
                        played.changed.push(root.name(path));
                    }
                }
            }
            let lost = !differs && !self.has_image(change).await?;
            if lost {
                played.expired.push(root.name(&change.path));
            }
            for (path, _, then) in paths {
                files.insert(path, if differs || lost { Now::Stays } else { Now::Is(then) });
            }
            if !differs && !lost {
                played.free.push(change);
            }
        }
        Ok(played)
    }

    async fn lies_at(&self, root: &Root, path: &EntryPath) -> Result<Now> {
        match root.backend.read(path, loci_store::store::LARGEST_IMAGE).await {
            Ok(blob) => Ok(Now::Is(blob.map(|blob| blob.digest()))),
            Err(error) if error.is_other_node() => Ok(Now::Other),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the bytes are there that taking this change back needs.
    async fn has_image(&self, change: &Change) -> Result<bool> {
        match change.before.filter(|_| change.op != Op::Rename) {
            Some(before) => Ok(self.record()?.image(&before).await?.is_some()),
            None => Ok(true),
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
