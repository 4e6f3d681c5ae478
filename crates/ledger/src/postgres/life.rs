//! Usage, pins and acceptance: rows that no file can tell again, by whose memory it is. All of it under its subject.

use super::{Result, codec};
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use sqlx::PgConnection;
use std::collections::BTreeMap;

/// Counts one use of each; one that is there twice was used twice.
pub(super) async fn touch(db: &mut PgConnection, used: &[(&Identity, &EntryPath)], at: Timestamp) -> Result<()> {
    if used.is_empty() {
        return Ok(());
    }
    let mut times: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for (identity, path) in used {
        *times.entry((&identity.0, path.as_str())).or_default() += 1;
    }
    sqlx::query(
        "INSERT INTO usage (identity, path, uses, last_used_at)
         SELECT identity, path, times, $4 FROM unnest($1::text[], $2::text[], $3::bigint[]) AS used (identity, path, times)
         ON CONFLICT (identity, path) DO UPDATE SET uses = usage.uses + excluded.uses, last_used_at = $4",
    )
    .bind(times.keys().map(|(identity, _)| codec::text(identity)).collect::<Vec<_>>())
    .bind(times.keys().map(|(_, path)| *path).collect::<Vec<_>>())
    .bind(times.values().copied().collect::<Vec<_>>())
    .bind(at.as_microsecond())
    .execute(db)
    .await?;
    Ok(())
}

/// Sets or takes away a pin; says whether that changed anything.
pub(super) async fn pin(
    db: &mut PgConnection,
    identity: &Identity,
    path: &EntryPath,
    pinned: Option<Timestamp>,
) -> Result<bool> {
    let sql = match pinned {
        Some(_) => "INSERT INTO pins (identity, path, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        None => "DELETE FROM pins WHERE identity = $1 AND path = $2 AND $3::bigint IS NULL",
    };
    let pin = sqlx::query(sql).bind(codec::text(&identity.0)).bind(path.as_str());
    let changed = pin.bind(pinned.map(|at| at.as_microsecond())).execute(db).await?;
    Ok(changed.rows_affected() > 0)
}

/// Accepts bytes.
pub(super) async fn accept(
    db: &mut PgConnection,
    identity: &Identity,
    digests: &[Digest],
    at: Timestamp,
) -> Result<()> {
    if digests.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO accepted (identity, digest, at) SELECT $1, digest, $3 FROM unnest($2::bytea[]) AS given (digest)
         ON CONFLICT DO NOTHING",
    )
    .bind(codec::text(&identity.0))
    .bind(digests.iter().map(|digest| digest.as_bytes()).collect::<Vec<_>>())
    .bind(at.as_microsecond())
    .execute(db)
    .await?;
    Ok(())
}

/// Takes acceptance back.
pub(super) async fn reject(db: &mut PgConnection, identity: &Identity, digest: &Digest) -> Result<()> {
    sqlx::query("DELETE FROM accepted WHERE identity = $1 AND digest = $2")
        .bind(codec::text(&identity.0))
        .bind(digest.as_bytes())
        .execute(db)
        .await?;
    Ok(())
}

/// Moves usage and pins of files; nothing may be known of `to`.
pub(super) async fn rename(db: &mut PgConnection, identity: &Identity, from: &[&str], to: &[&str]) -> Result<()> {
    for sql in [
        "UPDATE usage u SET path = moved.target FROM unnest($2::text[], $3::text[]) AS moved (path, target)
         WHERE identity = $1 AND u.path = moved.path",
        "UPDATE pins p SET path = moved.target FROM unnest($2::text[], $3::text[]) AS moved (path, target)
         WHERE identity = $1 AND p.path = moved.path",
    ] {
        sqlx::query(sql).bind(codec::text(&identity.0)).bind(from).bind(to).execute(&mut *db).await?;
    }
    Ok(())
}

/// Forgets how often files were used, and their pins.
pub(super) async fn forget(db: &mut PgConnection, identity: &Identity, paths: &[&str]) -> Result<()> {
    for sql in [
        "DELETE FROM usage WHERE identity = $1 AND path = ANY($2)",
        "DELETE FROM pins WHERE identity = $1 AND path = ANY($2)",
    ] {
        sqlx::query(sql).bind(codec::text(&identity.0)).bind(paths).execute(&mut *db).await?;
    }
    Ok(())
}

/// Forgets everything of an identity.
pub(super) async fn forget_all(db: &mut PgConnection, identity: &Identity) -> Result<()> {
    for sql in [
        "DELETE FROM usage WHERE identity = $1",
        "DELETE FROM pins WHERE identity = $1",
        "DELETE FROM accepted WHERE identity = $1",
        "DELETE FROM tombstones WHERE identity = $1",
        "DELETE FROM sources WHERE identity = $1",
        "DELETE FROM cursors WHERE identity = $1",
        "DELETE FROM requests WHERE identity = $1",
        "DELETE FROM proposals WHERE identity = $1",
    ] {
        sqlx::query(sql).bind(codec::text(&identity.0)).execute(&mut *db).await?;
    }
    Ok(())
}
