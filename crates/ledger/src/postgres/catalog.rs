//! The catalogue topic on PostgreSQL; the writing of document rows is in `documents.rs`.

use super::engine::{Durability, asking, reading, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, evidence, images, life, roots};
use crate::columns::Columns;
use crate::rows::catalog::{known, listed, root, select_known, select_listed};
use crate::{Catalog, IndexHead};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::{Identity, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::{Known, Listed, RootKey};
use sqlx::PgConnection;

#[async_trait]
impl Catalog for Postgres {
    async fn known(&self, place: &Place) -> crate::Result<Vec<Known>> {
        asking!(self, |db| {
            let ask = sqlx::query(select_known!(place "$1", "ORDER BY path")).bind(codec::text(&place.0));
            codec::all(&ask.fetch_all(&mut *db).await?, known)
        })
    }

    async fn known_file(&self, place: &Place, path: &EntryPath) -> crate::Result<Option<Known>> {
        asking!(self, |db| {
            let ask =
                sqlx::query(select_known!(place "$1", "AND path = $2")).bind(codec::text(&place.0)).bind(path.as_str());
            codec::first(ask.fetch_optional(&mut *db).await?, known)
        })
    }

    async fn rules(&self, place: &Place) -> crate::Result<Option<u32>> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT rules FROM roots WHERE place = $1").bind(codec::text(&place.0));
            let rules: Option<Option<i64>> = ask.fetch_optional(&mut *db).await?;
            Ok(rules.flatten().and_then(|rules| u32::try_from(rules).ok()))
        })
    }

    async fn set_rules(&self, place: &Place, rules: u32) -> crate::Result<()> {
        writing!(self, Subject::root(place), Durability::Normal, |db| {
            let root = roots::ensure(db, place).await?;
            let set = sqlx::query("UPDATE roots SET rules = $2 WHERE id = $1").bind(root).bind(i64::from(rules));
            set.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn count(&self, place: &Place) -> crate::Result<u64> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT files FROM roots WHERE place = $1").bind(codec::text(&place.0));
            Ok(codec::counted(ask.fetch_optional(&mut *db).await?.unwrap_or(0))?)
        })
    }

    async fn index_head(&self, place: &Place, limit: usize) -> crate::Result<IndexHead> {
        reading!(self, |db| { index_head(db, place, limit).await })
    }

    async fn listed(&self, root: &RootKey) -> crate::Result<Vec<Listed>> {
        asking!(self, |db| {
            let ask = sqlx::query(select_listed!(place "$1", identity "$2", "ORDER BY d.path"));
            let ask = ask.bind(codec::text(&root.place.0)).bind(codec::text(&root.identity.0));
            codec::all(&ask.fetch_all(&mut *db).await?, listed)
        })
    }

    async fn listed_file(&self, root: &RootKey, path: &EntryPath) -> crate::Result<Option<Listed>> {
        asking!(self, |db| {
            let ask = sqlx::query(select_listed!(place "$1", identity "$2", "AND d.path = $3"));
            let ask = ask.bind(codec::text(&root.place.0)).bind(codec::text(&root.identity.0)).bind(path.as_str());
            codec::first(ask.fetch_optional(&mut *db).await?, listed)
        })
    }

    async fn touch(&self, identity: &Identity, path: &EntryPath, at: Timestamp) -> crate::Result<()> {
        writing!(self, Subject::identity(identity), Durability::Normal, |db| {
            life::touch(db, &[(identity, path)], at).await
        })
    }

    async fn touch_each(&self, used: &[(Identity, EntryPath)], at: Timestamp) -> crate::Result<()> {
        if used.is_empty() {
            return Ok(());
        }
        let subject = used.iter().map(|(identity, _)| Subject::identity(identity)).fold(Subject::none(), Subject::and);
        let used: Vec<_> = used.iter().map(|(identity, path)| (identity, path)).collect();
        writing!(self, subject, Durability::Normal, |db| { life::touch(db, &used, at).await })
    }

    async fn pin(&self, identity: &Identity, path: &EntryPath, pinned: Option<Timestamp>) -> crate::Result<bool> {
        writing!(self, Subject::identity(identity), Durability::Full, |db| {
            life::pin(db, identity, path, pinned).await
        })
    }

    async fn accept(&self, identity: &Identity, digest: &Digest, accepted: Option<Timestamp>) -> crate::Result<()> {
        writing!(self, Subject::identity(identity), Durability::Full, |db| {
            match accepted {
                Some(at) => life::accept(db, identity, std::slice::from_ref(digest), at).await,
                None => life::reject(db, identity, digest).await,
            }
        })
    }

    async fn drop_root(&self, root: &RootKey) -> crate::Result<()> {
        let subject = Subject::root(&root.place).and(Subject::identity(&root.identity)).and(Subject::images());
        writing!(self, subject, Durability::Full, |db| { drop_root(db, root).await })
    }

    async fn roots(&self) -> crate::Result<Vec<RootKey>> {
        asking!(self, |db| {
            let ask = sqlx::query("SELECT place, identity FROM roots WHERE identity IS NOT NULL ORDER BY place");
            codec::all(&ask.fetch_all(&mut *db).await?, root)
        })
    }

    async fn note(&self, key: &str) -> crate::Result<Option<String>> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT value FROM notes WHERE key = $1").bind(codec::text(key));
            Ok(ask.fetch_optional(&mut *db).await?)
        })
    }

    async fn set_note(&self, key: &str, value: Option<&str>) -> crate::Result<()> {
        writing!(self, Subject::of("note", &[key]), Durability::Full, |db| {
            let set = match value {
                Some(value) => sqlx::query(
                    "INSERT INTO notes (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2",
                )
                .bind(codec::text(key))
                .bind(codec::text(value)),
                None => sqlx::query("DELETE FROM notes WHERE key = $1").bind(codec::text(key)),
            };
            set.execute(&mut *db).await?;
            Ok(())
        })
    }
}

async fn index_head(db: &mut PgConnection, place: &Place, limit: usize) -> Result<IndexHead> {
    let ask = sqlx::query("SELECT id, cards FROM roots WHERE place = $1").bind(codec::text(&place.0));
    let Some(found) = ask.fetch_optional(&mut *db).await? else { return Ok(IndexHead::default()) };
    let (root, total) = (found.number(0)?, found.count(1)?);
    let lines = sqlx::query_scalar(
        "SELECT coalesce(string_agg(line || chr(10), '' ORDER BY path), '') FROM
           (SELECT line, path FROM documents WHERE root = $1 AND name IS NOT NULL ORDER BY path LIMIT $2) AS first",
    );
    let lines = lines.bind(root).bind(codec::limit(limit)).fetch_one(db).await?;
    Ok(IndexHead { lines, total: usize::try_from(total).unwrap_or(usize::MAX) })
}

async fn drop_root(db: &mut PgConnection, key: &RootKey) -> Result<()> {
    if let Some(root) = roots::find(db, &key.place).await? {
        for sql in [
            "DELETE FROM documents WHERE root = $1",
            "DELETE FROM changes WHERE root = $1",
            "DELETE FROM roots WHERE id = $1",
        ] {
            sqlx::query(sql).bind(root).execute(&mut *db).await?;
        }
    }
    life::forget_all(db, &key.identity).await?;
    evidence::forget_all(db, &key.identity).await?;
    images::sweep(db).await?;
    Ok(())
}
