//! The leases topic on SQLite: a row for each name that is held, its number the fencing token.
//!
//! Invariant: lease_is_fenced. Whoever takes a name over gets a higher token, and the old one is good for nothing.

use super::clock::{NOW, now};
use super::engine::Durability;
use super::{Result, Sqlite, codec};
use crate::rows::leases::{lease, lease_columns};
use crate::span::micros;
use crate::{Lease, Leases, Taken};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use std::time::Duration;

#[async_trait]
impl Leases for Sqlite {
    async fn take_lease(&self, name: &str, owner: &str, lasts: Duration, dead: Option<u64>) -> crate::Result<Taken> {
        let (name, owner) = (name.to_owned(), owner.to_owned());
        self.write(Durability::Full, move |tx| {
            let held = find(tx, &name)?;
            let now = now(tx)?;
            if let Some(held) = held {
                if held.until.as_microsecond() > now && dead != Some(held.token) {
                    return Ok(Taken::Theirs(held));
                }
                tx.prepare_cached("DELETE FROM leases WHERE token = ?1")?.execute([codec::number(held.token)])?;
            }
            let until = now.saturating_add(micros(lasts));
            tx.prepare_cached("INSERT INTO leases (name, owner, until) VALUES (?1, ?2, ?3)")?
                .execute(params![name, owner, until])?;
            let token = tx.last_insert_rowid().unsigned_abs();
            Ok(Taken::Mine(Lease { name, owner, token, until: codec::time(until)? }))
        })
        .await
    }

    async fn renew_lease(&self, lease: &Lease, lasts: Duration) -> crate::Result<Option<Lease>> {
        let lease = lease.clone();
        self.write(Durability::Full, move |tx| {
            let sql = format!("UPDATE leases SET until = {NOW} + ?2 WHERE token = ?1 AND name = ?3 RETURNING until");
            let until: Option<i64> = tx
                .prepare_cached(&sql)?
                .query_row(params![codec::number(lease.token), micros(lasts), lease.name], |row| row.get(0))
                .optional()?;
            until.map(|until| Ok(Lease { until: codec::time(until)?, ..lease })).transpose()
        })
        .await
    }

    async fn release_lease(&self, lease: &Lease) -> crate::Result<bool> {
        let lease = lease.clone();
        self.write(Durability::Full, move |tx| {
            let mut release = tx.prepare_cached("DELETE FROM leases WHERE token = ?1 AND name = ?2")?;
            Ok(release.execute(params![codec::number(lease.token), lease.name])? > 0)
        })
        .await
    }

    async fn holds_lease(&self, lease: &Lease) -> crate::Result<bool> {
        let lease = lease.clone();
        self.read(move |db| {
            let sql = format!("SELECT count(*) FROM leases WHERE token = ?1 AND name = ?2 AND until > {NOW}");
            let held: i64 = db
                .prepare_cached(&sql)?
                .query_row(params![codec::number(lease.token), lease.name], |row| row.get(0))?;
            Ok(held > 0)
        })
        .await
    }

    async fn lease(&self, name: &str) -> crate::Result<Option<Lease>> {
        let name = name.to_owned();
        self.read(move |db| find(db, &name)).await
    }
}

fn find(db: &Connection, name: &str) -> Result<Option<Lease>> {
    let sql = concat!("SELECT ", lease_columns!(), " FROM leases WHERE name = ?1");
    codec::first(db.prepare_cached(sql)?.query([name])?, lease)
}
