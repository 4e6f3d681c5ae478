//! Bytes by digest: kept once, as `packing.rs` packs them.
//!
//! Invariant: a_needed_image_is_never_removed. Who refers to images has [`Subject::images`] together with others, who
//! removes some has it alone: so nobody refers to one between the question whether it is needed and its end.
//!
//! [`Subject::images`]: super::subject::Subject::images

use super::{Result, codec};
use crate::columns::Columns;
use crate::packing::{self, RAW, ZSTD};
use loci_domain::change::Image;
use loci_domain::digest::Digest;
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap};

/// How much is sent at once, so that no message of many images is held twice.
const AT_ONCE: usize = 8 << 20;

/// Stores images that are not there yet.
pub(super) async fn store(db: &mut PgConnection, images: &[Image]) -> Result<()> {
    // By digest: two that store the same ones wait for each other in one direction only.
    let mut new: BTreeMap<&[u8], &Image> = images.iter().map(|image| (image.digest.as_bytes(), image)).collect();
    if new.is_empty() {
        return Ok(());
    }
    let asked: Vec<&[u8]> = new.keys().copied().collect();
    let known: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT digest FROM images WHERE digest = ANY($1)").bind(asked).fetch_all(&mut *db).await?;
    for digest in &known {
        new.remove(&digest[..]);
    }
    let mut rows = Rows::default();
    for (digest, image) in new {
        let packed = packing::pack(&image.bytes)?;
        let (codec, data) = packed.map_or_else(|| (RAW, image.bytes.clone()), |packed| (ZSTD, packed));
        rows.bytes += data.len();
        rows.digests.push(digest.to_vec());
        rows.codecs.push(codec);
        rows.sizes.push(codec::number(image.bytes.len() as u64));
        rows.data.push(data);
        if rows.bytes >= AT_ONCE {
            std::mem::take(&mut rows).insert(db).await?;
        }
    }
    rows.insert(db).await
}

#[derive(Default)]
struct Rows {
    bytes: usize,
    digests: Vec<Vec<u8>>,
    codecs: Vec<i64>,
    sizes: Vec<i64>,
    data: Vec<Vec<u8>>,
}

impl Rows {
    async fn insert(self, db: &mut PgConnection) -> Result<()> {
        if self.digests.is_empty() {
            return Ok(());
        }
        sqlx::query(
            "INSERT INTO images (digest, codec, size, data)
             SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[]) ON CONFLICT DO NOTHING",
        )
        .bind(self.digests)
        .bind(self.codecs)
        .bind(self.sizes)
        .bind(self.data)
        .execute(db)
        .await?;
        Ok(())
    }
}

/// Reads an image.
pub(super) async fn load(db: &mut PgConnection, digest: &Digest) -> Result<Option<Vec<u8>>> {
    let load = sqlx::query("SELECT codec, size, data FROM images WHERE digest = $1").bind(digest.as_bytes());
    let Some(row) = load.fetch_optional(db).await? else { return Ok(None) };
    Ok(Some(packing::unpack(digest, row.number(0)?, row.number(1)?, row.bytes(2)?)?))
}

/// Removes images if nothing refers to them. No index helps with that: it is for what did not happen, which is rare.
pub(super) async fn release(db: &mut PgConnection, digests: &[Digest]) -> Result<()> {
    sqlx::query(
        "DELETE FROM images i WHERE digest = ANY($1)
           AND NOT EXISTS (SELECT 1 FROM changes WHERE before = i.digest)
           AND NOT EXISTS (SELECT 1 FROM changes WHERE after = i.digest)
           AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.digest = i.digest)",
    )
    .bind(bytes(digests))
    .execute(db)
    .await?;
    Ok(())
}

/// Removes all images that nothing refers to: one pass over everything, since no index is kept for it.
pub(super) async fn sweep(db: &mut PgConnection) -> Result<u64> {
    let swept = sqlx::query(
        "DELETE FROM images i WHERE NOT EXISTS (
           SELECT 1 FROM (
             SELECT before AS digest FROM changes WHERE before IS NOT NULL
             UNION ALL SELECT after FROM changes WHERE after IS NOT NULL
             UNION ALL SELECT digest FROM documents) needed
           WHERE needed.digest = i.digest)",
    );
    Ok(swept.execute(db).await?.rows_affected())
}

/// How often each image is referred to.
pub(super) async fn references(db: &mut PgConnection) -> Result<HashMap<Digest, u64>> {
    let rows = sqlx::query(
        "SELECT digest, count(*) FROM (
           SELECT before AS digest FROM changes WHERE before IS NOT NULL
           UNION ALL SELECT after FROM changes WHERE after IS NOT NULL
           UNION ALL SELECT digest FROM documents) needed
         GROUP BY digest",
    )
    .fetch_all(db)
    .await?;
    rows.iter().map(|row| Ok((row.digest(0)?, row.count(1)?))).collect()
}

/// Removes images that nobody needs; says how many there were.
pub(super) async fn remove(db: &mut PgConnection, digests: &[Digest]) -> Result<u64> {
    let remove = sqlx::query("DELETE FROM images WHERE digest = ANY($1)").bind(bytes(digests));
    Ok(remove.execute(db).await?.rows_affected())
}

/// How many bytes each image takes.
pub(super) async fn weights(db: &mut PgConnection) -> Result<HashMap<Digest, u64>> {
    let rows = sqlx::query("SELECT digest, octet_length(data)::bigint FROM images").fetch_all(db).await?;
    rows.iter().map(|row| Ok((row.digest(0)?, row.count(1)?))).collect()
}

/// How many bytes all images take.
pub(super) async fn weight(db: &mut PgConnection) -> Result<u64> {
    let weight = sqlx::query_scalar("SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM images");
    Ok(codec::counted(weight.fetch_one(db).await?)?)
}

fn bytes(digests: &[Digest]) -> Vec<&[u8]> {
    digests.iter().map(|digest| digest.as_bytes()).collect()
}
