//! The purge topic on SQLite.
//!
//! Deleted bytes survive in free pages, in the search index until its segments merge, and in the log. So a scrub merges
//! the index, rewrites the whole file, and empties the log.

use super::engine::Durability;
use super::{Result, Sqlite, codec, filing};
use crate::columns::Columns;
use crate::rows::purge::image;
use crate::{Purge, Scrubbed};
use async_trait::async_trait;
use loci_domain::change::{ChangeId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use rusqlite::{Connection, params};
use std::collections::BTreeSet;

#[async_trait]
impl Purge for Sqlite {
    async fn images_after(&self, after: Option<&Digest>, limit: usize) -> crate::Result<Vec<Image>> {
        let after = after.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default();
        self.read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT digest, codec, size, data FROM images WHERE digest > ?1 ORDER BY digest LIMIT ?2",
            )?;
            codec::all(statement.query(params![after, codec::limit(limit)])?, image)
        })
        .await
    }

    async fn files_of(&self, images: &[Digest]) -> crate::Result<Vec<(Place, EntryPath)>> {
        let images = images.to_vec();
        self.read(move |db| files_of(db, &images)).await
    }

    async fn drop_images(&self, digests: &[Digest]) -> crate::Result<u64> {
        let digests = digests.to_vec();
        self.write(Durability::Full, move |tx| {
            let mut delete = tx.prepare_cached("DELETE FROM images WHERE digest = ?1")?;
            let mut dropped = 0;
            for digest in &digests {
                dropped += delete.execute([digest.as_bytes()])? as u64;
            }
            Ok(dropped)
        })
        .await
    }

    async fn pass_over(&self, changes: &[ChangeId]) -> crate::Result<()> {
        let changes = changes.to_vec();
        self.write(Durability::Full, move |tx| {
            let mut mark = tx.prepare_cached("UPDATE changes SET undone = 1 WHERE id = ?1")?;
            changes.iter().try_for_each(|id| mark.execute([&id.0]).map(drop))?;
            Ok(())
        })
        .await
    }

    async fn rename_past(&self, place: &Place, from: &EntryPath, to: &EntryPath) -> crate::Result<u64> {
        let (place, from, to) = (place.clone(), from.clone(), to.clone());
        self.write(Durability::Full, move |tx| {
            let mut named = 0;
            for sql in [
                "UPDATE changes SET path = ?3 WHERE root = (SELECT id FROM roots WHERE place = ?1) AND path = ?2",
                "UPDATE changes SET new_path = ?3 WHERE root = (SELECT id FROM roots WHERE place = ?1) AND new_path = ?2",
            ] {
                named += tx.prepare_cached(sql)?.execute(params![place.0, from.as_str(), to.as_str()])? as u64;
            }
            // Which scope a place was shown as is not on record; a path that ends like it is near enough to be dropped.
            tx.prepare_cached("DELETE FROM shown WHERE path IN (?1, ?2, ?3)")?.execute(params![
                format!("/memories/global/{from}"),
                format!("/memories/project/{from}"),
                format!("/memories/workspace/{from}")
            ])?;
            Ok(named)
        })
        .await
    }

    async fn drop_receipts(&self) -> crate::Result<u64> {
        self.write(Durability::Full, |tx| {
            // What a task was asked and answered may tell what is purged.
            tx.execute("DELETE FROM tasks WHERE run IS NULL AND status NOT IN ('queued', 'running')", [])?;
            Ok((tx.execute("DELETE FROM receipts", [])? + tx.execute("DELETE FROM segments", [])?) as u64)
        })
        .await
    }

    async fn scrub(&self) -> crate::Result<Scrubbed> {
        self.write(Durability::Full, |tx| {
            filing::file_all(tx)?;
            tx.execute("INSERT INTO words (words) VALUES ('optimize')", [])?;
            Ok(())
        })
        .await?;
        self.maintain(|db| {
            db.execute_batch("PRAGMA secure_delete = ON; VACUUM; PRAGMA secure_delete = OFF")?;
            let busy: i64 = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            Ok(if busy == 0 { Scrubbed::Clean } else { Scrubbed::LogInUse })
        })
        .await
    }
}

fn files_of(db: &Connection, images: &[Digest]) -> Result<Vec<(Place, EntryPath)>> {
    let mut statement = db.prepare_cached(
        "SELECT place, path, new_path FROM changes JOIN roots ON roots.id = changes.root
         WHERE before = ?1 OR after = ?1",
    )?;
    let mut files = BTreeSet::new();
    for image in images {
        let mut rows = statement.query([image.as_bytes()])?;
        while let Some(row) = rows.next()? {
            let place = Place(row.text(0)?);
            files.insert((place.clone(), row.path(1)?));
            if row.maybe_text(2)?.is_some() {
                files.insert((place, row.path(2)?));
            }
        }
    }
    Ok(files.into_iter().collect())
}
