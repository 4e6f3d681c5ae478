//! Seeing what changed outside: editors, scripts, `git pull`, and crashes of our own.
//!
//! Owns the comparison of a root's files with the catalogue, and the settling of changes that a crash cut off.
//! Never rewrites a person's file. What cannot be read is unknown, and unknown is not empty.
//! Start at [`Store::sync`].

mod index;

use crate::backend::{Blob, CUT_OFF, Listing, Meta, Show};
use crate::record::Record;
use crate::store::{LARGEST_IMAGE, Root, Store, fresh_id};
use crate::{Error, Result, catalog};
use loci_domain::access::Seat;
use loci_domain::change::{Change, GroupId, Image, Op};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, Known, Listed, Origin};
use loci_domain::words;
use std::collections::{BTreeMap, HashMap};

/// How many files are read before what was seen is written down: memory stays bounded, and a hook whose time is over has
/// not worked in vain.
const AT_ONCE: usize = 50;

/// Files that differ from the catalogue.
#[derive(Default)]
struct Differences {
    /// New or perhaps changed.
    fresh: Vec<(EntryPath, Meta)>,
    /// On record, and not there any more.
    gone: Vec<Known>,
    /// Rows of the same bytes may stay; else all are made again, by newer rules.
    same_rules: bool,
}

impl Store {
    /// Brings the catalogue of a root up to date once in the life of this process, which is about to change the root.
    pub(crate) async fn ready(&self, root: &Root) -> Result<()> {
        let ready = || async {
            self.sync(root).await?;
            let (Some(record), place) = (self.record(), &root.key.place) else { return Ok(()) };
            // The first rows of a root are made by these rules: without a word of it the next scan would make them again.
            if record.rules(place).await? != Some(words::RULES) {
                record.set_rules(place, words::RULES).await?;
            }
            Ok(())
        };
        root.ready.get_or_try_init(ready).await.map(drop)
    }

    /// Clears up after a crash, once in the life of this process; costs next to nothing when there was none.
    pub(crate) async fn recovered(&self, root: &Root) -> Result<()> {
        let look = || async {
            let Some(record) = self.record() else { return Ok(()) };
            let cut_off = EntryPath::parse(CUT_OFF)?;
            let crashed = !record.pending(&root.key.place).await?.is_empty()
                // A link or a pipe of that name is none of ours, but in the way just the same.
                || !matches!(root.backend.stat(Some(&cut_off)).await, Ok(None));
            match if crashed { self.sync(root).await.map(drop) } else { Ok(()) } {
                // Reading needs no space.
                Err(error) if error.is_no_space() => Ok(()),
                other => other,
            }
        };
        root.recovered.get_or_try_init(look).await.map(drop)
    }

    /// Brings the catalogue of a root up to date with its files, and answers the walk that it made.
    pub async fn sync(&self, root: &Root) -> Result<Listing> {
        let listing = self.walk(root).await?;
        let Some(record) = self.record() else { return Ok(listing) };
        let place = &root.key.place;
        let cut_off = !record.pending(place).await?.is_empty();
        let differences = self.compare(root, record, &listing).await?;
        let same = !cut_off && listing.leftovers.is_empty() && differences.is_empty();
        // A crash may come right between the last change and its line in the index.
        if same && self.stale_index(root, record).await?.is_none() {
            return Ok(listing);
        }
        let held = self.hold(root).await?;
        let done = self.sync_held(root, record, &listing).await;
        held.release().await;
        done
    }

    /// The same while the root's lock is held; `seen` is the walk that said that there is something to do.
    async fn sync_held(&self, root: &Root, record: &dyn Record, seen: &Listing) -> Result<Listing> {
        for folder in seen.leftovers.iter().filter(|_| !self.is_frozen()) {
            root.backend.sweep(folder.as_ref()).await?;
        }
        self.settle_cut_off(root, record).await?;
        // Somebody may have been at it while we waited, so it is compared again under the lock.
        let listing = self.walk(root).await?;
        let differences = self.compare(root, record, &listing).await?;
        self.enter(root, record, differences).await?;
        record.set_rules(&root.key.place, words::RULES).await?;
        if let Err(error) = self.refresh_index(root).await {
            tracing::warn!(%error, "the index could not be written");
        }
        Ok(listing)
    }

