//! Changes of our own that a crash cut off between intending and settling: the files say what became of them.

use crate::backend::Blob;
use crate::record::Record;
use crate::store::{LARGEST_IMAGE, Root, Store};
use crate::{Result, catalog};
use loci_domain::change::{Change, Op};
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, Origin};

impl Store {
    /// Decides by the files what became of changes that a crash cut off between intending and settling.
    pub(crate) async fn settle_cut_off(&self, root: &Root, record: &dyn Record) -> Result<()> {
        for change in record.pending(&root.key.place).await? {
            let at = change.new_path.as_ref().unwrap_or(&change.path);
            let (now, other) = match root.backend.read(at, LARGEST_IMAGE).await {
                Ok(now) => (now, false),
                Err(error) if error.is_other_node() => (None, true),
                Err(error) => return Err(error),
            };
            let is = now.as_ref().map(Blob::digest);
            let happened = match change.op {
                Op::Rename => !other && is == change.after && is_free(root, &change.path).await?,
                // Neither as before nor as after: it happened, and an editor came after it.
                _ if other => true,
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

/// True when nothing at all lies at a path.
async fn is_free(root: &Root, path: &EntryPath) -> Result<bool> {
    match root.backend.stat(Some(path)).await {
        Ok(found) => Ok(found.is_none()),
        Err(error) if error.is_other_node() => Ok(false),
        Err(error) => Err(error),
    }
}
