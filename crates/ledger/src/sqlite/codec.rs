//! Values as columns, and back. What all engines share is in `values.rs`, `columns.rs` and `rows/`.

use super::Result;
use super::fault::Trouble;
use crate::columns::Columns;
use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Row, Rows};

pub(super) use crate::values::{kind_word, limit, number, time};

impl Columns for Row<'_> {
    fn text(&self, at: usize) -> crate::Result<String> {
        value(self, at)
    }

    fn maybe_text(&self, at: usize) -> crate::Result<Option<String>> {
        value(self, at)
    }

    fn borrowed_text(&self, at: usize) -> crate::Result<&str> {
        Ok(raw(self, at)?.as_str().map_err(rusqlite::Error::from).map_err(Trouble::from)?)
    }

    fn number(&self, at: usize) -> crate::Result<i64> {
        value(self, at)
    }

    fn maybe_number(&self, at: usize) -> crate::Result<Option<i64>> {
        value(self, at)
    }

    fn small_count(&self, at: usize) -> crate::Result<u32> {
        value(self, at)
    }

    fn flag(&self, at: usize) -> crate::Result<bool> {
        value(self, at)
    }

    fn bytes(&self, at: usize) -> crate::Result<Vec<u8>> {
        value(self, at)
    }

    fn borrowed_bytes(&self, at: usize) -> crate::Result<&[u8]> {
        Ok(raw(self, at)?.as_blob().map_err(rusqlite::Error::from).map_err(Trouble::from)?)
    }

    fn is_null(&self, at: usize) -> crate::Result<bool> {
        Ok(raw(self, at)? == ValueRef::Null)
    }
}

fn value<T: FromSql>(row: &Row<'_>, at: usize) -> crate::Result<T> {
    Ok(row.get(at).map_err(Trouble::from)?)
}

fn raw<'a>(row: &'a Row<'_>, at: usize) -> crate::Result<ValueRef<'a>> {
    Ok(row.get_ref(at).map_err(Trouble::from)?)
}

/// Reads all rows of a query.
pub(super) fn all<'a, T>(mut rows: Rows<'a>, read: impl Fn(&Row<'a>) -> crate::Result<T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

/// Reads the first row of a query, if there is one.
pub(super) fn first<'a, T>(mut rows: Rows<'a>, read: impl Fn(&Row<'a>) -> crate::Result<T>) -> Result<Option<T>> {
    Ok(rows.next()?.map(read).transpose()?)
}
