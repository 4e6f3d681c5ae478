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

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallCost {
    /// Sent.
    pub input: u64,
    /// Answered.
    pub output: u64,
}

/// Tokens by model and UTC day. Sums that grow too large for the engine stay at the largest it knows.
#[async_trait]
pub trait Spend {
    /// Counts a call that is about to be made, on the UTC day of its time, as what it will probably cost. False, and
    /// nothing is counted, when the day's sum has reached the limit. Calls at the same time see each other.
    async fn reserve(&self, at: Timestamp, model: &str, guess: CallCost, limit: u64) -> Result<bool>;

    /// Puts what a reserved call cost in the place of the guess; nothing takes the call out of the count. The time is
    /// that of the reservation. On disk when it returns.
    async fn charge(&self, at: Timestamp, model: &str, guess: CallCost, spent: Option<CallCost>) -> Result<()>;

    /// Everything from a day on: the oldest day first, then by model in byte order. Days without a call are left out.
    async fn spent(&self, from: Date) -> Result<Vec<Spending>>;
}
