//! Values as columns, and back.
//!
//! A column that makes no sense reads as damage, never as a guess.
//! Times are whole microseconds since 1970: jiff's whole range fits, and it is PostgreSQL's grain too.

use super::Result;
use super::fault::damaged;
use jiff::Timestamp;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::document::Kind;
use loci_domain::path::EntryPath;
use loci_domain::row::Origin;
use rusqlite::Row;

/// The columns of a change, in the order that [`change`] reads them, and where they come from.
macro_rules! select_change {
    ($(by $index:literal,)? $($rest:literal),+) => {
        concat!(
            "SELECT changes.id, grouped, at, actor, op, place, path, new_path, before, after, undoes, seq ",
            "FROM changes ", $("INDEXED BY ", $index, " ",)? "JOIN roots ON roots.id = changes.root ",
            $($rest),+
        )
    };
}
pub(super) use select_change;

/// Reads a change from the columns of `select_change!`.
pub(super) fn change(row: &Row<'_>) -> Result<Change> {
    Ok(Change {
        id: ChangeId(row.get(0)?),
        group: GroupId(row.get(1)?),
        at: time(row.get(2)?)?,
        actor: word(row, 3, Actor::from_word)?,
        op: word(row, 4, Op::from_word)?,
        place: Place(row.get(5)?),
        path: path(row, 6)?,
        new_path: maybe(row, 7, path)?,
        before: maybe(row, 8, digest)?,
        after: maybe(row, 9, digest)?,
        undoes: row.get::<_, Option<String>>(10)?.map(ChangeId),
    })
}

/// A time from its column.
pub(super) fn time(micros: i64) -> Result<Timestamp> {
    // Not `from_microsecond`: it refuses the last second that a `Timestamp` can be.
    let (seconds, rest) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let nanos = i32::try_from(rest * 1_000).unwrap_or(0);
    Timestamp::new(seconds, nanos).map_err(|_| damaged(format!("a time of {micros} microseconds")))
}

/// A digest from its column.
pub(super) fn digest(row: &Row<'_>, at: usize) -> Result<Digest> {
    let bytes = row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from)?;
    Digest::from_bytes(bytes).ok_or_else(|| damaged(format!("a digest of {} bytes", bytes.len())))
}

/// A path from its column.
pub(super) fn path(row: &Row<'_>, at: usize) -> Result<EntryPath> {
    parse_path(row.get_ref(at)?.as_str().map_err(rusqlite::Error::from)?)
}

/// A path from its text.
pub(super) fn parse_path(text: &str) -> Result<EntryPath> {
    EntryPath::parse(text).map_err(|bad| damaged(format!("a path: {bad}")))
}

/// One of a closed list of words, from its column.
pub(super) fn word<T>(row: &Row<'_>, at: usize, read: fn(&str) -> Option<T>) -> Result<T> {
    let text = row.get_ref(at)?.as_str().map_err(rusqlite::Error::from)?;
    read(text).ok_or_else(|| damaged(format!("an unknown word {text:?}")))
}

/// A column that may be NULL.
pub(super) fn maybe<T>(row: &Row<'_>, at: usize, read: fn(&Row<'_>, usize) -> Result<T>) -> Result<Option<T>> {
    if row.get_ref(at)? == rusqlite::types::ValueRef::Null { Ok(None) } else { read(row, at).map(Some) }
}

/// A count from its column.
pub(super) fn count(row: &Row<'_>, at: usize) -> Result<u64> {
    let number: i64 = row.get(at)?;
    u64::try_from(number).map_err(|_| damaged(format!("a count of {number}")))
}

/// A count for its column.
pub(super) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A limit for a statement.
pub(super) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The word of a kind.
pub(super) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::Feedback => "feedback",
        Kind::Project => "project",
        Kind::Reference => "reference",
    }
}

/// Reads the word of a kind.
pub(super) fn kind(word: &str) -> Option<Kind> {
    match word {
        "user" => Some(Kind::User),
        "feedback" => Some(Kind::Feedback),
        "project" => Some(Kind::Project),
        "reference" => Some(Kind::Reference),
        _ => None,
    }
}

/// Where a document came from, from its column.
pub(super) fn origin(row: &Row<'_>, at: usize) -> Result<Origin> {
    word(row, at, Origin::from_word)
}

/// Reads all rows of a query.
pub(super) fn all<T>(mut rows: rusqlite::Rows<'_>, read: impl Fn(&Row<'_>) -> Result<T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}
