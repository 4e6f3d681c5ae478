//! Values as columns, and back.
//!
//! A column that makes no sense reads as damage, never as a guess. What all engines share is in `values.rs`.
//!
//! PostgreSQL keeps no NUL in a text, and people's text has one now and then: a binary file in a transcript. A change must
//! not fail because of it, and all that looks into the text (search, `position`, `replace`) should stay plain SQL. So
//! [`text`] puts U+FFFD in its place, in what is kept as in what is asked for; whatever comes from outside is bound by it.

use super::Result;
use super::fault::damaged;
use crate::values;
use jiff::Timestamp;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::Origin;
use sqlx::Row;
use sqlx::postgres::PgRow;
use std::borrow::Cow;

pub(super) use crate::values::{kind, kind_word, limit, number};

/// The columns of a change, in the order that [`change`] reads them, and where they come from.
macro_rules! select_change {
    ($($rest:literal),+) => {
        concat!(
            "SELECT changes.id, grouped, at, actor, op, place, path, new_path, before, after, undoes, seq ",
            "FROM changes JOIN roots ON roots.id = changes.root ",
            $($rest),+
        )
    };
}
pub(super) use select_change;

/// The database's own time in microseconds, as SQL.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    };
}
pub(super) use now;

/// Reads a change from the columns of `select_change!`.
pub(super) fn change(row: &PgRow) -> Result<Change> {
    Ok(Change {
        id: ChangeId(row.try_get(0)?),
        group: GroupId(row.try_get(1)?),
        at: time(row.try_get(2)?)?,
        actor: word(row, 3, Actor::from_word)?,
        op: word(row, 4, Op::from_word)?,
        place: Place(row.try_get(5)?),
        path: path(row, 6)?,
        new_path: maybe(row, 7, path)?,
        before: maybe(row, 8, digest)?,
        after: maybe(row, 9, digest)?,
        undoes: row.try_get::<Option<String>, _>(10)?.map(ChangeId),
    })
}

/// A text for its column or for a comparison; see the top of this file.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// The same for several.
pub(super) fn texts<T: AsRef<str>>(texts: &[T]) -> Vec<Cow<'_, str>> {
    texts.iter().map(|text| self::text(text.as_ref())).collect()
}

/// The same for a text that may not be there.
pub(super) fn maybe_text(text: Option<&str>) -> Option<Cow<'_, str>> {
    text.map(self::text)
}

/// A digest from its column.
pub(super) fn digest(row: &PgRow, at: usize) -> Result<Digest> {
    let bytes: &[u8] = row.try_get(at)?;
    Digest::from_bytes(bytes).ok_or_else(|| damaged(format!("a digest of {} bytes", bytes.len())))
}

/// A path from its column.
pub(super) fn path(row: &PgRow, at: usize) -> Result<EntryPath> {
    Ok(values::parse_path(row.try_get(at)?)?)
}

/// One of a closed list of words, from its column.
pub(super) fn word<T>(row: &PgRow, at: usize, read: fn(&str) -> Option<T>) -> Result<T> {
    let text: &str = row.try_get(at)?;
    read(text).ok_or_else(|| damaged(format!("an unknown word {text:?}")))
}

/// A column that may be NULL.
pub(super) fn maybe<T>(row: &PgRow, at: usize, read: fn(&PgRow, usize) -> Result<T>) -> Result<Option<T>> {
    use sqlx::ValueRef;
    if row.try_get_raw(at)?.is_null() { Ok(None) } else { read(row, at).map(Some) }
}

/// A count from its column.
pub(super) fn count(row: &PgRow, at: usize) -> Result<u64> {
    counted(row.try_get(at)?)
}

/// A count from its value.
pub(super) fn counted(number: i64) -> Result<u64> {
    Ok(values::counted(number)?)
}

/// A time from its value.
pub(super) fn time(micros: i64) -> Result<Timestamp> {
    Ok(values::time(micros)?)
}

/// Where a document came from, from its column.
pub(super) fn origin(row: &PgRow, at: usize) -> Result<Origin> {
    word(row, at, Origin::from_word)
}

/// Reads all rows of an answer.
pub(super) fn all<T>(rows: &[PgRow], read: impl Fn(&PgRow) -> Result<T>) -> Result<Vec<T>> {
    rows.iter().map(read).collect()
}
