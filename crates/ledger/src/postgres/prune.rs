//! Retention: old changes go, then the oldest until their images fit.

use super::{Result, codec, images};
use crate::columns::Columns;
use crate::rows::journal::referred;
use crate::{Pruned, Retention};
use loci_domain::digest::Digest;
use sqlx::PgConnection;

/// How many changes are looked at in one step.
const AT_ONCE: i64 = 500;

/// See [`crate::Journal::prune`]. Nobody refers to an image meanwhile, since images are had alone.
pub(super) async fn prune(db: &mut PgConnection, keep: Retention) -> Result<Pruned> {
    let old = sqlx::query("DELETE FROM changes WHERE settled AND at < $1").bind(keep.oldest.as_microsecond());
    let changes = old.execute(&mut *db).await?.rows_affected();
    let mut pruned = Pruned { changes, images: images::sweep(db).await? };
    let mut weight = images::weight(db).await?;
    if weight <= keep.bytes {
        return Ok(pruned);
    }
    let (mut references, mut weights) = (images::references(db).await?, images::weights(db).await?);
    let mut reached = 0;
    while weight > keep.bytes {
        let oldest = oldest(db, reached).await?;
        let (mut last, mut gone) = (None, Vec::new());
        for (seq, digests) in oldest {
            if weight <= keep.bytes {
                break;
            }
            (last, pruned.changes) = (Some(seq), pruned.changes + 1);
            for digest in digests {
                let left = references.entry(digest).or_default();
                *left = left.saturating_sub(1);
                if *left == 0
                    && let Some(freed) = weights.remove(&digest)
                {
                    gone.push(digest);
                    weight = weight.saturating_sub(freed);
                }
            }
        }
        let Some(last) = last else { break };
        sqlx::query("DELETE FROM changes WHERE settled AND seq > $1 AND seq <= $2")
            .bind(reached)
            .bind(last)
            .execute(&mut *db)
            .await?;
        pruned.images += images::remove(db, &gone).await?;
        reached = last;
    }
    Ok(pruned)
}

/// The oldest settled changes behind one, with the images that each refers to.
async fn oldest(db: &mut PgConnection, after: i64) -> Result<Vec<(i64, Vec<Digest>)>> {
    let oldest = sqlx::query("SELECT before, after, seq FROM changes WHERE settled AND seq > $1 ORDER BY seq LIMIT $2");
    let rows = oldest.bind(after).bind(AT_ONCE).fetch_all(db).await?;
    codec::all(&rows, |row| Ok((row.number(2)?, referred(row)?)))
}
