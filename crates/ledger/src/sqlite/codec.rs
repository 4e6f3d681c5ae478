//! Values as columns, and back.
//!
//! A column that makes no sense reads as damage, never as a guess. What all engines share is in `values.rs`.

use super::Result;
use super::fault::damaged;
use crate::values;
use jiff::Timestamp;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::row::Origin;
use rusqlite::Row;

pub(super) use crate::values::{kind, kind_word, limit, number};

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

/// A time from its value.
pub(super) fn time(micros: i64) -> Result<Timestamp> {
    Ok(values::time(micros)?)
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
    Ok(values::parse_path(text)?)
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
    Ok(values::counted(row.get(at)?)?)
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
