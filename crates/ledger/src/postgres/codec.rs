//! Values as columns, and back. What all engines share is in `values.rs`, `columns.rs` and `rows/`.
//!
//! PostgreSQL keeps no NUL in a text, and people's text has one now and then: a binary file in a transcript. A change must
//! not fail because of it, and all that looks into the text (search, `position`, `replace`) should stay plain SQL. So
//! [`text`] puts U+FFFD in its place, in what is kept as in what is asked for; whatever comes from outside is bound by it.

use super::Result;
use super::fault::Trouble;
use crate::columns::Columns;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::{Decode, Row, Type, ValueRef};
use std::borrow::Cow;

pub(super) use crate::values::{counted, kind_word, limit, number, time};

/// The database's own time in microseconds, as SQL.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    };
}
pub(super) use now;

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

impl Columns for PgRow {
    fn text(&self, at: usize) -> crate::Result<String> {
        value(self, at)
    }

    fn maybe_text(&self, at: usize) -> crate::Result<Option<String>> {
        value(self, at)
    }

    fn borrowed_text(&self, at: usize) -> crate::Result<&str> {
        value(self, at)
    }

    fn number(&self, at: usize) -> crate::Result<i64> {
        value(self, at)
    }

    fn maybe_number(&self, at: usize) -> crate::Result<Option<i64>> {
        value(self, at)
    }

    fn small_count(&self, at: usize) -> crate::Result<u32> {
        Ok(u32::try_from(self.count(at)?).unwrap_or(u32::MAX))
    }

    fn flag(&self, at: usize) -> crate::Result<bool> {
        value(self, at)
    }

    fn bytes(&self, at: usize) -> crate::Result<Vec<u8>> {
        value(self, at)
    }

    fn borrowed_bytes(&self, at: usize) -> crate::Result<&[u8]> {
        value(self, at)
    }

    fn is_null(&self, at: usize) -> crate::Result<bool> {
        Ok(self.try_get_raw(at).map_err(Trouble::from)?.is_null())
    }
}

fn value<'a, T: Decode<'a, Postgres> + Type<Postgres>>(row: &'a PgRow, at: usize) -> crate::Result<T> {
    Ok(row.try_get(at).map_err(Trouble::from)?)
}

/// Reads all rows of an answer.
pub(super) fn all<T>(rows: &[PgRow], read: impl Fn(&PgRow) -> crate::Result<T>) -> Result<Vec<T>> {
    Ok(rows.iter().map(read).collect::<crate::Result<_>>()?)
}

/// Reads the row of an answer, if there is one.
pub(super) fn first<T>(row: Option<PgRow>, read: impl Fn(&PgRow) -> crate::Result<T>) -> Result<Option<T>> {
    Ok(row.as_ref().map(read).transpose()?)
}
