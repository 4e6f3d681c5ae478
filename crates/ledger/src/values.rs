//! Values as every engine keeps them. What makes no sense reads as damage, never as a guess.
//!
//! Times are whole microseconds since 1970: jiff's whole range fits, and it is PostgreSQL's grain too.

use crate::{Error, Result};
use jiff::Timestamp;
use loci_domain::document::Kind;

/// A time from its column.
pub(crate) fn time(micros: i64) -> Result<Timestamp> {
    // Not `from_microsecond`: it refuses the last second that a `Timestamp` can be.
    let (seconds, rest) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let nanos = i32::try_from(rest * 1_000).unwrap_or(0);
    Timestamp::new(seconds, nanos).map_err(|_| Error::Corrupt(format!("a time of {micros} microseconds")))
}

/// A count from its column.
pub(crate) fn counted(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| Error::Corrupt(format!("a count of {number}")))
}

/// A count for its column.
pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A limit for a statement.
pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The word of a kind.
pub(crate) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::Feedback => "feedback",
        Kind::Project => "project",
        Kind::Reference => "reference",
    }
}

/// Reads the word of a kind.
pub(crate) fn kind(word: &str) -> Option<Kind> {
    match word {
        "user" => Some(Kind::User),
        "feedback" => Some(Kind::Feedback),
        "project" => Some(Kind::Project),
        "reference" => Some(Kind::Reference),
        _ => None,
    }
}
