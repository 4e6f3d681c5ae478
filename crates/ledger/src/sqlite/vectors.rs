//! Vectors of documents, by who made them. They go and move with the document's row, by foreign key.

use super::numbers::Numbers;
use super::{Result, codec};
use crate::Vectors;
use crate::columns::Columns;
use loci_domain::change::Place;
use rusqlite::{Connection, OptionalExtension, params};

/// See [`crate::Search::vectors`].
pub(super) fn after(db: &Connection, place: &Place, embedder: &str, after: u64, most: usize) -> Result<Vec<Vectors>> {
    let numbers = Numbers::of(db)?;
    // CROSS JOIN keeps the order of the tables: the numbers of the place first, then the vectors of each.
    let mut statement = db.prepare_cached(
        "SELECT v.document, v.packed
         FROM documents d INDEXED BY documents_numbers
           CROSS JOIN vectors v ON v.document = d.id AND v.embedder = (SELECT id FROM embedders WHERE name = ?2)
         WHERE d.root = (SELECT id FROM roots WHERE place = ?1) AND d.name IS NOT NULL AND d.id > ?3 ORDER BY d.id LIMIT ?4",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    codec::all(statement.query(params![place.0, embedder, numbers.write(after), most])?, |row| {
        Ok(Vectors { number: numbers.read(row, 0)?, packed: row.bytes(1)? })
    })
}

/// See [`crate::Search::keep_vectors`].
pub(super) fn keep(db: &Connection, embedder: &str, vectors: &[Vectors]) -> Result<()> {
    if vectors.is_empty() {
        return Ok(());
    }
    let (embedder, numbers) = (ensure(db, embedder)?, Numbers::of(db)?);
    let mut statement = db.prepare_cached(
        "INSERT INTO vectors (document, embedder, packed)
         SELECT id, ?2, ?3 FROM documents WHERE id = ?1 AND name IS NOT NULL
         ON CONFLICT (document, embedder) DO UPDATE SET packed = excluded.packed",
    )?;
    for Vectors { number, packed } in vectors {
        statement.execute(params![numbers.write(*number), embedder, packed])?;
    }
    Ok(())
}

/// The number of an embedder, which is put on record if need be.
fn ensure(db: &Connection, name: &str) -> Result<i64> {
    let mut known = db.prepare_cached("SELECT id FROM embedders WHERE name = ?1")?;
    if let Some(id) = known.query_row([name], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    db.prepare_cached("INSERT INTO embedders (name) VALUES (?1)")?.execute([name])?;
    Ok(db.last_insert_rowid())
}
