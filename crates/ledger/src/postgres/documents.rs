//! Rows of files with their words, and what follows them on the root's row.
//!
//! Everything here has the root's subject, so the numbers of a place become visible in their order.

use super::{Result, codec, search};
use crate::tokens;
use loci_domain::path::EntryPath;
use loci_domain::row::DocumentRow;
use sqlx::{PgConnection, Row};
use std::collections::HashMap;

/// How many documents are sent at once.
const AT_ONCE: usize = 500;

/// By how much the sums on a root's row change, and whether its generation does.
#[derive(Debug, Default)]
pub(super) struct Tally {
    files: i64,
    cards: i64,
    documents: bool,
    /// The highest number that was given out.
    newest: Option<i64>,
}

impl Tally {
    /// Brings the root's row up to date.
    pub(super) async fn apply(&self, db: &mut PgConnection, root: i64) -> Result<()> {
        if self.files == 0 && !self.documents {
            return Ok(());
        }
        sqlx::query(
            "UPDATE roots SET files = files + $2, cards = cards + $3,
               generation = CASE WHEN $4 THEN coalesce($5, nextval('documents_id_seq')) ELSE generation END
             WHERE id = $1",
        )
        .bind(root)
        .bind(self.files)
        .bind(self.cards)
        .bind(self.documents)
        .bind(self.newest)
        .execute(db)
        .await?;
        Ok(())
    }

    fn add(&mut self, times: i64, card: bool) {
        self.files += times;
        self.cards += times * i64::from(card);
        self.documents |= card;
    }
}

/// Removes files' rows and words, if there are any; says where they had come from, by path.
pub(super) async fn forget(
    db: &mut PgConnection,
    root: i64,
    paths: &[&str],
    tally: &mut Tally,
) -> Result<HashMap<String, String>> {
    if paths.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query(
        "DELETE FROM documents WHERE root = $1 AND path = ANY($2) RETURNING path, origin, name IS NOT NULL",
    )
    .bind(root)
    .bind(paths)
    .fetch_all(db)
    .await?;
    let mut origins = HashMap::new();
    for row in &rows {
        tally.add(-1, row.try_get(2)?);
        origins.insert(row.try_get(0)?, row.try_get(1)?);
    }
    Ok(origins)
}

/// Writes files' rows and words; what is on record of their origin stays.
pub(super) async fn keep(db: &mut PgConnection, root: i64, rows: &[DocumentRow], tally: &mut Tally) -> Result<()> {
    // One that comes twice is what it was last, and from where it came first.
    let mut last: HashMap<&str, usize> = HashMap::new();
    let mut first: HashMap<&str, &'static str> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        last.insert(row.path.as_str(), at);
        first.entry(row.path.as_str()).or_insert(row.origin.word());
    }
    let rows: Vec<&DocumentRow> = rows
        .iter()
        .enumerate()
        .filter(|(at, row)| last.get(row.path.as_str()) == Some(at))
        .map(|(_, row)| row)
        .collect();
    for rows in rows.chunks(AT_ONCE) {
        let paths: Vec<&str> = rows.iter().map(|row| row.path.as_str()).collect();
        let known = forget(db, root, &paths, tally).await?;
        let origins = paths
            .iter()
            .map(|path| known.get(*path).map(String::as_str).or(first.get(path).copied()).unwrap_or_default())
            .collect();
        let numbers = insert(db, root, rows, origins).await?;
        rows.iter().for_each(|row| tally.add(1, row.card.is_some()));
        tally.newest = tally.newest.max(numbers.values().copied().max());
        search::add(db, root, rows, &numbers).await?;
    }
    Ok(())
}

/// The numbers of the new rows, by path.
async fn insert(
    db: &mut PgConnection,
    root: i64,
    rows: &[&DocumentRow],
    origins: Vec<&str>,
) -> Result<HashMap<String, i64>> {
    let cards = || rows.iter().map(|row| row.card.as_ref());
    let added = sqlx::query(
        "INSERT INTO documents (root, path, stamp, digest, bytes, updated_at, origin, name, description, kind,
           name_words, description_words, body_words, line)
         SELECT $1, path, stamp, digest, bytes, updated_at, origin, name, description, kind,
           name_words, description_words, body_words, line
         FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
             $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[]) WITH ORDINALITY
           AS new (path, stamp, digest, bytes, updated_at, origin, name, description, kind,
             name_words, description_words, body_words, line, place)
         ORDER BY place RETURNING path, id",
    )
    .bind(root)
    .bind(rows.iter().map(|row| row.path.as_str()).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| codec::text(&row.stamp)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| row.digest.as_bytes()).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| codec::number(row.bytes)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| row.updated_at.as_microsecond()).collect::<Vec<_>>())
    .bind(origins)
    .bind(cards().map(|card| card.map(|card| codec::text(&card.name))).collect::<Vec<_>>())
    .bind(cards().map(|card| card.map(|card| codec::text(&card.description))).collect::<Vec<_>>())
    .bind(cards().map(|card| card.map(|card| codec::kind_word(card.kind))).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| tokens::count(&row.search.name)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| tokens::count(&row.search.description)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| tokens::count(&row.search.body)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| codec::text(&row.line)).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    added.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Notes other stamps for the same bytes.
pub(super) async fn restamp(db: &mut PgConnection, root: i64, stamps: &[(EntryPath, String)]) -> Result<()> {
    if stamps.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "UPDATE documents d SET stamp = new.stamp FROM unnest($2::text[], $3::text[]) AS new (path, stamp)
         WHERE root = $1 AND d.path = new.path",
    )
    .bind(root)
    .bind(stamps.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>())
    .bind(stamps.iter().map(|(_, stamp)| codec::text(stamp)).collect::<Vec<_>>())
    .execute(db)
    .await?;
    Ok(())
}

/// Gives files other paths; there must be none yet.
pub(super) async fn rename(db: &mut PgConnection, root: i64, from: &[&str], to: &[&str]) -> Result<()> {
    sqlx::query(
        "UPDATE documents d SET path = moved.target FROM unnest($2::text[], $3::text[]) AS moved (path, target)
         WHERE root = $1 AND d.path = moved.path",
    )
    .bind(root)
    .bind(from)
    .bind(to)
    .execute(db)
    .await?;
    Ok(())
}

/// Gives files that moved new numbers, in this order, so that whoever knows them by their old ones sees the move. Their
/// words and vectors go along, by foreign key.
pub(super) async fn renumber(db: &mut PgConnection, root: i64, paths: &[&str], tally: &mut Tally) -> Result<()> {
    // Materialized: a join may go through its other side several times, and would take a new number each time.
    let numbers: Vec<i64> = sqlx::query_scalar(
        "WITH moved AS MATERIALIZED (
           SELECT path, nextval('documents_id_seq') AS number
           FROM (SELECT path FROM unnest($2::text[]) WITH ORDINALITY AS given (path, place) ORDER BY place) AS paths)
         UPDATE documents d SET id = moved.number FROM moved
         WHERE root = $1 AND d.path = moved.path AND name IS NOT NULL RETURNING d.id",
    )
    .bind(root)
    .bind(paths)
    .fetch_all(db)
    .await?;
    tally.documents |= !numbers.is_empty();
    tally.newest = tally.newest.max(numbers.into_iter().max());
    Ok(())
}
