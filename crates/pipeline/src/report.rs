//! What a run did: what ran, what was skipped and why, what it cost, what failed.

use jiff::Timestamp;
use loci_ledger::{Ledger, Result};
use loci_memory::asked::Spent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the last run is noted.
const NOTE: &str = "pipeline.last";

/// A run of both phases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Report {
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The only project that it was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Why the phases did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
    /// Sessions that were looked at.
    pub sessions: usize,
    /// How many were not read, by the reason.
    pub skipped: BTreeMap<String, usize>,
    /// Sessions that came to something.
    pub distilled: usize,
    /// Sessions that were read and held nothing durable.
    pub nothing: usize,
    /// Handbooks that were made.
    pub consolidated: usize,
    /// Jobs that wait for the next day, because the day's tokens are used up.
    pub put_off: usize,
    /// Handbooks that failed as often as they may, or were cancelled: a person can have them tried again.
    pub given_up: usize,
    /// Jobs that another process took over, or is at.
    pub left_to_others: usize,
    /// Jobs that failed.
    pub failed: Vec<Failed>,
    /// What it cost.
    pub cost: Cost,
}

/// A job that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// Its kind.
    pub kind: String,
    /// Whose it is.
    pub project: String,
    /// With what.
    pub key: String,
    /// Why.
    pub error: String,
}

/// Tokens of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Sent.
    pub input_tokens: u64,
    /// Answered.
    pub output_tokens: u64,
}

impl Cost {
    pub(crate) fn add(&mut self, spent: Spent) {
        self.input_tokens = self.input_tokens.saturating_add(spent.input);
        self.output_tokens = self.output_tokens.saturating_add(spent.output);
    }
}

impl Report {
    /// True when no job was done and none failed.
    pub(crate) fn is_idle(&self) -> bool {
        self.distilled + self.nothing + self.consolidated + self.put_off + self.failed.len() == 0
    }

    /// Keeps it as the last run.
    pub(crate) async fn note(&self, ledger: &dyn Ledger) -> Result<()> {
        match serde_json::to_string(self) {
            Ok(text) => ledger.set_note(NOTE, Some(&text)).await,
            Err(_) => Ok(()),
        }
    }
}

/// How the last run went; one that cannot be read is as good as none.
pub async fn last_report(ledger: &dyn Ledger) -> Result<Option<Report>> {
    Ok(ledger.note(NOTE).await?.and_then(|text| serde_json::from_str(&text).ok()))
}
