//! Numbers of documents: small ones in here, and as others see them.
//!
//! Invariant: numbers_of_a_lost_ledger_are_not_used_again. What others see begins where the ledger did in time.

use super::Result;
use super::fault::damaged;
use crate::Error;
use crate::columns::Columns;
use rusqlite::{Connection, Row};

/// How numbers of this ledger are seen from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    began: u64,
}

impl Numbers {
    /// Those of this ledger.
    pub(super) fn of(db: &Connection) -> Result<Numbers> {
        let began: i64 = db.prepare_cached("SELECT began FROM epoch")?.query_row([], |row| row.get(0))?;
        Ok(Numbers { began: u64::try_from(began).map_err(|_| damaged("it began before all time"))? })
    }

    /// A number from its column, as others see it.
    pub(super) fn read(self, row: &Row<'_>, at: usize) -> crate::Result<u64> {
        let id = row.number(at)?;
        u64::try_from(id)
            .ok()
            .and_then(|id| self.began.checked_add(id))
            .ok_or_else(|| Error::Corrupt(format!("a document of the number {id}")))
    }

    /// A number that others see, for its column; 0, which no document has, when it is of an earlier ledger.
    pub(super) fn write(self, number: u64) -> i64 {
        i64::try_from(number.saturating_sub(self.began)).unwrap_or(i64::MAX)
    }
}

/// A number that no document has had, for its column.
pub(super) fn next(db: &Connection) -> Result<i64> {
    let mut statement =
        db.prepare_cached("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'documents' RETURNING seq")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}
