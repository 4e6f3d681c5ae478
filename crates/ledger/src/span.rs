//! How long a lease, a claim or a turn lasts, for its column.

use std::time::Duration;

/// In microseconds. A thousand years are for ever, and their end is still a time.
pub(crate) fn micros(lasts: Duration) -> i64 {
    i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX).min(31_556_952_000_000_000)
}
