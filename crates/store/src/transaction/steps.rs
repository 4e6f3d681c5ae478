//! The steps of a transaction: what each one journals, does, and takes back.

use super::{Count, Halted, Left, Transaction};
use crate::backend::{Blob, Care, Expect, Meta, Show};
use crate::store::fresh_id;
use crate::{Result, catalog};
use loci_domain::access::Seat;
use loci_domain::change::{Change, ChangeId, Image, Op};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, DocumentRow, Origin};
use loci_domain::secrets::Clean;

pub(super) enum Step {
    /// `back`: bytes that stood here before; whether they are trusted was decided then.
    Put {
        path: EntryPath,
        clean: Clean,
        before: Option<Blob>,
        back: bool,
    },
    Remove {
        path: EntryPath,
        files: Vec<(EntryPath, Blob)>,
    },
    Rename {
        from: EntryPath,
        to: EntryPath,
        files: Vec<(EntryPath, Blob)>,
    },
}

/// A file where a step put it.
pub(super) struct Placed {
    path: EntryPath,
    meta: Meta,
}

impl Step {
    /// Every file that the step touches, as it was before.
    pub fn before(&self) -> Vec<(&EntryPath, Option<&Blob>)> {
        match self {
            Step::Put { path, before, .. } => vec![(path, before.as_ref())],
            Step::Remove { files, .. } | Step::Rename { files, .. } => {
                files.iter().map(|(path, blob)| (path, Some(blob))).collect()
            }
        }
    }

    fn changes_nothing(&self) -> bool {
        matches!(self, Step::Put { clean, before: Some(before), .. } if before.bytes == clean.as_bytes())
    }

    /// What it does to each file.
    fn effects(&self) -> Vec<Effect<'_>> {
        match self {
            _ if self.changes_nothing() => Vec::new(),
            Step::Put { path, clean, before, .. } => {
                let op = if before.is_some() { Op::Modify } else { Op::Create };
                let (before, after) = (before.as_ref().map(Blob::digest), Some(Digest::of(clean.as_bytes())));
                vec![Effect { op, path, new_path: None, before, after }]
            }
            Step::Remove { files, .. } => files
                .iter()
                .map(|(path, blob)| Effect {
                    op: Op::Delete,
                    path,
                    new_path: None,
                    before: Some(blob.digest()),
                    after: None,
                })
                .collect(),
            Step::Rename { from, to, files } => files
                .iter()
                .map(|(path, blob)| {
                    let same = Some(blob.digest());
                    Effect { op: Op::Rename, path, new_path: path.moved(from, to), before: same, after: same }
                })
                .collect(),
        }
    }
}

/// One file's part of a step, as the journal tells it.
struct Effect<'s> {
    op: Op,
    path: &'s EntryPath,
    new_path: Option<EntryPath>,
    before: Option<Digest>,
    after: Option<Digest>,
}

impl Transaction {
    pub(super) fn changes(&self) -> Vec<Change> {
        let at = self.store.now();
        let mut changes = Vec::new();
        for (step, undoes) in &self.steps {
            for Effect { op, path, new_path, before, after } in step.effects() {
                changes.push(Change {
                    id: ChangeId(fresh_id()),
                    group: self.by.group.clone(),
                    at,
                    actor: self.by.actor,
                    op,
                    place: self.root.key.place.clone(),
                    path: path.clone(),
                    new_path,
                    before,
                    after,
                    undoes: undoes.clone(),
                });
            }
        }
        changes
    }

    pub(super) fn images(&self) -> Vec<Image> {
        let mut images = Vec::new();
        for (step, _) in self.steps.iter().filter(|(step, _)| !step.changes_nothing()) {
            let blobs = step.before().into_iter().filter_map(|(_, blob)| blob);
            images.extend(blobs.map(|blob| Image::of(blob.bytes.clone())));
            if let Step::Put { clean, .. } = step {
                images.push(Image::of(clean.as_bytes().to_vec()));
            }
        }
        images
    }

    /// Does all steps; when one fails, takes the ones before it back.
    pub(super) async fn apply(&self) -> std::result::Result<Vec<Placed>, Halted> {
        let mut placed = Vec::new();
        for (done, (step, _)) in self.steps.iter().enumerate() {
            match self.take(step).await {
                Ok(files) => placed.extend(files),
                Err(mut halted) => {
                    for (step, _) in self.steps[..done].iter().rev() {
                        if let Err(error) = self.take_back(step).await {
                            tracing::error!(%error, "a step could not be taken back; its bytes are in the journal");
                            halted.left = Left::Something;
                        }
                    }
                    return Err(halted);
                }
            }
        }
        Ok(placed)
    }

    async fn take(&self, step: &Step) -> std::result::Result<Vec<Placed>, Halted> {
        let backend = &self.root.backend;
        match step {
            Step::Put { path, before: Some(before), .. } if step.changes_nothing() => {
                Ok(vec![Placed { path: path.clone(), meta: before.meta.clone() }])
            }
            Step::Put { path, clean, before, .. } => {
                let expect = before.as_ref().map_or(Expect::Absent, |before| Expect::Is(before.digest()));
                let meta = backend.write_if(path, clean, expect, Care::Durable).await?;
                Ok(vec![Placed { path: path.clone(), meta }])
            }
            Step::Remove { path, .. } => {
                // Nothing but the lock keeps others away from what has no condition.
                self.held.check().await?;
                Ok(backend.remove(path).await.map(|()| Vec::new())?)
            }
            Step::Rename { from, to, .. } => {
                self.held.check().await?;
                backend.rename(from, to).await?;
                match self.moved(to).await {
                    Ok(placed) => Ok(placed),
                    Err(error) => match backend.rename(to, from).await {
                        Ok(()) => Err(error.into()),
                        Err(_) => Err(Halted { error, left: Left::Something }),
                    },
                }
            }
        }
    }

