//! Spend: what models cost, by day and model.

use super::sample::*;
use jiff::Timestamp;
use jiff::civil::date;
use loci_ledger::{CallCost, Ledger};

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A call that was made: reserved as more than it cost.
async fn spend(ledger: &dyn Ledger, at: Timestamp, model: &str, input: u64, output: u64) {
    let guess = CallCost { input: 50, output: 1_000 };
    assert!(ledger.reserve(at, model, guess, u64::MAX).await.unwrap());
    ledger.charge(at, model, guess, Some(CallCost { input, output })).await.unwrap();
}

/// Day, model, calls, input, output.
async fn spent(ledger: &dyn Ledger, year: i16, month: i8, day: i8) -> Vec<(String, String, u64, u64, u64)> {
    let rows = ledger.spent(date(year, month, day)).await.unwrap();
    rows.into_iter().map(|row| (row.day.to_string(), row.model, row.calls, row.input, row.output)).collect()
}

/// Calls of a model on a day are one row.
pub async fn calls_add_up(ledger: &dyn Ledger) {
    assert!(spent(ledger, 1970, 1, 1).await.is_empty());
    for (input, output) in [(100, 20), (0, 0), (7, 1)] {
        spend(ledger, at(1), "openai/日'", input, output).await;
    }
    let day = at(1).to_string()[..10].to_owned();
    assert_eq!(spent(ledger, -9999, 1, 1).await, [(day, "openai/日'".to_owned(), 3, 107, 21)]);
}

/// A call belongs to the UTC day of its time; the oldest day comes first, then the model in byte order.
pub async fn days_are_utc_and_in_order(ledger: &dyn Ledger) {
    for (at, model) in [
        ("2026-03-02T00:00:00Z", "b"),
        ("2026-03-01T23:59:59.999999Z", "b"),
        ("2026-03-01T00:00:00Z", "a"),
        ("2026-03-01T00:00:00Z", "B"),
        ("2026-03-02T01:30:00+02:00", "a"),
    ] {
        spend(ledger, time(at), model, 1, 2).await;
    }
    let row = |day: &str, model: &str, calls: u64| (day.to_owned(), model.to_owned(), calls, calls, 2 * calls);
    let march =
        [row("2026-03-01", "B", 1), row("2026-03-01", "a", 2), row("2026-03-01", "b", 1), row("2026-03-02", "b", 1)];
    assert_eq!(spent(ledger, 2026, 1, 1).await, march);
    assert_eq!(spent(ledger, 2026, 3, 2).await, march[3..]);
    assert!(spent(ledger, 2026, 3, 3).await.is_empty());
}

/// A sum stays at the largest number instead of turning over.
pub async fn sums_are_bounded(ledger: &dyn Ledger) {
    for _ in 0..3 {
        spend(ledger, at(1), "m", u64::MAX, i64::MAX as u64 - 1).await;
    }
    let rows = spent(ledger, 1970, 1, 1).await;
    assert_eq!((rows[0].2, rows[0].3, rows[0].4), (3, i64::MAX as u64, i64::MAX as u64));
}

/// Nobody's call is lost.
pub async fn calls_at_the_same_time_all_count(ledger: &dyn Ledger) {
    let calls = (0..20).map(|number| Box::pin(spend(ledger, at(number), "m", 3, 1)));
    side_by_side(calls.collect()).await;
    let rows = spent(ledger, 1970, 1, 1).await;
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 20);
    assert_eq!(rows.iter().map(|row| row.3).sum::<u64>(), 60);
}

/// Calls at the same time see each other's reservations, of any model; the day after is a new one.
pub async fn the_limit_holds_for_calls_at_the_same_time(ledger: &dyn Ledger) {
    let (day, next) = (time("2026-03-01T12:00:00Z"), time("2026-03-02T00:00:00Z"));
    let guess = CallCost { input: 30, output: 20 };
    let calls = (0..20).map(|number| ledger.reserve(day, if number % 2 == 0 { "a" } else { "b" }, guess, 240));
    let taken = side_by_side(calls.collect()).await.into_iter().filter(|taken| *taken.as_ref().unwrap()).count();
    assert_eq!(taken, 5, "five of 50 are the first that reach 240");
    assert!(ledger.reserve(next, "a", guess, 240).await.unwrap());
    let all: u64 = spent(ledger, 2026, 3, 1).await.iter().map(|row| row.2).sum();
    assert_eq!(all, 6);
}

/// A call that was not made is in no row, and makes room.
pub async fn a_call_that_was_not_made_is_taken_out(ledger: &dyn Ledger) {
    let guess = CallCost { input: 30, output: 20 };
    assert!(ledger.reserve(at(1), "m", guess, 50).await.unwrap());
    assert!(!ledger.reserve(at(1), "m", guess, 50).await.unwrap());
    ledger.charge(at(1), "m", guess, None).await.unwrap();
    assert!(spent(ledger, 1970, 1, 1).await.is_empty());
    assert!(ledger.reserve(at(1), "m", guess, 50).await.unwrap());
}

/// Runs futures side by side.
async fn side_by_side<T>(mut futures: Vec<impl Future<Output = T> + Unpin>) -> Vec<T> {
    use std::task::Poll;
    let mut done: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|cx| {
        for (future, done) in futures.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(value) = std::pin::Pin::new(future).poll(cx) {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
