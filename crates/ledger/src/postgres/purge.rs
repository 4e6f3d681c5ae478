//! The purge topic on PostgreSQL.
//!
//! A row that is deleted stays in its page until the server vacuums it. A scrub has it done now; plainly, since rewriting
//! whole tables would lock out all other nodes. The server's own log of writes and its backups keep old bytes for as long
//! as who runs the server keeps them: no client can change that.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, images};
use crate::columns::Columns;
use crate::rows::purge::image;
use crate::{Purge, Scrubbed};
use async_trait::async_trait;
use loci_domain::change::{ChangeId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use sqlx::{AssertSqlSafe, PgConnection};
use std::collections::BTreeSet;

/// The tables that hold people's words.
const TEXTS: [&str; 13] = [
    "images",
    "changes",
    "documents",
    "words",
    "receipts",
    "segments",
    "shown",
    "tasks",
    "messages",
    "lines",
    "extractions",
    "proposals",
    "notes",
];

#[async_trait]
impl Purge for Postgres {
    async fn images_after(&self, after: Option<&Digest>, limit: usize) -> crate::Result<Vec<Image>> {
        let after = after.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default();
        asking!(self, |db| {
            let ask =
                sqlx::query("SELECT digest, codec, size, data FROM images WHERE digest > $1 ORDER BY digest LIMIT $2");
            let rows = ask.bind(&after).bind(codec::limit(limit)).fetch_all(&mut *db).await?;
            codec::all(&rows, image)
        })
    }

    async fn files_of(&self, images: &[Digest]) -> crate::Result<Vec<(Place, EntryPath)>> {
        asking!(self, |db| { files_of(db, images).await })
    }

    async fn drop_images(&self, digests: &[Digest]) -> crate::Result<u64> {
        writing!(self, Subject::images(), Durability::Full, |db| { images::remove(db, digests).await })
    }

    async fn pass_over(&self, changes: &[ChangeId]) -> crate::Result<()> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let ids: Vec<_> = changes.iter().map(|id| codec::text(&id.0)).collect();
            sqlx::query("UPDATE changes SET undone = TRUE WHERE id = ANY($1)").bind(ids).execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn rename_past(&self, place: &Place, from: &EntryPath, to: &EntryPath) -> crate::Result<u64> {
        writing!(self, Subject::root(place), Durability::Full, |db| {
            let mut named = 0;
            for sql in [
                "UPDATE changes SET path = $3 WHERE root = (SELECT id FROM roots WHERE place = $1) AND path = $2",
                "UPDATE changes SET new_path = $3 WHERE root = (SELECT id FROM roots WHERE place = $1) AND new_path = $2",
            ] {
                let rename = sqlx::query(sql).bind(codec::text(&place.0)).bind(from.as_str()).bind(to.as_str());
                named += rename.execute(&mut *db).await?.rows_affected();
            }
            // Which scope a place was shown as is not on record; a path that ends like it is near enough to be dropped.
            let shown = ["global", "project", "workspace"].map(|scope| format!("/memories/{scope}/{from}"));
            sqlx::query("DELETE FROM shown WHERE path = ANY($1)").bind(&shown[..]).execute(&mut *db).await?;
            Ok(named)
        })
    }

    async fn drop_receipts(&self) -> crate::Result<u64> {
        let subject = Subject::table("receipts").and(Subject::table("segments"));
        writing!(self, subject, Durability::Full, |db| {
            // What a task was asked and answered may tell what is purged.
            sqlx::query("DELETE FROM tasks WHERE run IS NULL AND status NOT IN ('queued', 'running')")
                .execute(&mut *db)
                .await?;
            let receipts = sqlx::query("DELETE FROM receipts").execute(&mut *db).await?.rows_affected();
            Ok(receipts + sqlx::query("DELETE FROM segments").execute(&mut *db).await?.rows_affected())
        })
    }

    async fn scrub(&self) -> crate::Result<Scrubbed> {
        self.vacuum(&TEXTS).await?;
        Ok(Scrubbed::Clean)
    }
}

impl Postgres {
    /// Has the server clear what was deleted from these tables; a transaction cannot do that.
    ///
    /// A row that a transaction still sees stays until the server vacuums by itself.
    pub(super) async fn vacuum(&self, tables: &[&str]) -> crate::Result<()> {
        asking!(self, |db| {
            for table in tables {
                // Large tables take longer than a statement may otherwise; the pool gets the connection as it was.
                sqlx::raw_sql("SET statement_timeout = 0").execute(&mut *db).await?;
                let done = sqlx::raw_sql(AssertSqlSafe(format!("VACUUM {table}"))).execute(&mut *db).await;
                sqlx::raw_sql("RESET statement_timeout").execute(&mut *db).await?;
                done?;
            }
            Ok(())
        })
    }
}

async fn files_of(db: &mut PgConnection, images: &[Digest]) -> Result<Vec<(Place, EntryPath)>> {
    let digests: Vec<&[u8]> = images.iter().map(|digest| digest.as_bytes()).collect();
    let rows = sqlx::query(
        "SELECT place, path, new_path FROM changes JOIN roots ON roots.id = changes.root
         WHERE before = ANY($1) OR after = ANY($1)",
    )
    .bind(digests)
    .fetch_all(db)
    .await?;
    let mut files = BTreeSet::new();
    for row in &rows {
        let place = Place(row.text(0)?);
        files.extend(row.maybe(2, Columns::path)?.map(|path| (place.clone(), path)));
        files.insert((place, row.path(1)?));
    }
    Ok(files.into_iter().collect())
}
