//! The spend topic on SQLite: one row for each day and model.

use super::engine::Durability;
use super::{Sqlite, codec};
use crate::columns::Columns;
use crate::rows::spend::{select_spending, spending};
use crate::spend::{reached, utc_day};
use crate::{CallCost, Spend, Spending};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::params;

#[async_trait]
impl Spend for Sqlite {
    async fn reserve(&self, at: Timestamp, model: &str, guess: CallCost, limit: u64) -> crate::Result<bool> {
        let (day, model) = (utc_day(at), model.to_owned());
        // Others see it at once; what a power cut takes is only a guess.
        self.write(Durability::Normal, move |tx| {
            let mut rows = tx.prepare_cached("SELECT input, output FROM spend WHERE day = ?1")?;
            let rows = codec::all(rows.query([&day])?, |row| Ok((row.count(0)?, row.count(1)?)))?;
            if reached(rows, limit) {
                return Ok(false);
            }
            // A sum of integers that does not fit becomes a fraction here: both are bounded first.
            tx.prepare_cached(
                "INSERT INTO spend (day, model, calls, input, output) VALUES (?1, ?2, 1, ?3, ?4)
                 ON CONFLICT (day, model) DO UPDATE SET calls = calls + 1,
                   input = min(input, ?5 - excluded.input) + excluded.input,
                   output = min(output, ?5 - excluded.output) + excluded.output",
            )?
            .execute(params![
                day,
                model,
                codec::number(guess.input),
                codec::number(guess.output),
                i64::MAX
            ])?;
            Ok(true)
        })
        .await
    }

    async fn charge(&self, at: Timestamp, model: &str, guess: CallCost, spent: Option<CallCost>) -> crate::Result<()> {
        let (day, model) = (utc_day(at), model.to_owned());
        let (made, spent) = (i64::from(spent.is_some()), spent.unwrap_or(CallCost { input: 0, output: 0 }));
        self.write(Durability::Full, move |tx| {
            tx.prepare_cached(
                "UPDATE spend SET calls = max(calls - 1, 0) + ?3,
                   input = min(max(input - ?4, 0), ?8 - ?6) + ?6,
                   output = min(max(output - ?5, 0), ?8 - ?7) + ?7
                 WHERE day = ?1 AND model = ?2",
            )?
            .execute(params![
                day,
                model,
                made,
                codec::number(guess.input),
                codec::number(guess.output),
                codec::number(spent.input),
                codec::number(spent.output),
                i64::MAX
            ])?;
            tx.prepare_cached("DELETE FROM spend WHERE day = ?1 AND model = ?2 AND calls = 0")?
                .execute(params![day, model])?;
            Ok(())
        })
        .await
    }

    async fn spent(&self, from: Date) -> crate::Result<Vec<Spending>> {
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_spending!("WHERE day >= ?1 ORDER BY day, model"))?;
            codec::all(statement.query([from.to_string()])?, spending)
        })
        .await
    }
}
