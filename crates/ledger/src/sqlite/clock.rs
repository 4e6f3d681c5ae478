//! The database's own time: processes of one machine that reckon with it agree.

use super::Result;
use rusqlite::Connection;

/// In microseconds, to the millisecond: for a statement of its own.
pub(super) const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000";

/// The same, for what is reckoned outside of a statement.
pub(super) fn now(db: &Connection) -> Result<i64> {
    Ok(db.prepare_cached(&format!("SELECT {NOW}"))?.query_row([], |row| row.get(0))?)
}
