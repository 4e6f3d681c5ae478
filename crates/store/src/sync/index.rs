//! An index that is not what Loci wrote.
//!
//! Owns how a hand on the index is told from documents that changed under it. Never writes.

use crate::backend::Listing;
use crate::store::{LARGEST_IMAGE, Root, Store};
use crate::{Error, Result};

impl Store {
    /// The walk, where the index of a root says something else though its documents are those of the catalogue: somebody
    /// changed it by hand. After a change of documents an index that is old is in order, and written anew by [`Store::sync`].
    pub async fn foreign_index(&self, root: &Root) -> Result<Option<Listing>> {
        let Some(record) = self.record() else { return Ok(None) };
        let listing = self.walk(root).await?;
        let settled = record.pending(&root.key.place).await?.is_empty() && listing.leftovers.is_empty();
        let differences = self.compare(root, record, &listing).await?;
        let mut same = settled && differences.same_rules && differences.gone.is_empty();
        // A stamp that is too young to be trusted says nothing; the bytes do.
        for (path, _) in &differences.fresh {
            if !same {
                break;
            }
            let known = record.known_file(&root.key.place, path).await?.map(|known| known.digest);
            same = match root.backend.read(path, LARGEST_IMAGE).await {
                Err(Error::Forbidden) => true,
                read => known == read?.map(|blob| blob.digest()),
            };
        }
        Ok(if same && self.stale_index(root, record).await?.is_some() { Some(listing) } else { None })
    }
}
