//! An index that is not what Loci wrote.
//!
//! Owns how a hand on the index is told from documents that changed under it. Never writes.

use crate::Result;
use crate::backend::Listing;
use crate::store::{Root, Store};

impl Store {
    /// The walk, where the index of a root says something else though its documents are those of the catalogue: somebody
    /// changed it by hand. After a change of documents an index that is old is in order, and written anew by [`Store::sync`].
    pub async fn foreign_index(&self, root: &Root) -> Result<Option<Listing>> {
        let Some(record) = self.record() else { return Ok(None) };
        let listing = self.walk(root).await?;
        let settled = record.pending(&root.key.place).await?.is_empty() && listing.leftovers.is_empty();
        let same = settled && self.compare(root, record, &listing).await?.is_empty();
        Ok(if same && self.stale_index(root, record).await?.is_some() { Some(listing) } else { None })
    }
}
