//! Spend: what memory has cost.
//!
//! Owns the sums that people see, and the [`Meter`] that keeps the models' count in the ledger, where all processes of a
//! home share it. Never limits anything itself: `llm::Models` does, by this count.

use crate::{Memory, Result};
use async_trait::async_trait;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use loci_llm::provider::{Error as LlmError, Spent};
use loci_llm::{Meter, Reserved};
use loci_store::Store;
use loci_store::record::{CallCost, Spending};
use serde::Serialize;
use std::fmt;

/// What a day, or a model on a day, cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// How often models were asked.
    pub calls: u64,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens answered.
    pub output_tokens: u64,
    /// Both together.
    pub tokens: u64,
}

/// One UTC day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Day {
    /// Which one.
    pub day: String,
    /// All models together.
    #[serde(flatten)]
    pub cost: Cost,
    /// Each model, by name.
    pub models: Vec<ModelCost>,
}

/// One model on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelCost {
    /// `provider/model`.
    pub model: String,
    /// What it cost.
    #[serde(flatten)]
    pub cost: Cost,
}

/// The last days on which something was spent, today among them in any case, newest first.
pub(crate) async fn spend(cx: &Memory, days: u32) -> Result<Vec<Day>> {
    let today = utc_day(cx.store.now());
    let from = today.checked_sub(i64::from(days.saturating_sub(1)).days()).unwrap_or(Date::MIN);
    let mut list: Vec<Day> = Vec::new();
    for row in cx.record()?.spent(from).await? {
        let day = row.day.to_string();
        if list.last().is_none_or(|last| last.day != day) {
            list.push(Day { day: day.clone(), cost: Cost::default(), models: Vec::new() });
        }
        if let Some(last) = list.last_mut() {
            last.cost.add(&row);
            let mut cost = Cost::default();
            cost.add(&row);
            last.models.push(ModelCost { model: row.model, cost });
        }
    }
    // A clock that went back leaves days that have not come yet.
    let today = today.to_string();
    list.retain(|day| day.day <= today);
    if list.last().is_none_or(|last| last.day != today) {
        list.push(Day { day: today, cost: Cost::default(), models: Vec::new() });
    }
    list.reverse();
    Ok(list)
}

impl Cost {
    fn add(&mut self, row: &Spending) {
        self.calls = self.calls.saturating_add(row.calls);
        self.input_tokens = self.input_tokens.saturating_add(row.input);
        self.output_tokens = self.output_tokens.saturating_add(row.output);
        self.tokens = self.input_tokens.saturating_add(self.output_tokens);
    }
}

/// The models' count in the ledger of a store.
pub struct LedgerMeter(Store);

impl LedgerMeter {
    /// Counts in this store's ledger, by its clock.
    pub fn new(store: Store) -> LedgerMeter {
        LedgerMeter(store)
    }
}

#[async_trait]
impl Meter for LedgerMeter {
    async fn reserve(&self, model: &str, guess: Spent, limit: u64) -> std::result::Result<Option<Reserved>, LlmError> {
        let (at, record) = (self.0.now(), self.0.record().ok_or_else(no_ledger)?);
        let taken = record.reserve(at, model, cost(guess), limit).await.map_err(uncounted)?;
        Ok(taken.then_some(Reserved { at, guess }))
    }

    async fn charge(&self, model: &str, reserved: Reserved, spent: Option<Spent>) -> std::result::Result<(), LlmError> {
        let record = self.0.record().ok_or_else(no_ledger)?;
        record.charge(reserved.at, model, cost(reserved.guess), spent.map(cost)).await.map_err(uncounted)
    }
}

fn cost(spent: Spent) -> CallCost {
    CallCost { input: spent.input, output: spent.output }
}

impl fmt::Debug for LedgerMeter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LedgerMeter")
    }
}

fn utc_day(at: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(at).date()
}

fn uncounted(error: loci_store::record::Error) -> LlmError {
    LlmError::Uncounted(error.to_string())
}

fn no_ledger() -> LlmError {
    LlmError::Uncounted("there is no ledger".to_owned())
}
