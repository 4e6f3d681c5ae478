//! The upkeep topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::rows::upkeep::{cursor, proposal, request, request_columns};
use crate::{Cursor, Proposal, Request, Upkeep};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use sqlx::{PgConnection, query, query_scalar};

#[async_trait]
impl Upkeep for Postgres {
    async fn cursor(&self, of: &Identity, session: &str) -> crate::Result<Option<Cursor>> {
        asking!(self, |db| {
            let asked = query("SELECT processed, at FROM cursors WHERE identity = $1 AND session = $2");
            let row = asked.bind(codec::text(&of.0)).bind(codec::text(session)).fetch_optional(&mut *db).await?;
            Ok(row.and_then(|row| cursor(&row, session)))
        })
    }

    async fn set_cursor(&self, of: &Identity, cursor: &Cursor) -> crate::Result<()> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let set = query(
                "INSERT INTO cursors (identity, session, processed, at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (identity, session) DO UPDATE SET processed = excluded.processed, at = excluded.at",
            );
            let set = set.bind(codec::text(&of.0)).bind(codec::text(&cursor.session));
            let set = set.bind(codec::number(cursor.processed)).bind(cursor.updated_at.as_microsecond());
            set.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn read_since(&self, of: &Identity, since: Option<Timestamp>) -> crate::Result<Vec<String>> {
        let since = since.map_or(i64::MIN, Timestamp::as_microsecond);
        asking!(self, |db| {
            let sql = "SELECT session FROM cursors WHERE identity = $1 AND at > $2 ORDER BY session";
            Ok(query_scalar(sql).bind(codec::text(&of.0)).bind(since).fetch_all(&mut *db).await?)
        })
    }

    async fn queue(&self, of: &Identity, request: &Request) -> crate::Result<Option<Request>> {
        writing!(self, subject(of), Durability::Full, |db| {
            let before = waiting(db, of).await?;
            let put = query(
                "INSERT INTO requests (identity, session, source, format, at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (identity) DO UPDATE SET session = excluded.session, source = excluded.source,
                   format = excluded.format, at = excluded.at",
            );
            put.bind(codec::text(&of.0))
                .bind(codec::text(&request.session))
                .bind(codec::text(&request.source))
                .bind(codec::text(&request.format))
                .bind(request.at.as_microsecond())
                .execute(&mut *db)
                .await?;
            Ok(before)
        })
    }

    async fn unqueue(&self, of: &Identity) -> crate::Result<Option<Request>> {
        writing!(self, subject(of), Durability::Full, |db| {
            let take = query(concat!("DELETE FROM requests WHERE identity = $1 RETURNING ", request_columns!()));
            let taken = take.bind(codec::text(&of.0)).fetch_optional(&mut *db).await?;
            codec::first(taken, request)
        })
    }

    async fn queued(&self, of: &Identity) -> crate::Result<Option<Request>> {
        asking!(self, |db| { waiting(db, of).await })
    }

    async fn propose(&self, of: &Identity, proposal: &Proposal) -> crate::Result<()> {
        writing!(self, subject(of), Durability::Full, |db| {
            // One that is made again stands last.
            let gone = query("DELETE FROM proposals WHERE identity = $1 AND id = $2");
            gone.bind(codec::text(&of.0)).bind(codec::text(&proposal.id)).execute(&mut *db).await?;
            let add = query("INSERT INTO proposals (identity, id, at, summary, body) VALUES ($1, $2, $3, $4, $5)");
            add.bind(codec::text(&of.0))
                .bind(codec::text(&proposal.id))
                .bind(proposal.at.as_microsecond())
                .bind(codec::text(&proposal.summary))
                .bind(codec::text(&proposal.body))
                .execute(&mut *db)
                .await?;
            Ok(())
        })
    }

    async fn proposals(&self, of: &Identity) -> crate::Result<Vec<Proposal>> {
        asking!(self, |db| {
            let asked = query("SELECT id, at, summary, body FROM proposals WHERE identity = $1 ORDER BY seq");
            codec::all(&asked.bind(codec::text(&of.0)).fetch_all(&mut *db).await?, proposal)
        })
    }

    async fn drop_proposal(&self, of: &Identity, id: &str) -> crate::Result<bool> {
        writing!(self, subject(of), Durability::Full, |db| {
            let drop = query("DELETE FROM proposals WHERE identity = $1 AND id = $2");
            let drop = drop.bind(codec::text(&of.0)).bind(codec::text(id));
            Ok(drop.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn drop_proposals(&self) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            Ok(query("DELETE FROM proposals").execute(&mut *db).await?.rows_affected())
        })
    }
}

fn subject(of: &Identity) -> Subject {
    Subject::of("upkeep", &[&of.0])
}

async fn waiting(db: &mut PgConnection, of: &Identity) -> Result<Option<Request>> {
    let asked = query(concat!("SELECT ", request_columns!(), " FROM requests WHERE identity = $1"));
    codec::first(asked.bind(codec::text(&of.0)).fetch_optional(db).await?, request)
}
