//! The leases topic on PostgreSQL: a row for each name that is held, its number the fencing token.
//!
//! Invariant: lease_is_fenced. Whoever takes a name over gets a higher token, and the old one is good for nothing.
//! Everybody who changes a name's row holds the name, so nobody renews what is being taken over.

use super::codec::now;
use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, clock, codec};
use crate::rows::leases::{lease, lease_columns};
use crate::span::micros;
use crate::{Lease, Leases, Taken};
use async_trait::async_trait;
use sqlx::{PgConnection, query, query_scalar};
use std::time::Duration;

#[async_trait]
impl Leases for Postgres {
    async fn take_lease(&self, name: &str, owner: &str, lasts: Duration, dead: Option<u64>) -> crate::Result<Taken> {
        writing!(self, subject(name), Durability::Full, |db| {
            let held = find(db, name).await?;
            let now = clock::now(db).await?;
            if let Some(held) = held {
                if held.until.as_microsecond() > now && dead != Some(held.token) {
                    return Ok(Taken::Theirs(held));
                }
                let gone = query("DELETE FROM leases WHERE token = $1").bind(codec::number(held.token));
                gone.execute(&mut *db).await?;
            }
            let insert = query(concat!(
                "INSERT INTO leases (name, owner, until) VALUES ($1, $2, $3) RETURNING ",
                lease_columns!()
            ));
            let insert = insert.bind(codec::text(name)).bind(codec::text(owner));
            let row = insert.bind(now.saturating_add(micros(lasts))).fetch_one(&mut *db).await?;
            Ok(Taken::Mine(lease(&row)?))
        })
    }

    async fn renew_lease(&self, lease: &Lease, lasts: Duration) -> crate::Result<Option<Lease>> {
        writing!(self, subject(&lease.name), Durability::Full, |db| {
            let renew = query_scalar(concat!(
                "UPDATE leases SET until = ",
                now!(),
                " + $3 WHERE token = $1 AND name = $2 RETURNING until"
            ));
            let renew = renew.bind(codec::number(lease.token)).bind(codec::text(&lease.name)).bind(micros(lasts));
            let until: Option<i64> = renew.fetch_optional(&mut *db).await?;
            until.map(|until| Ok(Lease { until: codec::time(until)?, ..lease.clone() })).transpose()
        })
    }

    async fn release_lease(&self, lease: &Lease) -> crate::Result<bool> {
        writing!(self, subject(&lease.name), Durability::Full, |db| {
            let release = query("DELETE FROM leases WHERE token = $1 AND name = $2");
            let release = release.bind(codec::number(lease.token)).bind(codec::text(&lease.name));
            Ok(release.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn holds_lease(&self, lease: &Lease) -> crate::Result<bool> {
        asking!(self, |db| {
            let sql =
                concat!("SELECT EXISTS (SELECT FROM leases WHERE token = $1 AND name = $2 AND until > ", now!(), ")");
            let held = query_scalar(sql).bind(codec::number(lease.token)).bind(codec::text(&lease.name));
            Ok(held.fetch_one(&mut *db).await?)
        })
    }

    async fn lease(&self, name: &str) -> crate::Result<Option<Lease>> {
        asking!(self, |db| { find(db, name).await })
    }
}

fn subject(name: &str) -> Subject {
    Subject::of("lease", &[name])
}

async fn find(db: &mut PgConnection, name: &str) -> Result<Option<Lease>> {
    let asked = query(concat!("SELECT ", lease_columns!(), " FROM leases WHERE name = $1")).bind(codec::text(name));
    codec::first(asked.fetch_optional(db).await?, lease)
}