    /// What a walk sees, with what the ledger knows of it; for a disk on which nothing can be written down.
    pub async fn seen(&self, root: &Root) -> Result<Vec<Listed>> {
        let Some(record) = self.record() else { return Ok(Vec::new()) };
        let listed = record.listed(&root.key).await?.into_iter();
        let mut known: HashMap<EntryPath, Listed> = listed.map(|listed| (listed.row.path.clone(), listed)).collect();
        let mut seen = Vec::new();
        for (path, meta) in self.walk(root).await?.files {
            match known.remove(&path) {
                Some(listed) if listed.row.stamp == meta.stamp => seen.push(listed),
                stale => {
                    let Some(blob) = root.backend.read(&path, LARGEST_IMAGE).await? else { continue };
                    let origin = catalog::found_origin(root);
                    let row = catalog::row(path, &blob.meta, &blob.bytes, origin, self.settings().file_bytes);
                    seen.push(match stale {
                        Some(listed) => Listed { row, ..listed },
                        None => Listed { row, uses: 0, last_used_at: None, pinned: false, accepted: false },
                    });
                }
            }
        }
        Ok(seen)
    }

    /// Brings catalogue and index of a root up to date, whatever they were.
    pub async fn reindex(&self, root: &Root) -> Result<()> {
        if self.is_frozen() {
            return Err(Error::ReadOnlyHome);
        }
        self.sync(root).await?;
        let Some(record) = self.record() else { return Ok(()) };
        if record.count(&root.key.place).await? == 0 && root.backend.stat(None).await?.is_none() {
            return Ok(());
        }
        let held = self.hold(root).await?;
        let done = self.refresh_index(root).await;
        held.release().await;
        done
    }

    async fn walk(&self, root: &Root) -> Result<Listing> {
        let mut listing =
            root.backend.list(None, Show::Visible, self.settings().files_per_scope.saturating_add(1)).await?;
        listing.files.retain(|(path, _)| !path.is_index());
        if listing.files.len() > self.settings().files_per_scope {
            listing.files.truncate(self.settings().files_per_scope);
            listing.complete = false;
        }
        Ok(listing)
    }

    async fn compare(&self, root: &Root, record: &dyn Record, listing: &Listing) -> Result<Differences> {
        let place = &root.key.place;
        let rows = record.known(place).await?;
        let mut known: HashMap<&EntryPath, &Known> = rows.iter().map(|known| (&known.path, known)).collect();
        // Rows made by older rules are all made again.
        let same_rules = known.is_empty() || record.rules(place).await? == Some(words::RULES);
        let mut differences = Differences { same_rules, ..Differences::default() };
        for (path, meta) in &listing.files {
            let same = known.remove(path).is_some_and(|known| known.stamp == meta.stamp);
            if !(same && same_rules) && meta.bytes <= LARGEST_IMAGE {
                differences.fresh.push((path.clone(), meta.clone()));
            }
        }
        for (path, known) in known {
            if listing.complete || root.backend.stat(Some(path)).await?.is_none() {
                differences.gone.push(known.clone());
            }
        }
        differences.gone.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(differences)
    }

