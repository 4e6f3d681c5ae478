//! The database's own time: nobody has to agree with anybody else about the clock.

use super::Result;
use super::codec::now;
use sqlx::PgConnection;

/// In microseconds, as it is at this statement and not when the transaction began.
pub(super) async fn now(db: &mut PgConnection) -> Result<i64> {
    Ok(sqlx::query_scalar(concat!("SELECT ", now!())).fetch_one(db).await?)
}
