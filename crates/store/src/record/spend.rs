//! Spend: what was asked of language models, and what it cost.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;

/// What one model cost on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spending {
    /// The day, in UTC.
    pub day: Date,
    /// The model, as whoever asked it calls it.
    pub model: String,
    /// How often it was asked.
    pub calls: u64,
    /// Tokens sent.
    pub input: u64,
    /// Tokens answered.
    pub output: u64,
}

/// Tokens by model and UTC day.
#[async_trait]
pub trait Spend {
    /// Adds one call to the UTC day of its time, also while others add theirs; on disk when it returns. Sums that grow
    /// too large for the engine stay at the largest it knows.
    async fn spend(&self, at: Timestamp, model: &str, input: u64, output: u64) -> Result<()>;

    /// Everything from a day on: the oldest day first, then by model in byte order. Days without a call are left out.
    async fn spent(&self, from: Date) -> Result<Vec<Spending>>;
}