    async fn enter(&self, root: &Root, record: &dyn Record, differences: Differences) -> Result<()> {
        let group = GroupId(fresh_id());
        let mut gone: BTreeMap<EntryPath, Digest> =
            differences.gone.into_iter().map(|known| (known.path, known.digest)).collect();
        for fresh in differences.fresh.chunks(AT_ONCE) {
            let mut batch = Batch::new(root.key.clone(), self.now());
            for (path, _) in fresh {
                // Read anew: bytes and stamp must belong together.
                let read = match root.backend.read(path, LARGEST_IMAGE).await {
                    // What is on record of it stays, and the other files are none the worse for it.
                    Err(error @ Error::Forbidden) => {
                        tracing::warn!("{} is left out: {error}", root.name(path));
                        continue;
                    }
                    read => read?,
                };
                if let Some(blob) = read {
                    let known = record.known_file(&root.key.place, path).await?;
                    if let (true, Some(known)) = (differences.same_rules, &known)
                        && known.digest == blob.digest()
                        && blob.meta.settles(&known.stamp)
                    {
                        batch.restamped.push((path.clone(), blob.meta.stamp));
                        continue;
                    }
                    if known.as_ref().is_none_or(|known| known.digest != blob.digest()) {
                        batch.evidence.extend(self.evidence(root, path, &blob.bytes).await);
                    }
                    self.enter_file(root, &mut batch, &group, &mut gone, path, blob, known);
                }
            }
            record.settle(batch).await?;
        }
        let mut batch = Batch::new(root.key.clone(), self.now());
        for (path, digest) in gone {
            batch.noticed.push(self.noticed(root, group.clone(), Op::Delete, path.clone(), Some(digest), None));
            match root.seat {
                Seat::Home => batch.gone.push(path),
                // A branch without the file is no wish to unpin it.
                Seat::Checkout => batch.absent.push(path),
            }
        }
        if !batch.noticed.is_empty() {
            record.settle(batch).await?;
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "one file's facts, each used once")]
    fn enter_file(
        &self,
        root: &Root,
        batch: &mut Batch,
        group: &GroupId,
        gone: &mut BTreeMap<EntryPath, Digest>,
        path: &EntryPath,
        blob: Blob,
        known: Option<Known>,
    ) {
        let origin = catalog::found_origin(root);
        let row = catalog::row(path.clone(), &blob.meta, &blob.bytes, origin, self.settings().file_bytes);
        let (was, is) = (known.map(|known| known.digest), Some(row.digest));
        // The same bytes that went elsewhere in the same walk: a person moved the file, and its pin goes along.
        let from = gone.iter().find(|(_, digest)| was.is_none() && Some(**digest) == is).map(|(from, _)| from.clone());
        if let Some(from) = from {
            gone.remove(&from);
            let mut change = self.noticed(root, group.clone(), Op::Rename, from.clone(), is, is);
            change.new_path = Some(path.clone());
            batch.noticed.push(change);
            batch.moved.push((from, path.clone()));
        } else if was != is {
            let op = if was.is_some() { Op::Modify } else { Op::Create };
            batch.noticed.push(self.noticed(root, group.clone(), op, path.clone(), was, is));
            batch.images.push(Image::of(blob.bytes));
        }
        batch.documents.push(row);
    }

    /// Decides by the files what became of changes that a crash cut off between intending and settling.
    pub(crate) async fn settle_cut_off(&self, root: &Root, record: &dyn Record) -> Result<()> {
        for change in record.pending(&root.key.place).await? {
            let at = change.new_path.as_ref().unwrap_or(&change.path);
            let now = root.backend.read(at, LARGEST_IMAGE).await?;
            let is = now.as_ref().map(Blob::digest);
            let happened = match change.op {
                Op::Rename => is == change.after && root.backend.stat(Some(&change.path)).await?.is_none(),
                // Neither as before nor as after: it happened, and an editor came after it.
                Op::Create | Op::Modify | Op::Delete => is == change.after || (is != change.before && is.is_some()),
            };
            if happened {
                record.settle(self.happened(root, &change, now)).await?;
            } else {
                record.void(std::slice::from_ref(&change.id)).await?;
            }
        }
        Ok(())
    }

    fn happened(&self, root: &Root, change: &Change, now: Option<Blob>) -> Batch {
        let mut batch = Batch::new(root.key.clone(), self.now());
        batch.settled.push(change.id.clone());
        if let Some(new_path) = &change.new_path {
            batch.moved.push((change.path.clone(), new_path.clone()));
        }
        match now {
            Some(blob) => {
                let path = change.new_path.as_ref().unwrap_or(&change.path).clone();
                let origin = Origin::Made(change.actor);
                batch.documents.push(catalog::row(path, &blob.meta, &blob.bytes, origin, self.settings().file_bytes));
            }
            None => batch.gone.push(change.path.clone()),
        }
        batch
    }
}

impl Differences {
    fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.gone.is_empty()
    }
}
