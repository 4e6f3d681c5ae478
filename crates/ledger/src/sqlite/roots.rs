//! Rows of places.

use super::Result;
use loci_domain::change::Place;
use loci_domain::row::RootKey;
use rusqlite::{Connection, OptionalExtension, params};

/// The number of a place; `None` = not on record.
pub(super) fn find(db: &Connection, place: &Place) -> Result<Option<i64>> {
    let mut statement = db.prepare_cached("SELECT id FROM roots WHERE place = ?1")?;
    Ok(statement.query_row([&place.0], |row| row.get(0)).optional()?)
}

/// The number of a place, which is put on record if need be.
pub(super) fn ensure(db: &Connection, place: &Place) -> Result<i64> {
    if let Some(root) = find(db, place)? {
        return Ok(root);
    }
    db.prepare_cached("INSERT INTO roots (place) VALUES (?1)")?.execute([&place.0])?;
    Ok(db.last_insert_rowid())
}

/// The number of a place, with its identity noted; a project may get another one when its remote changes.
pub(super) fn identify(db: &Connection, key: &RootKey) -> Result<i64> {
    let root = ensure(db, &key.place)?;
    db.prepare_cached("UPDATE roots SET identity = ?2 WHERE id = ?1 AND identity IS NOT ?2")?
        .execute(params![root, key.identity.0])?;
    Ok(root)
}
