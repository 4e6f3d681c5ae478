//! The tellings topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, bells, codec};
use crate::columns::Columns;
use crate::rows::tellings::{select_telling, telling};
use crate::{Listener, Telling, Tellings};
use async_trait::async_trait;
use sqlx::{Row, query, query_scalar};

#[async_trait]
impl Tellings for Postgres {
    async fn tell(&self, telling: &Telling, keep: usize) -> crate::Result<u64> {
        // One after the other, so that a number that is seen is never followed by a smaller one.
        writing!(self, Subject::table("tellings"), Durability::Normal, |db| {
            let told =
                query_scalar("INSERT INTO tellings (room, kind, data, client) VALUES ($1, $2, $3, $4) RETURNING seq");
            let told = told.bind(codec::text(&telling.room)).bind(codec::text(&telling.kind));
            let told = told.bind(codec::text(&telling.data)).bind(codec::maybe_text(telling.client.as_deref()));
            let number: i64 = told.fetch_one(&mut *db).await?;
            let first = number.saturating_sub(codec::limit(keep));
            query("DELETE FROM tellings WHERE seq <= $1").bind(first).execute(&mut *db).await?;
            bells::ring(db, "told").await?;
            Ok(number.unsigned_abs())
        })
    }

    async fn told(&self, after: u64, limit: usize) -> crate::Result<Vec<(u64, Telling)>> {
        asking!(self, |db| {
            let sql = select_telling!("WHERE seq > $1 ORDER BY seq LIMIT $2");
            let rows = query(sql).bind(codec::number(after)).bind(codec::limit(limit)).fetch_all(&mut *db).await?;
            codec::all(&rows, telling)
        })
    }

    async fn last_told(&self) -> crate::Result<u64> {
        asking!(self, |db| {
            let row = query("SELECT coalesce(max(seq), 0) FROM tellings").fetch_one(&mut *db).await?;
            Ok(row.count(0)?)
        })
    }

    async fn admit(&self, listener: &Listener, keep: usize) -> crate::Result<()> {
        writing!(self, Subject::table("listeners"), Durability::Normal, |db| {
            query("DELETE FROM listeners WHERE id = $1").bind(codec::text(&listener.id)).execute(&mut *db).await?;
            let admit = query_scalar("INSERT INTO listeners (id, account, rooms) VALUES ($1, $2, $3) RETURNING seq");
            let admit = admit
                .bind(codec::text(&listener.id))
                .bind(codec::text(&listener.account))
                .bind(codec::texts(&listener.rooms));
            let number: i64 = admit.fetch_one(&mut *db).await?;
            let first = number.saturating_sub(codec::limit(keep));
            query("DELETE FROM listeners WHERE seq <= $1").bind(first).execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn admitted(&self, id: &str) -> crate::Result<Option<Listener>> {
        asking!(self, |db| {
            let asked = query("SELECT id, account, rooms FROM listeners WHERE id = $1").bind(codec::text(id));
            let row = asked.fetch_optional(&mut *db).await?;
            row.map(|row| Ok(Listener { id: row.try_get(0)?, account: row.try_get(1)?, rooms: row.try_get(2)? }))
                .transpose()
        })
    }
}
