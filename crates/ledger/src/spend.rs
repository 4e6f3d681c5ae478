//! Spend: what both engines decide alike.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The day of a time, as rows have it.
pub(crate) fn utc_day(at: Timestamp) -> String {
    TimeZone::UTC.to_datetime(at).date().to_string()
}

/// Whether a day's rows, of input and output, come to the limit.
pub(crate) fn reached(rows: Vec<(u64, u64)>, limit: u64) -> bool {
    let sum = rows.iter().fold(0, |sum: u64, (input, output)| sum.saturating_add(*input).saturating_add(*output));
    sum >= limit
}
