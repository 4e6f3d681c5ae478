//! How long the journal is kept.
//!
//! Owns the day on which it was last cut, and how far a clock is believed: one command under a clock of 2038 must not cost
//! anybody's history.

use crate::config::Config;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use loci_ledger::Ledger;
use loci_store::record::Retention;

/// The day of the last cut.
const NOTE: &str = "journal.pruned";

/// A clock that is so many days ahead of the last cut is believed on the next day only, if it is still there then.
const LEAP: i32 = 31;

/// Cuts the journal as the settings say, once a day.
pub(super) async fn keep(config: &Config, ledger: &dyn Ledger) {
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let Ok(last) = ledger.note(NOTE).await else { return };
    let last = last.and_then(|last| last.parse::<Date>().ok());
    if last == Some(today) {
        return;
    }
    let days = i64::try_from(config.number("journal.keep_days")).unwrap_or(i64::MAX).min(100_000);
    let oldest = match last {
        Some(last) if is_a_leap(last, today) => Timestamp::MIN,
        _ => now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MIN),
    };
    let keep = Retention { oldest, bytes: config.number("journal.keep_bytes") };
    if ledger.set_note(NOTE, Some(&today.to_string())).await.is_ok()
        && let Err(error) = ledger.prune(keep).await
    {
        tracing::warn!(%error, "the journal could not be pruned");
    }
}

fn is_a_leap(last: Date, today: Date) -> bool {
    (today - last).get_days() > LEAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn months_and_years_are_leaps_and_weeks_are_not() {
        let last = date(2026, 11, 18);
        assert!(!is_a_leap(last, date(2026, 11, 19)) && !is_a_leap(last, date(2026, 12, 19)));
        assert!(is_a_leap(last, date(2026, 12, 20)) && is_a_leap(last, date(2038, 1, 19)));
        assert!(!is_a_leap(date(2038, 1, 19), last), "a clock that was put right is believed");
    }
}
