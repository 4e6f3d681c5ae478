//! The spend topic on PostgreSQL: one row for each day and model.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, codec};
use crate::columns::Columns;
use crate::rows::spend::{select_spending, spending};
use crate::spend::{reached, utc_day};
use crate::{CallCost, Spend, Spending};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use sqlx::query;

#[async_trait]
impl Spend for Postgres {
    async fn reserve(&self, at: Timestamp, model: &str, guess: CallCost, limit: u64) -> crate::Result<bool> {
        let day = utc_day(at);
        // Others see it at once; what a power cut takes is only a guess.
        writing!(self, Subject::table("spend"), Durability::Normal, |db| {
            let rows = query("SELECT input, output FROM spend WHERE day = $1").bind(&day).fetch_all(&mut *db).await?;
            let rows = codec::all(&rows, |row| Ok((row.count(0)?, row.count(1)?)))?;
            if reached(rows, limit) {
                return Ok(false);
            }
            // A sum that does not fit would be an error: both are bounded first.
            let add = query(
                "INSERT INTO spend (day, model, calls, input, output) VALUES ($1, $2, 1, $3, $4)
                 ON CONFLICT (day, model) DO UPDATE SET calls = spend.calls + 1,
                   input = least(spend.input, $5 - excluded.input) + excluded.input,
                   output = least(spend.output, $5 - excluded.output) + excluded.output",
            );
            let add = add.bind(&day).bind(codec::text(model));
            let add = add.bind(codec::number(guess.input)).bind(codec::number(guess.output));
            add.bind(i64::MAX).execute(&mut *db).await?;
            Ok(true)
        })
    }

    async fn charge(&self, at: Timestamp, model: &str, guess: CallCost, spent: Option<CallCost>) -> crate::Result<()> {
        let day = utc_day(at);
        let (made, spent) = (i64::from(spent.is_some()), spent.unwrap_or(CallCost { input: 0, output: 0 }));
        writing!(self, Subject::table("spend"), Durability::Full, |db| {
            let put = query(
                "UPDATE spend SET calls = greatest(calls - 1, 0) + $3,
                   input = least(greatest(input - $4, 0), $8 - $6) + $6,
                   output = least(greatest(output - $5, 0), $8 - $7) + $7
                 WHERE day = $1 AND model = $2",
            );
            let put = put.bind(&day).bind(codec::text(model)).bind(made);
            let put = put.bind(codec::number(guess.input)).bind(codec::number(guess.output));
            let put = put.bind(codec::number(spent.input)).bind(codec::number(spent.output));
            put.bind(i64::MAX).execute(&mut *db).await?;
            let empty = query("DELETE FROM spend WHERE day = $1 AND model = $2 AND calls = 0");
            empty.bind(&day).bind(codec::text(model)).execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn spent(&self, from: Date) -> crate::Result<Vec<Spending>> {
        asking!(self, |db| {
            let asked = query(select_spending!("WHERE day >= $1 ORDER BY day, model"));
            codec::all(&asked.bind(from.to_string()).fetch_all(&mut *db).await?, spending)
        })
    }
}
