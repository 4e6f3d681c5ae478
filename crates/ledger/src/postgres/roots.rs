//! Rows of places. A place is put on record under its subject.

use super::{Result, codec};
use loci_domain::change::Place;
use loci_domain::row::RootKey;
use sqlx::PgConnection;

/// The number of a place; `None` = not on record.
pub(super) async fn find(db: &mut PgConnection, place: &Place) -> Result<Option<i64>> {
    let find = sqlx::query_scalar("SELECT id FROM roots WHERE place = $1").bind(codec::text(&place.0));
    Ok(find.fetch_optional(db).await?)
}

/// The number of a place, which is put on record if need be.
pub(super) async fn ensure(db: &mut PgConnection, place: &Place) -> Result<i64> {
    if let Some(root) = find(db, place).await? {
        return Ok(root);
    }
    let add = sqlx::query_scalar("INSERT INTO roots (place) VALUES ($1) RETURNING id").bind(codec::text(&place.0));
    Ok(add.fetch_one(db).await?)
}

/// The number of a place, with its identity noted; a project may get another one when its remote changes.
pub(super) async fn identify(db: &mut PgConnection, key: &RootKey) -> Result<i64> {
    let root = ensure(db, &key.place).await?;
    sqlx::query("UPDATE roots SET identity = $2 WHERE id = $1 AND identity IS DISTINCT FROM $2")
        .bind(root)
        .bind(codec::text(&key.identity.0))
        .execute(db)
        .await?;
    Ok(root)
}
