//! Usage, pins and acceptance: rows that no file can tell again, by whose memory it is.

use super::Result;
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use rusqlite::{Connection, params};

/// Counts one use.
pub(super) fn touch(db: &Connection, identity: &Identity, path: &EntryPath, at: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO usage (identity, path, uses, last_used_at) VALUES (?1, ?2, 1, ?3)
         ON CONFLICT (identity, path) DO UPDATE SET uses = uses + 1, last_used_at = ?3",
    )?
    .execute(params![identity.0, path.as_str(), at.as_microsecond()])?;
    Ok(())
}

/// Sets or takes away a pin; says whether that changed anything.
pub(super) fn pin(db: &Connection, identity: &Identity, path: &EntryPath, pinned: Option<Timestamp>) -> Result<bool> {
    let changed = match pinned {
        Some(at) => db
            .prepare_cached("INSERT INTO pins (identity, path, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
            .execute(params![identity.0, path.as_str(), at.as_microsecond()])?,
        None => db
            .prepare_cached("DELETE FROM pins WHERE identity = ?1 AND path = ?2")?
            .execute([&identity.0, path.as_str()])?,
    };
    Ok(changed > 0)
}

/// Accepts bytes.
pub(super) fn accept(db: &Connection, identity: &Identity, digest: &Digest, at: Timestamp) -> Result<()> {
    db.prepare_cached("INSERT INTO accepted (identity, digest, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![identity.0, digest.as_bytes(), at.as_microsecond()])?;
    Ok(())
}

/// Takes acceptance back.
pub(super) fn reject(db: &Connection, identity: &Identity, digest: &Digest) -> Result<()> {
    db.prepare_cached("DELETE FROM accepted WHERE identity = ?1 AND digest = ?2")?
        .execute(params![identity.0, digest.as_bytes()])?;
    Ok(())
}

/// Moves usage and pin of a file; nothing may be known of `to`.
pub(super) fn rename(db: &Connection, identity: &Identity, from: &str, to: &str) -> Result<()> {
    for sql in [
        "UPDATE usage SET path = ?3 WHERE identity = ?1 AND path = ?2",
        "UPDATE pins SET path = ?3 WHERE identity = ?1 AND path = ?2",
    ] {
        db.prepare_cached(sql)?.execute(params![identity.0, from, to])?;
    }
    Ok(())
}

/// Forgets how often a file was used, and its pin.
pub(super) fn forget(db: &Connection, identity: &Identity, path: &str) -> Result<()> {
    for sql in
        ["DELETE FROM usage WHERE identity = ?1 AND path = ?2", "DELETE FROM pins WHERE identity = ?1 AND path = ?2"]
    {
        db.prepare_cached(sql)?.execute(params![identity.0, path])?;
    }
    Ok(())
}

/// Forgets everything of an identity.
pub(super) fn forget_all(db: &Connection, identity: &Identity) -> Result<()> {
    for sql in [
        "DELETE FROM usage WHERE identity = ?1",
        "DELETE FROM pins WHERE identity = ?1",
        "DELETE FROM accepted WHERE identity = ?1",
        "DELETE FROM tombstones WHERE identity = ?1",
        "DELETE FROM sources WHERE identity = ?1",
        "DELETE FROM cursors WHERE identity = ?1",
        "DELETE FROM requests WHERE identity = ?1",
        "DELETE FROM proposals WHERE identity = ?1",
    ] {
        db.execute(sql, [&identity.0])?;
    }
    Ok(())
}
