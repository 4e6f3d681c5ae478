//! Bytes by digest: kept once, compressed when that helps, checked when read.

use super::codec;
use super::{Result, fault};
use crate::Error;
use loci_domain::change::Image;
use loci_domain::digest::Digest;
use rusqlite::{Connection, OptionalExtension, params};
use std::cell::RefCell;
use std::collections::HashMap;
use zstd::bulk::Compressor;

/// Below this a frame's own header eats what compression wins.
const SMALL: usize = 64;
const LEVEL: i32 = 3;
/// SQLite's own limit for a value; a larger size in a row is damage, and nothing of that size is allocated.
const LARGEST: u64 = 1_000_000_000;

const RAW: i64 = 0;
const ZSTD: i64 = 1;

/// Stores images that are not there yet.
pub(super) fn store(db: &Connection, images: &[Image]) -> Result<()> {
    for image in images {
        let mut known = db.prepare_cached("SELECT 1 FROM images WHERE digest = ?1")?;
        if known.exists([image.digest.as_bytes()])? {
            continue;
        }
        let packed = pack(&image.bytes)?;
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
    found.map(|(codec, size, data)| unpack(digest, codec, size, data)).transpose()
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
    for digest in codec::all(statement.query([])?, |row| codec::digest(row, 0))? {
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

/// Compressed bytes; `None` = better left as they are.
fn pack(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    if bytes.len() < SMALL {
        return Ok(None);
    }
    let packed = PACKER.with_borrow_mut(|packer| match packer {
        Some(packer) => packer.compress(bytes),
        None => packer.insert(Compressor::new(LEVEL)?).compress(bytes),
    });
    let packed = packed.map_err(|error| Error::Engine(format!("zstd: {error}")))?;
    Ok((packed.len() < bytes.len()).then_some(packed))
}

thread_local! {
    /// Kept, because making one costs more than compressing a memory.
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

/// The bytes of a row, which must be the ones that the digest names.
pub(super) fn unpack(digest: &Digest, codec: i64, size: i64, data: Vec<u8>) -> Result<Vec<u8>> {
    let damaged = || fault::damaged(format!("the image {digest}"));
    let size = u64::try_from(size).ok().filter(|size| *size <= LARGEST).ok_or_else(damaged)?;
    let bytes = match codec {
        RAW => data,
        ZSTD => zstd::bulk::decompress(&data, usize::try_from(size).map_err(|_| damaged())?).map_err(|_| damaged())?,
        _ => return Err(damaged()),
    };
    if Digest::of(&bytes) == *digest { Ok(bytes) } else { Err(damaged()) }
}
