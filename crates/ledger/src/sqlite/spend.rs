//! The spend topic on SQLite: one row for each day and model.

use super::engine::Durability;
use super::fault::damaged;
use super::{Result, Sqlite, codec};
use crate::{Spend, Spending};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::{Row, params};

#[async_trait]
impl Spend for Sqlite {
    async fn spend(&self, at: Timestamp, model: &str, input: u64, output: u64) -> crate::Result<()> {
        let (day, model) = (TimeZone::UTC.to_datetime(at).date().to_string(), model.to_owned());
        self.write(Durability::Full, move |tx| {
            // A sum of integers that does not fit becomes a fraction here: both are bounded first.
            tx.prepare_cached(
                "INSERT INTO spend (day, model, calls, input, output) VALUES (?1, ?2, 1, ?3, ?4)
                 ON CONFLICT (day, model) DO UPDATE SET calls = calls + 1,
                   input = min(input, ?5 - excluded.input) + excluded.input,
                   output = min(output, ?5 - excluded.output) + excluded.output",
            )?
            .execute(params![day, model, codec::number(input), codec::number(output), i64::MAX])?;
            Ok(())
        })
        .await
    }

    async fn spent(&self, from: Date) -> crate::Result<Vec<Spending>> {
        self.read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT day, model, calls, input, output FROM spend WHERE day >= ?1 ORDER BY day, model",
            )?;
            codec::all(statement.query([from.to_string()])?, spending)
        })
        .await
    }
}

pub(super) fn spending(row: &Row<'_>) -> Result<Spending> {
    let day = row.get::<_, String>(0)?.parse().map_err(|_| damaged("a day of spending is no day"))?;
    Ok(Spending {
        day,
        model: row.get(1)?,
        calls: codec::count(row, 2)?,
        input: codec::count(row, 3)?,
        output: codec::count(row, 4)?,
    })
}
