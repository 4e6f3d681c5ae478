//! Retention: old changes go, then the oldest until their images fit.

use super::Result;
use super::{codec, images};
use crate::rows::journal::referred;
use crate::{Pruned, Retention};
use loci_domain::digest::Digest;
use rusqlite::Connection;

/// See [`crate::Journal::prune`].
pub(super) fn prune(db: &Connection, keep: Retention) -> Result<Pruned> {
    let old = db.execute("DELETE FROM changes WHERE settled = 1 AND at < ?1", [keep.oldest.as_microsecond()])?;
    let mut pruned = Pruned { changes: old as u64, images: images::sweep(db)? };
    let mut weight = images::weight(db)?;
    if weight <= keep.bytes {
        return Ok(pruned);
    }
    let mut references = images::references(db)?;
    while weight > keep.bytes {
        let Some(digests) = oldest(db)? else { break };
        pruned.changes += 1;
        for digest in digests {
            let left = references.entry(digest).or_default();
            *left = left.saturating_sub(1);
            if *left == 0
                && let Some(freed) = images::remove(db, &digest)?
            {
                pruned.images += 1;
                weight = weight.saturating_sub(freed);
            }
        }
    }
    Ok(pruned)
}

/// Removes the oldest settled change; says which images it referred to.
fn oldest(db: &Connection) -> Result<Option<Vec<Digest>>> {
    let mut statement = db.prepare_cached(
        "DELETE FROM changes WHERE seq = (SELECT seq FROM changes WHERE settled = 1 ORDER BY seq LIMIT 1)
         RETURNING before, after",
    )?;
    codec::first(statement.query([])?, referred)
}
