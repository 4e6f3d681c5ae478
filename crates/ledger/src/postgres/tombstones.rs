//! The tombstones topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, codec, fault};
use crate::Tombstones;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_domain::fact::Key;
use sqlx::{query, query_scalar};
use std::borrow::Cow;

#[async_trait]
impl Tombstones for Postgres {
    async fn fact_key(&self) -> crate::Result<Key> {
        asking!(self, |db| {
            let key: Vec<u8> = query_scalar("SELECT key FROM fact_key").fetch_one(&mut *db).await?;
            Key::from_bytes(&key).ok_or_else(|| fault::damaged("the key of facts"))
        })
    }

    async fn bury(&self, identity: &Identity, marks: &[Digest], at: Timestamp) -> crate::Result<()> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let bury = query(
                "INSERT INTO tombstones (identity, mark, at) SELECT $1, mark, $3 FROM unnest($2::bytea[]) mark
                 ON CONFLICT DO NOTHING",
            );
            let bury = bury.bind(codec::text(&identity.0)).bind(bytes(marks)).bind(at.as_microsecond());
            bury.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn is_buried(&self, identities: &[Identity], marks: &[Digest]) -> crate::Result<bool> {
        asking!(self, |db| {
            let sql = "SELECT EXISTS (SELECT FROM tombstones WHERE identity = ANY($1) AND mark = ANY($2))";
            Ok(query_scalar(sql).bind(names(identities)).bind(bytes(marks)).fetch_one(&mut *db).await?)
        })
    }

    async fn exhume(&self, identities: &[Identity], marks: &[Digest]) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let exhume = query("DELETE FROM tombstones WHERE identity = ANY($1) AND mark = ANY($2)");
            let exhume = exhume.bind(names(identities)).bind(bytes(marks));
            Ok(exhume.execute(&mut *db).await?.rows_affected() > 0)
        })
    }
}

fn names(identities: &[Identity]) -> Vec<Cow<'_, str>> {
    identities.iter().map(|identity| codec::text(&identity.0)).collect()
}

/// In their order, so that two who bury the same take its rows in one order.
fn bytes(marks: &[Digest]) -> Vec<&[u8]> {
    let mut bytes: Vec<&[u8]> = marks.iter().map(|mark| mark.as_bytes()).collect();
    bytes.sort_unstable();
    bytes
}
