//! How old a memory is, in words that an agent and a person read alike.
//!
//! Owns what a day is (24 hours that have passed, whatever the calendar and the time zone say) and from when on a
//! memory may be out of date. Never asks a clock: `now` comes in.
//! Start at [`words`].

use jiff::Timestamp;

/// From this many days on a memory is shown with a note that it may be out of date.
pub const STALE_DAYS: u64 = 2;

const DAY: i64 = 24 * 60 * 60;

/// Whole days between two moments; a clock that went back gives none.
pub fn days(then: Timestamp, now: Timestamp) -> u64 {
    let seconds = now.duration_since(then).as_secs();
    u64::try_from(seconds / DAY).unwrap_or(0)
}

/// `today`, `yesterday` or `N days ago`.
pub fn words(then: Timestamp, now: Timestamp) -> String {
    match days(then, now) {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(then: &str, now: &str, expected: &str) {
        let (then, now): (Timestamp, Timestamp) = (then.parse().unwrap(), now.parse().unwrap());
        assert_eq!(words(then, now), expected, "{then} to {now}");
    }

    #[test]
    fn a_day_is_24_hours_that_passed() {
        check("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "today");
        check("2026-03-01T23:59:00Z", "2026-03-02T00:01:00Z", "today");
        check("2026-03-01T10:00:00Z", "2026-03-02T09:59:59.999Z", "today");
        check("2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z", "yesterday");
        check("2026-03-01T10:00:00Z", "2026-03-03T09:59:59Z", "yesterday");
        check("2026-03-01T10:00:00Z", "2026-03-03T10:00:00Z", "2 days ago");
        check("2026-01-01T00:00:00Z", "2026-02-10T12:00:00Z", "40 days ago");
        check("2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "731 days ago");
    }

    #[test]
    fn a_clock_that_went_back_says_today() {
        check("2026-03-01T10:00:00Z", "2026-02-01T10:00:00Z", "today");
        let (first, last) = (Timestamp::MIN, Timestamp::MAX);
        assert_eq!(words(last, first), "today");
        assert!(words(first, last).ends_with(" days ago"));
    }
}