    /// The files of a step that moved them, where they are now: a move changes the stamps.
    async fn moved(&self, to: &EntryPath) -> Result<Vec<Placed>> {
        let backend = &self.root.backend;
        if let Some(meta) = backend.stat(Some(to)).await?.filter(|meta| meta.node == crate::backend::Node::File) {
            return Ok(vec![Placed { path: to.clone(), meta }]);
        }
        let listing = backend.list(Some(to), Show::Visible, usize::MAX >> 2).await?;
        Ok(listing.files.into_iter().map(|(path, meta)| Placed { path, meta }).collect())
    }

    pub(super) async fn take_back(&self, step: &Step) -> Result<()> {
        let backend = &self.root.backend;
        match step {
            _ if step.changes_nothing() => Ok(()),
            Step::Put { path, before: None, .. } => backend.remove(path).await,
            Step::Put { path, clean, before: Some(before), .. } => {
                let expect = Expect::Is(Digest::of(clean.as_bytes()));
                backend.write_if(path, &Clean::kept(before.bytes.clone()), expect, Care::Durable).await.map(drop)
            }
            Step::Remove { files, .. } => {
                for (path, blob) in files {
                    backend.write_if(path, &Clean::kept(blob.bytes.clone()), Expect::Absent, Care::Durable).await?;
                }
                Ok(())
            }
            Step::Rename { from, to, .. } => backend.rename(to, from).await,
        }
    }

    /// Clears what a crash left beside the files at hand; only a bare directory needs it, the others are scanned.
    pub(super) async fn sweep(&self) -> Result<()> {
        for (step, _) in &self.steps {
            let (Step::Put { path, .. } | Step::Remove { path, .. } | Step::Rename { from: path, .. }) = step;
            self.root.backend.sweep(path.parent().as_ref()).await?;
        }
        Ok(())
    }

    /// What the ledger shall know after the steps.
    pub(super) fn batch(&self, changes: &[Change], placed: Vec<Placed>) -> Batch {
        let mut batch = Batch::new(self.root.key.clone(), self.store.now());
        batch.settled = changes.iter().map(|change| change.id.clone()).collect();
        for placed in placed {
            self.enter(&mut batch, placed);
        }
        for (step, _) in &self.steps {
            match step {
                Step::Put { path, .. } => batch.used.push(path.clone()),
                Step::Remove { files, .. } => batch.gone.extend(files.iter().map(|(path, _)| path.clone())),
                Step::Rename { from, to, files } => {
                    let moves = files.iter().filter_map(|(path, _)| Some((path.clone(), path.moved(from, to)?)));
                    batch.moved.extend(moves);
                    if files.first().is_some_and(|(path, _)| path == from) {
                        batch.used.push(to.clone());
                    }
                }
            }
        }
        if self.by.count == Count::Nothing {
            batch.used.clear();
        }
        batch
    }

    /// Notes what the documents that were written rest on.
    pub(super) async fn witness(&self, batch: &mut Batch) {
        for (step, _) in &self.steps {
            if let Step::Put { path, clean, .. } = step {
                batch.evidence.extend(self.store.evidence(&self.root, path, clean.as_bytes()).await);
            }
        }
    }

    fn enter(&self, batch: &mut Batch, placed: Placed) {
        for (step, _) in &self.steps {
            match step {
                Step::Put { path, clean, before, back } if *path == placed.path => {
                    let made = Origin::Made(self.by.actor);
                    let row = self.row(path, &placed.meta, clean.as_bytes(), made);
                    if !back && self.keeps_trust(path, before.as_ref()) && !made.needs_acceptance() {
                        batch.accepted.push(row.digest);
                    }
                    batch.documents.push(row);
                }
                Step::Rename { from, to, files } => {
                    let was = placed.path.moved(to, from);
                    if let Some((_, blob)) = files.iter().find(|(path, _)| Some(path) == was.as_ref()) {
                        let origin = catalog::found_origin(&self.root);
                        batch.documents.push(self.row(&placed.path, &placed.meta, &blob.bytes, origin));
                    }
                }
                Step::Put { .. } | Step::Remove { .. } => {}
            }
        }
    }

    /// What Loci itself writes counts as accepted, unless it continues bytes from outside that nobody accepted.
    fn keeps_trust(&self, path: &EntryPath, before: Option<&Blob>) -> bool {
        let known = self.known.get(path).and_then(Option::as_ref);
        let matters =
            self.root.seat == Seat::Checkout || known.is_some_and(|known| known.row.origin.needs_acceptance());
        let accepted = |before: &Blob| known.is_some_and(|known| known.accepted && known.row.digest == before.digest());
        matters && before.is_none_or(accepted)
    }

    pub(super) fn row(&self, path: &EntryPath, meta: &Meta, bytes: &[u8], origin: Origin) -> DocumentRow {
        catalog::row(path.clone(), meta, bytes, origin, self.store.settings().file_bytes)
    }

    /// False when every step only changes a body: then the index stays as it is.
    pub(super) fn moves_the_index(&self, placed: &[Placed]) -> bool {
        let face = |path: &EntryPath, bytes: &[u8]| {
            catalog::text(bytes).map(|text| loci_domain::document::read(path, text).card)
        };
        self.steps.iter().any(|(step, _)| match step {
            Step::Put { path, clean, before: Some(before), .. } => {
                placed.is_empty() || face(path, &before.bytes) != face(path, clean.as_bytes())
            }
            _ => true,
        })
    }
}
