//! The schema, as numbered steps that are only ever added.

use super::engine::asking;
use super::{Postgres, Result};
use crate::Error;
use sqlx::{Connection, PgConnection};

/// Each step brings the schema from its position to the next number.
const STEPS: &[&str] = &[include_str!("migrations/0001_ledger.sql"), include_str!("migrations/0002_titles.sql")];

/// The newest schema that this binary knows.
const KNOWN: u32 = STEPS.len() as u32;

/// Any number: all nodes take this lock before they look at the schema.
const BEGIN: &str = "BEGIN; SET LOCAL lock_timeout = '60s'; SET LOCAL statement_timeout = '120s';
    SELECT pg_advisory_xact_lock(7812230194561)";

/// Applies the steps that are missing, all or none, and closes the connection.
pub(super) async fn migrate(mut db: PgConnection) -> Result<()> {
    // Most of the time there is nothing to do, and nobody has to wait for that.
    if version(&mut db).await? < KNOWN {
        sqlx::raw_sql(BEGIN).execute(&mut db).await?;
        // Another node may have done it while this one waited for the lock.
        let found = version(&mut db).await?;
        for step in STEPS.iter().skip(found as usize) {
            sqlx::raw_sql(*step).execute(&mut db).await?;
        }
        sqlx::raw_sql(
            "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL); DELETE FROM schema_version",
        )
        .execute(&mut db)
        .await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(i32::try_from(KNOWN).unwrap_or(i32::MAX))
            .execute(&mut db)
            .await?;
        sqlx::raw_sql("COMMIT").execute(&mut db).await?;
    }
    db.close().await?;
    Ok(())
}

/// The schema of the database, which must be one that this binary knows; 0 = new.
async fn version(db: &mut PgConnection) -> Result<u32> {
    // By the rows of the catalogue: a name that was looked for before is answered from memory, also when the table has come.
    let there: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = 'schema_version' AND schemaname = current_schema())",
    )
    .fetch_one(&mut *db)
    .await?;
    if !there {
        return Ok(0);
    }
    let found: Option<i32> = sqlx::query_scalar("SELECT max(version) FROM schema_version").fetch_one(&mut *db).await?;
    let found = u32::try_from(found.unwrap_or(0)).unwrap_or(u32::MAX);
    if found > KNOWN { Err(Error::Newer { found, known: KNOWN }.into()) } else { Ok(found) }
}

/// See [`Postgres::check`].
pub(super) async fn check(ledger: &Postgres) -> crate::Result<Vec<String>> {
    let found: Option<i32> = asking!(ledger, |db| {
        Ok(sqlx::query_scalar("SELECT max(version) FROM schema_version").fetch_one(&mut *db).await?)
    })?;
    let known = i32::try_from(KNOWN).unwrap_or(i32::MAX);
    Ok(match found {
        Some(found) if found == known => Vec::new(),
        found => vec![format!("its schema is {}, and this version of loci knows {known}", found.unwrap_or(0))],
    })
}
