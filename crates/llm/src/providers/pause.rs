//! How long to wait before the next try.

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::HeaderMap;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// No pause of our own is longer.
const LONGEST: Duration = Duration::from_secs(30);

/// The pause after so many tries: twice as long each time, and never the same for two who were refused together.
/// What the service asks for wins.
pub(super) fn after(tries: u32, first: Duration, asked: Option<Duration>) -> Duration {
    if let Some(asked) = asked {
        return asked;
    }
    let full = first.saturating_mul(2u32.saturating_pow(tries)).min(LONGEST);
    // Between a half and the whole.
    let dice = RandomState::new().hash_one(tries) % 1024;
    full / 2 + full.mul_f64(dice as f64 / 2048.0)
}

/// How long a service asks to be left alone: seconds or a date, or milliseconds in the way of OpenAI.
pub(super) fn asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(millis) = header("retry-after-ms").and_then(|text| text.parse::<u64>().ok()) {
        return Some(Duration::from_millis(millis));
    }
    let text = header("retry-after")?;
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = rfc2822::parse(text).ok()?.timestamp();
    Some(Duration::try_from(until.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &'static str, value: &str) -> Option<Duration> {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        asked(&headers, "1994-11-06T08:49:30Z".parse().unwrap())
    }

    #[test]
    fn seconds_dates_and_milliseconds_are_read() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(told("retry-after", "7"), seconds(7));
        assert_eq!(told("retry-after", " 0.5 "), Some(Duration::from_millis(500)));
        assert_eq!(told("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), seconds(7));
        assert_eq!(told("retry-after", "Sun, 06 Nov 1994 08:49:00 GMT"), seconds(0));
        assert_eq!(told("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        // Longer than any clock goes, and yet a duration.
        assert_eq!(told("retry-after", "1e19"), seconds(10_000_000_000_000_000_000));
        for nonsense in ["soon", "-1", "", "NaN", "1e300"] {
            assert_eq!(told("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_double_and_differ_and_end() {
        let first = Duration::from_millis(100);
        for (tries, full) in [(0, 100), (1, 200), (4, 1600), (40, 30_000)] {
            let full = Duration::from_millis(full);
            let seen: Vec<Duration> = (0..50).map(|_| after(tries, first, None)).collect();
            assert!(seen.iter().all(|pause| (full / 2..=full).contains(pause)), "{seen:?}");
            assert!(seen.iter().any(|pause| *pause != seen[0]));
        }
        assert_eq!(after(3, first, Some(Duration::ZERO)), Duration::ZERO);
    }
}
