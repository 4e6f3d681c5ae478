//! Vectors of documents, by who made them. They go and move with the document's row, by foreign key.

use super::{Result, codec};
use crate::Vectors;
use crate::columns::Columns;
use loci_domain::change::Place;
use sqlx::PgConnection;
use std::collections::BTreeMap;

/// See [`crate::Search::vectors`].
pub(super) async fn after(
    db: &mut PgConnection,
    place: &Place,
    embedder: &str,
    after: u64,
    most: usize,
) -> Result<Vec<Vectors>> {
    let ask = sqlx::query(
        "SELECT v.document, v.packed
         FROM documents d
           JOIN vectors v ON v.document = d.id AND v.embedder = (SELECT id FROM embedders WHERE name = $2)
         WHERE d.root = (SELECT id FROM roots WHERE place = $1) AND d.name IS NOT NULL AND d.id > $3 ORDER BY d.id LIMIT $4",
    );
    let ask = ask
        .bind(codec::text(&place.0))
        .bind(codec::text(embedder))
        .bind(codec::number(after))
        .bind(i64::try_from(most).unwrap_or(i64::MAX));
    codec::all(&ask.fetch_all(db).await?, |row| Ok(Vectors { number: row.count(0)?, packed: row.bytes(1)? }))
}

/// See [`crate::Search::keep_vectors`].
pub(super) async fn keep(db: &mut PgConnection, embedder: &str, vectors: &[Vectors]) -> Result<()> {
    let embedder = ensure(db, embedder).await?;
    // Of several for one number the last ones stay.
    let last: BTreeMap<u64, &Vec<u8>> = vectors.iter().map(|one| (one.number, &one.packed)).collect();
    // Locked, so that no document goes between the look at it and the row that refers to it.
    sqlx::query(
        "INSERT INTO vectors (document, embedder, packed)
         SELECT d.id, $1, packed FROM unnest($2::bigint[], $3::bytea[]) AS made (document, packed)
           JOIN LATERAL (SELECT id FROM documents WHERE id = made.document AND name IS NOT NULL FOR KEY SHARE) d ON TRUE
         ON CONFLICT (document, embedder) DO UPDATE SET packed = excluded.packed",
    )
    .bind(embedder)
    .bind(last.keys().map(|number| codec::number(*number)).collect::<Vec<_>>())
    .bind(last.values().map(|packed| packed.as_slice()).collect::<Vec<_>>())
    .execute(db)
    .await?;
    Ok(())
}

/// The number of an embedder, which is put on record if need be; under its subject.
async fn ensure(db: &mut PgConnection, name: &str) -> Result<i64> {
    let known = sqlx::query_scalar("SELECT id FROM embedders WHERE name = $1").bind(codec::text(name));
    if let Some(id) = known.fetch_optional(&mut *db).await? {
        return Ok(id);
    }
    let add = sqlx::query_scalar("INSERT INTO embedders (name) VALUES ($1) RETURNING id").bind(codec::text(name));
    Ok(add.fetch_one(db).await?)
}
