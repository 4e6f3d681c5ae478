//! The catalogue topic on SQLite; the writing of document rows is in `documents.rs`.

use super::Result;
use super::engine::Durability;
use super::{Sqlite, codec, evidence, filing, images, life, roots};
use crate::columns::Columns;
use crate::rows::catalog::{known, listed, root, select_known, select_listed};
use crate::{Catalog, IndexHead};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::{Identity, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::{Known, Listed, RootKey};
use rusqlite::{Connection, OptionalExtension, params};

#[async_trait]
impl Catalog for Sqlite {
    async fn known(&self, place: &Place) -> crate::Result<Vec<Known>> {
        let place = place.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_known!(place "?1", "ORDER BY path"))?;
            codec::all(statement.query([&place.0])?, known)
        })
        .await
    }

    async fn known_file(&self, place: &Place, path: &EntryPath) -> crate::Result<Option<Known>> {
        let (place, path) = (place.clone(), path.clone());
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_known!(place "?1", "AND path = ?2"))?;
            codec::first(statement.query([&place.0, path.as_str()])?, known)
        })
        .await
    }

    async fn rules(&self, place: &Place) -> crate::Result<Option<u32>> {
        let place = place.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT rules FROM roots WHERE place = ?1")?;
            Ok(statement.query_row([&place.0], |row| row.get(0)).optional()?.flatten())
        })
        .await
    }

    async fn set_rules(&self, place: &Place, rules: u32) -> crate::Result<()> {
        let place = place.clone();
        self.write(Durability::Normal, move |tx| {
            let root = roots::ensure(tx, &place)?;
            tx.prepare_cached("UPDATE roots SET rules = ?2 WHERE id = ?1")?.execute(params![root, rules])?;
            Ok(())
        })
        .await
    }

    async fn count(&self, place: &Place) -> crate::Result<u64> {
        let place = place.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT files FROM roots WHERE place = ?1")?;
            Ok(codec::first(statement.query([&place.0])?, |row| row.count(0))?.unwrap_or(0))
        })
        .await
    }

    async fn index_head(&self, place: &Place, limit: usize) -> crate::Result<IndexHead> {
        let place = place.clone();
        self.read(move |db| index_head(db, &place, limit)).await
    }

    async fn listed(&self, root: &RootKey) -> crate::Result<Vec<Listed>> {
        let root = root.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_listed!(place "?1", identity "?2", "ORDER BY d.path"))?;
            codec::all(statement.query([&root.place.0, &root.identity.0])?, listed)
        })
        .await
    }

    async fn listed_file(&self, root: &RootKey, path: &EntryPath) -> crate::Result<Option<Listed>> {
        let (root, path) = (root.clone(), path.clone());
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_listed!(place "?1", identity "?2", "AND d.path = ?3"))?;
            codec::first(statement.query([&root.place.0, &root.identity.0, path.as_str()])?, listed)
        })
        .await
    }

    async fn touch(&self, identity: &Identity, path: &EntryPath, at: Timestamp) -> crate::Result<()> {
        let (identity, path) = (identity.clone(), path.clone());
        self.write(Durability::Normal, move |tx| life::touch(tx, &identity, &path, at)).await
    }

    async fn touch_each(&self, used: &[(Identity, EntryPath)], at: Timestamp) -> crate::Result<()> {
        if used.is_empty() {
            return Ok(());
        }
        let used = used.to_vec();
        self.write(Durability::Normal, move |tx| {
            used.iter().try_for_each(|(identity, path)| life::touch(tx, identity, path, at))
        })
        .await
    }

    async fn pin(&self, identity: &Identity, path: &EntryPath, pinned: Option<Timestamp>) -> crate::Result<bool> {
        let (identity, path) = (identity.clone(), path.clone());
        self.write(Durability::Full, move |tx| life::pin(tx, &identity, &path, pinned)).await
    }

    async fn accept(&self, identity: &Identity, digest: &Digest, accepted: Option<Timestamp>) -> crate::Result<()> {
        let (identity, digest) = (identity.clone(), *digest);
        self.write(Durability::Full, move |tx| match accepted {
            Some(at) => life::accept(tx, &identity, &digest, at),
            None => life::reject(tx, &identity, &digest),
        })
        .await
    }

    async fn drop_root(&self, root: &RootKey) -> crate::Result<()> {
        let root = root.clone();
        self.write(Durability::Full, move |tx| drop_root(tx, &root)).await
    }

    async fn roots(&self) -> crate::Result<Vec<RootKey>> {
        self.read(|db| {
            let mut statement =
                db.prepare_cached("SELECT place, identity FROM roots WHERE identity IS NOT NULL ORDER BY place")?;
            codec::all(statement.query([])?, root)
        })
        .await
    }

    async fn note(&self, key: &str) -> crate::Result<Option<String>> {
        let key = key.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT value FROM notes WHERE key = ?1")?;
            Ok(statement.query_row([key], |row| row.get(0)).optional()?)
        })
        .await
    }

    async fn set_note(&self, key: &str, value: Option<&str>) -> crate::Result<()> {
        let (key, value) = (key.to_owned(), value.map(str::to_owned));
        self.write(Durability::Full, move |tx| {
            match value {
                Some(value) => tx
                    .prepare_cached(
                        "INSERT INTO notes (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
                    )?
                    .execute([key, value])?,
                None => tx.prepare_cached("DELETE FROM notes WHERE key = ?1")?.execute([key])?,
            };
            Ok(())
        })
        .await
    }
}

fn index_head(db: &Connection, place: &Place, limit: usize) -> Result<IndexHead> {
    let mut statement = db.prepare_cached("SELECT id, cards FROM roots WHERE place = ?1")?;
    let found = codec::first(statement.query([&place.0])?, |row| Ok((row.number(0)?, row.count(1)?)))?;
    let Some((root, total)) = found else { return Ok(IndexHead::default()) };
    // Joined by the engine: two hundred rows one by one cost as much as all else that a change reads.
    let mut statement = db.prepare_cached(
        "SELECT coalesce(group_concat(line || char(10), ''), '') FROM
           (SELECT line FROM documents INDEXED BY documents_cards
            WHERE root = ?1 AND name IS NOT NULL ORDER BY path LIMIT ?2)",
    )?;
    let lines = statement.query_row([root, codec::limit(limit)], |row| row.get(0))?;
    Ok(IndexHead { lines, total: usize::try_from(total).unwrap_or(usize::MAX) })
}

fn drop_root(db: &Connection, key: &RootKey) -> Result<()> {
    if let Some(root) = roots::find(db, &key.place)? {
        for sql in [
            "INSERT INTO dead_words (document) SELECT coalesce(words, id) FROM documents
             WHERE root = ?1 AND id NOT IN (SELECT document FROM fresh_words)",
            "DELETE FROM fresh_words WHERE root = ?1",
            "DELETE FROM documents WHERE root = ?1",
            "DELETE FROM changes WHERE root = ?1",
            "DELETE FROM roots WHERE id = ?1",
        ] {
            db.execute(sql, [root])?;
        }
    }
    filing::file_all(db)?;
    life::forget_all(db, &key.identity)?;
    evidence::forget_all(db, &key.identity)?;
    images::sweep(db)?;
    Ok(())
}
