//! How a change happens: read under the lock, intend, do, settle.
//!
//! Owns the order of steps that makes every change atomic, journaled and undoable.
//! Never leaves a half: a step that fails takes back the steps before it, and a crash is settled at the next start
//! by looking at the files ([`crate::sync`]).
//!
//! Invariant: nothing_unscanned_is_written. Text becomes [`Clean`] here, by the writer's policy, or not at all.

mod emptied;
mod halted;
mod steps;

use crate::backend::{Blob, Show};
use crate::lock::{Held, to_the_end};
use crate::record::Record;
use crate::store::{LARGEST_IMAGE, Root, Store};
use crate::{Error, Result, catalog};
use halted::{Halted, Left};
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op};
use loci_domain::fault::Fault;
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, Listed};
use loci_domain::secrets::{self, Clean, Policy, Refused};
use std::collections::BTreeMap;
use std::sync::Arc;
use steps::Step;

/// Whether a change counts as a use of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// An agent's own command.
    Use,
    /// A person's save, an undo, a machine's tidying.
    Nothing,
}

/// Who makes a change, and on what terms.
#[derive(Debug, Clone)]
pub struct By {
    /// Who.
    pub actor: Actor,
    /// Together with what.
    pub group: GroupId,
    /// What happens to secrets in it.
    pub policy: Policy,
    /// Whether it counts as use.
    pub count: Count,
}

impl By {
    /// A group of its own for this actor.
    pub fn new(actor: Actor, policy: Policy, count: Count) -> By {
        By { actor, group: GroupId(crate::store::fresh_id()), policy, count }
    }
}

/// Changes to one root that happen together; dropped without [`Transaction::commit`], nothing happens.
pub struct Transaction {
    store: Store,
    root: Arc<Root>,
    by: By,
    undoes: Option<ChangeId>,
    steps: Vec<(Step, Option<ChangeId>)>,
    /// What the ledger last knew of the files that were read here.
    known: BTreeMap<EntryPath, Option<Listed>>,
    held: Held,
}

impl Transaction {
    pub(crate) fn new(store: Store, root: Arc<Root>, by: By, held: Held) -> Transaction {
        Transaction { store, root, by, undoes: None, steps: Vec::new(), known: BTreeMap::new(), held }
    }

    /// The steps from here on take back this change.
    pub fn undoing(&mut self, id: ChangeId) {
        self.undoes = Some(id);
    }

    /// The change is this actor's: for who learns only under the lock on whose behalf it is.
    pub fn on_behalf_of(&mut self, actor: Actor) {
        self.by.actor = actor;
    }

    /// A file as it is now, under the lock; of any size, so that it can be removed.
    pub async fn read(&self, path: &EntryPath) -> Result<Option<Blob>> {
        self.root.backend.read(path, LARGEST_IMAGE).await
    }

    /// Stages new text for a file, screened by the writer's policy.
    pub async fn put(&mut self, path: &EntryPath, text: String) -> Result<()> {
        let before = self.read(path).await?;
        if before.is_none() {
            self.check_name(path)?;
        }
        let limit = self.store.settings().file_bytes;
        if text.len() as u64 > limit {
            return Err(Error::TooLarge { bytes: text.len() as u64, limit });
        }
        if text.contains('\0') {
            return Err(Error::refused(Fault::Invalid, "text with a NUL byte is not a text file"));
        }
        let clean = match self.root.scope {
            Some(_) => {
                secrets::screen(text, before.as_ref().and_then(|blob| catalog::text(&blob.bytes)), self.by.policy)?
            }
            // A bare directory is a drop-in for the reference tools, which store what they are given.
            None => Clean::kept(text.into_bytes()),
        };
        self.stage(Step::Put { path: path.clone(), clean, before, back: false });
        Ok(())
    }

    /// Stages bytes that stood in this memory before: an undo, a restore.
    pub async fn put_back(&mut self, path: &EntryPath, bytes: Vec<u8>) -> Result<()> {
        let before = self.read(path).await?;
        self.stage(Step::Put { path: path.clone(), clean: Clean::kept(bytes), before, back: true });
        Ok(())
    }

    /// Stages the removal of a file or a whole folder.
    pub async fn remove(&mut self, path: &EntryPath) -> Result<()> {
        let (files, nameless) = self.files(path).await?;
        if nameless > 0 && self.root.scope.is_some() {
            let text = format!(
                "It holds {nameless} files or folders whose names memory cannot keep; rename or remove those first."
            );
            return Err(Error::refused(Fault::Conflict, text));
        }
        self.stage(Step::Remove { path: path.clone(), files });
        Ok(())
    }

    /// Stages a move of a file or a whole folder.
    pub async fn rename(&mut self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        self.check_name(to)?;
        let (files, _) = self.files(from).await?;
        self.stage(Step::Rename { from: from.clone(), to: to.clone(), files });
        Ok(())
    }

    /// Makes the staged changes true and durable, and answers what was journaled.
    ///
    /// Once begun it goes on to its end under the lock, also when nobody waits for it any more.
    pub async fn commit(mut self) -> Result<Vec<Change>> {
        to_the_end(async move {
            let done = self.make_true().await;
            self.held.release().await;
            done
        })
        .await?
    }

