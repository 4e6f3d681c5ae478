//! Rows of upkeep.

use crate::columns::Columns;
use crate::{Cursor, Proposal, Request, Result};

/// The columns of a request, in the order that [`request`] reads them.
macro_rules! request_columns {
    () => {
        "session, source, format, at"
    };
}
pub(crate) use request_columns;

pub(crate) fn request(row: &impl Columns) -> Result<Request> {
    Ok(Request { session: row.text(0)?, source: row.text(1)?, format: row.text(2)?, at: row.time(3)? })
}

/// Reads `id, at, summary, body`.
pub(crate) fn proposal(row: &impl Columns) -> Result<Proposal> {
    Ok(Proposal { id: row.text(0)?, at: row.time(1)?, summary: row.text(2)?, body: row.text(3)? })
}

/// Reads `processed, at` of a session's cursor; `None` for one that makes no sense.
pub(crate) fn cursor(row: &impl Columns, session: &str) -> Option<Cursor> {
    let read = row.count(0).and_then(|processed| Ok((processed, row.time(1)?)));
    match read {
        Ok((processed, updated_at)) => Some(Cursor { session: session.to_owned(), processed, updated_at }),
        Err(error) => {
            tracing::warn!(%error, "a cursor makes no sense; its session is read again");
            None
        }
    }
}
