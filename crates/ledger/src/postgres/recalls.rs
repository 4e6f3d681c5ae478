//! The recalls topic on PostgreSQL: receipts by the order of keeping, sessions by when they last were of use.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::{Recalls, SESSIONS_REMEMBERED};
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::PgConnection;

#[async_trait]
impl Recalls for Postgres {
    async fn keep_receipt(&self, id: &str, at: Timestamp, body: &str, most: u64) -> crate::Result<()> {
        writing!(self, Subject::table("receipts"), Durability::Normal, |db| {
            keep_receipt(db, id, at, body, most).await
        })
    }

    async fn receipt(&self, id: &str) -> crate::Result<Option<String>> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT body FROM receipts WHERE id = $1").bind(codec::text(id));
            Ok(ask.fetch_optional(&mut *db).await?)
        })
    }

    async fn receipts_of(&self, text: &str, most: u64) -> crate::Result<Vec<String>> {
        asking!(self, |db| {
            let sql = "SELECT body FROM receipts WHERE position($1 IN body) > 0 ORDER BY seq DESC LIMIT $2";
            let ask = sqlx::query_scalar(sql).bind(codec::text(text)).bind(codec::number(most));
            Ok(ask.fetch_all(&mut *db).await?)
        })
    }

    async fn drop_receipts_of(&self, text: &str) -> crate::Result<u64> {
        let dropped = writing!(self, Subject::table("receipts"), Durability::Full, |db| {
            let gone = sqlx::query("DELETE FROM receipts WHERE position($1 IN body) > 0").bind(codec::text(text));
            Ok(gone.execute(&mut *db).await?.rows_affected())
        })?;
        if dropped > 0 {
            self.vacuum(&["receipts"]).await?;
        }
        Ok(dropped)
    }

    async fn show(&self, session: &str, paths: &[String], at: Timestamp) -> crate::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        writing!(self, Subject::table("showings"), Durability::Normal, |db| { show(db, session, paths, at).await })
    }

    async fn shown(&self, session: &str) -> crate::Result<Vec<String>> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar(
                "SELECT path FROM shown WHERE showing = (SELECT id FROM showings WHERE session = $1) ORDER BY path",
            );
            Ok(ask.bind(codec::text(session)).fetch_all(&mut *db).await?)
        })
    }

    async fn forget_shown(&self, session: &str) -> crate::Result<()> {
        writing!(self, Subject::table("showings"), Durability::Normal, |db| {
            let gone = sqlx::query("DELETE FROM showings WHERE session = $1").bind(codec::text(session));
            gone.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn keep_segment(&self, session: &str, block: &str, at: Timestamp) -> crate::Result<()> {
        writing!(self, Subject::table("segments"), Durability::Normal, |db| {
            keep_segment(db, session, block, at).await
        })
    }

    async fn segment(&self, session: &str) -> crate::Result<Option<String>> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT block FROM segments WHERE session = $1").bind(codec::text(session));
            Ok(ask.fetch_optional(&mut *db).await?)
        })
    }
}

/// The range of the numbers says how many receipts there are at most; only dropping some leaves gaps.
async fn keep_receipt(db: &mut PgConnection, id: &str, at: Timestamp, body: &str, most: u64) -> Result<()> {
    sqlx::query(
        "INSERT INTO receipts (seq, id, at, body)
         SELECT coalesce(max(seq), 0) + 1, $1, $2, $3 FROM receipts
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body",
    )
    .bind(codec::text(id))
    .bind(at.as_microsecond())
    .bind(codec::text(body))
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM receipts WHERE seq <= (SELECT max(seq) FROM receipts) - $1")
        .bind(codec::number(most))
        .execute(db)
        .await?;
    Ok(())
}

async fn show(db: &mut PgConnection, session: &str, paths: &[String], at: Timestamp) -> Result<()> {
    let showing: i64 = sqlx::query_scalar(
        "INSERT INTO showings (session, at) VALUES ($1, $2)
         ON CONFLICT (session) DO UPDATE SET at = greatest(showings.at, excluded.at) RETURNING id",
    )
    .bind(codec::text(session))
    .bind(at.as_microsecond())
    .fetch_one(&mut *db)
    .await?;
    sqlx::query("INSERT INTO shown (showing, path) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING")
        .bind(showing)
        .bind(codec::texts(paths))
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "DELETE FROM showings WHERE id IN (
           SELECT id FROM showings ORDER BY at, id LIMIT greatest(0, (SELECT count(*) FROM showings) - $1))",
    )
    .bind(i64::from(SESSIONS_REMEMBERED))
    .execute(db)
    .await?;
    Ok(())
}

async fn keep_segment(db: &mut PgConnection, session: &str, block: &str, at: Timestamp) -> Result<()> {
    sqlx::query(
        "INSERT INTO segments (session, at, block) VALUES ($1, $2, $3)
         ON CONFLICT (session) DO UPDATE SET at = greatest(segments.at, excluded.at), block = excluded.block",
    )
    .bind(codec::text(session))
    .bind(at.as_microsecond())
    .bind(codec::text(block))
    .execute(&mut *db)
    .await?;
    sqlx::query(
        "DELETE FROM segments WHERE id IN (
           SELECT id FROM segments ORDER BY at, id LIMIT greatest(0, (SELECT count(*) FROM segments) - $1))",
    )
    .bind(i64::from(SESSIONS_REMEMBERED))
    .execute(db)
    .await?;
    Ok(())
}