    async fn make_true(&mut self) -> Result<Vec<Change>> {
        self.notice().await?;
        self.check_count().await?;
        let changes = self.changes();
        let Some(record) = self.store.record() else {
            self.sweep().await?;
            self.apply().await.map_err(|halted| halted.error)?;
            return Ok(changes);
        };
        if !changes.is_empty() {
            record.intend(&changes, &self.images()).await?;
        }
        let placed = match self.apply().await {
            Ok(placed) => placed,
            Err(Halted { error, left: Left::Nothing }) => {
                void(record, changes).await;
                return Err(error);
            }
            // What stays done keeps its intent, with the bytes before: the files decide about each one at the next start.
            Err(Halted { error, left: Left::Something }) => return Err(error),
        };
        let stale_index = self.moves_the_index(&placed);
        let mut batch = self.batch(&changes, placed);
        self.witness(&mut batch).await;
        if let Err(error) = record.settle(batch).await {
            return self.unsettled(record, changes, error).await;
        }
        if stale_index && let Err(error) = self.store.refresh_index(&self.root).await {
            // The change itself is safe; the index is derived and comes right with the next one.
            tracing::warn!(%error, "the index could not be written");
        }
        self.leave_no_empty_folder().await;
        for change in &changes {
            tracing::info!(target: "memory.change", op = %change.op, actor = %change.actor, group = %change.group.0);
        }
        Ok(changes)
    }

    /// Takes back what could not be filed. When not even the first step can be taken back, all stays done: files and intents
    /// are both on disk, and the next start files them.
    async fn unsettled(
        &self,
        record: &dyn Record,
        changes: Vec<Change>,
        error: crate::record::Error,
    ) -> Result<Vec<Change>> {
        for (taken_back, (step, _)) in self.steps.iter().rev().enumerate() {
            if let Err(stuck) = self.take_back(step).await {
                tracing::warn!(%error, %stuck, "a change is safe, and filed at the next start");
                return if taken_back == 0 { Ok(changes) } else { Err(error.into()) };
            }
        }
        void(record, changes).await;
        Err(error.into())
    }

    fn stage(&mut self, step: Step) {
        self.steps.push((step, self.undoes.clone()));
    }

    /// A secret in a file's name would be in every listing, index and log.
    fn check_name(&self, path: &EntryPath) -> Result<()> {
        let open = self.root.scope.is_none() || self.by.policy == Policy::Allow;
        match secrets::scan(path.as_str()).first() {
            Some(found) if !open => Err(Refused { rule: found.rule, line: None }.into()),
            _ => Ok(()),
        }
    }

    /// All regular files at or below a path, hidden ones too, with their bytes.
    /// Also how many nodes below it have names that no journal could keep.
    async fn files(&self, path: &EntryPath) -> Result<(Vec<(EntryPath, Blob)>, usize)> {
        match self.read(path).await {
            Ok(Some(blob)) => return Ok((vec![(path.clone(), blob)], 0)),
            Ok(None) => return Err(Error::Missing),
            Err(Error::Folder) => {}
            Err(error) => return Err(error),
        }
        let listing = self.root.backend.list(Some(path), Show::All, usize::MAX >> 2).await?;
        let mut files = Vec::with_capacity(listing.files.len());
        for (file, _) in listing.files {
            if let Some(blob) = self.read(&file).await? {
                files.push((file, blob));
            }
        }
        Ok((files, listing.nameless))
    }

    /// Journals what an editor did to the files at hand since the ledger last saw them, so that undo has every version.
    async fn notice(&mut self) -> Result<()> {
        let Some(record) = self.store.record() else { return Ok(()) };
        let mut batch = Batch::new(self.root.key.clone(), self.store.now());
        let group = GroupId(crate::store::fresh_id());
        for (path, before) in self.steps.iter().flat_map(|(step, _)| step.before()) {
            let known = record.listed_file(&self.root.key, path).await?;
            let was = known.as_ref().map(|known| known.row.digest);
            let is = before.map(Blob::digest);
            if was != is && !path.is_hidden() {
                let op = match (was, is) {
                    (None, _) => Op::Create,
                    (_, None) => Op::Delete,
                    _ => Op::Modify,
                };
                batch.noticed.push(self.store.noticed(&self.root, group.clone(), op, path.clone(), was, is));
                match before {
                    Some(blob) => {
                        batch.images.push(loci_domain::change::Image::of(blob.bytes.clone()));
                        let origin = catalog::found_origin(&self.root);
                        batch.documents.push(self.row(path, &blob.meta, &blob.bytes, origin));
                    }
                    None => batch.gone.push(path.clone()),
                }
            }
            self.known.insert(path.clone(), known);
        }
        if !batch.noticed.is_empty() {
            record.settle(batch).await?;
        }
        Ok(())
    }

    async fn check_count(&self) -> Result<()> {
        let new = self.steps.iter().filter(|(step, _)| matches!(step, Step::Put { before: None, .. })).count();
        let (Some(record), true) = (self.store.record(), new > 0) else { return Ok(()) };
        let limit = self.store.settings().files_per_scope;
        let count = record.count(&self.root.key.place).await? as usize;
        if count + new <= limit {
            return Ok(());
        }
        let text = format!(
            "This memory scope holds {count} files and may hold {limit}. Delete or merge some first, then create this one."
        );
        Err(Error::refused(Fault::Limit, text))
    }
}

/// Drops intents of what is not there.
async fn void(record: &dyn Record, changes: Vec<Change>) {
    let ids: Vec<ChangeId> = changes.into_iter().map(|change| change.id).collect();
    if let Err(error) = record.void(&ids).await {
        tracing::warn!(%error, "what did not happen is forgotten at the next start");
    }
}
