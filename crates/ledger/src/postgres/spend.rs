//! The spend topic on PostgreSQL: one row for each day and model.

use super::engine::{Durability, asking, writing};
use super::fault::damaged;
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::{Spend, Spending};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sqlx::postgres::PgRow;
use sqlx::{Row, query};

#[async_trait]
impl Spend for Postgres {
    async fn spend(&self, at: Timestamp, model: &str, input: u64, output: u64) -> crate::Result<()> {
        let day = TimeZone::UTC.to_datetime(at).date().to_string();
        writing!(self, Subject::none(), Durability::Full, |db| {
            // A sum that does not fit would be an error: both are bounded first.
            let add = query(
                "INSERT INTO spend (day, model, calls, input, output) VALUES ($1, $2, 1, $3, $4)
                 ON CONFLICT (day, model) DO UPDATE SET calls = spend.calls + 1,
                   input = least(spend.input, $5 - excluded.input) + excluded.input,
                   output = least(spend.output, $5 - excluded.output) + excluded.output",
            );
            let add = add.bind(&day).bind(codec::text(model)).bind(codec::number(input)).bind(codec::number(output));
            add.bind(i64::MAX).execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn spent(&self, from: Date) -> crate::Result<Vec<Spending>> {
        asking!(self, |db| {
            let asked = query("SELECT day, model, calls, input, output FROM spend WHERE day >= $1 ORDER BY day, model");
            codec::all(&asked.bind(from.to_string()).fetch_all(&mut *db).await?, spending)
        })
    }
}

fn spending(row: &PgRow) -> Result<Spending> {
    let day: &str = row.try_get(0)?;
    Ok(Spending {
        day: day.parse().map_err(|_| damaged("a day of spending is no day"))?,
        model: row.try_get(1)?,
        calls: codec::count(row, 2)?,
        input: codec::count(row, 3)?,
        output: codec::count(row, 4)?,
    })
}
