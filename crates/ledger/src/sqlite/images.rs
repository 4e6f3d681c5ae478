//! Bytes by digest: kept once, as `packing.rs` packs them.

use super::Result;
use super::codec;
use crate::columns::Columns;
use crate::packing::{self, RAW, ZSTD};
use loci_domain::change::Image;
use loci_domain::digest::Digest;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

/// Stores images that are not there yet.
pub(super) fn store(db: &Connection, images: &[Image]) -> Result<()> {
    for image in images {
        let mut known = db.prepare_cached("SELECT 1 FROM images WHERE digest = ?1")?;
        if known.exists([image.digest.as_bytes()])? {
            continue;
        }
        let packed = packing::pack(&image.bytes)?;
        let (codec, data) = packed.as_ref().map_or((RAW, &image.bytes), |packed| (ZSTD, packed));
        db.prepare_cached("INSERT INTO images (digest, codec, size, data) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![image.digest.as_bytes(), codec, codec::number(image.bytes.len() as u64), data])?;
    }
    Ok(())
}

/// Reads an image.
pub(super) fn load(db: &Connection, digest: &Digest) -> Result<Option<Vec<u8>>> {
    let mut statement = db.prepare_cached("SELECT codec, size, data FROM images WHERE digest = ?1")?;
    let found =
        statement.query_row([digest.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    Ok(found.map(|(codec, size, data)| packing::unpack(digest, codec, size, data)).transpose()?)
}

/// Removes an image if nothing refers to it. No index helps with that: it is for what did not happen, which is rare.
pub(super) fn release(db: &Connection, digest: &Digest) -> Result<()> {
    db.prepare_cached(
        "DELETE FROM images WHERE digest = ?1
           AND NOT EXISTS (SELECT 1 FROM changes WHERE before = ?1 OR after = ?1)
           AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.digest = ?1)",
    )?
    .execute([digest.as_bytes()])?;
    Ok(())
}

/// Removes all images that nothing refers to: one pass over everything, since no index is kept for it.
pub(super) fn sweep(db: &Connection) -> Result<u64> {
    let swept = db.execute(
        "DELETE FROM images WHERE digest NOT IN (
           SELECT before FROM changes WHERE before IS NOT NULL
           UNION SELECT after FROM changes WHERE after IS NOT NULL
           UNION SELECT digest FROM documents)",
        [],
    )?;
    Ok(swept as u64)
}

/// How often each image is referred to.
pub(super) fn references(db: &Connection) -> Result<HashMap<Digest, u64>> {
    let mut statement = db.prepare_cached(
        "SELECT before FROM changes WHERE before IS NOT NULL
         UNION ALL SELECT after FROM changes WHERE after IS NOT NULL
         UNION ALL SELECT digest FROM documents",
    )?;
    let mut references = HashMap::new();
    for digest in codec::all(statement.query([])?, |row| row.digest(0))? {
        *references.entry(digest).or_default() += 1;
    }
    Ok(references)
}

/// Removes an image that nobody needs; says how many bytes that freed.
pub(super) fn remove(db: &Connection, digest: &Digest) -> Result<Option<u64>> {
    let mut statement = db.prepare_cached("DELETE FROM images WHERE digest = ?1 RETURNING length(data)")?;
    Ok(statement.query_row([digest.as_bytes()], |row| row.get::<_, i64>(0)).optional()?.map(i64::unsigned_abs))
}

/// How many bytes all images take.
pub(super) fn weight(db: &Connection) -> Result<u64> {
    let weight: i64 = db.query_row("SELECT coalesce(sum(length(data)), 0) FROM images", [], |row| row.get(0))?;
    Ok(weight.unsigned_abs())
}
