//! Opening connections: settings, schema, and what is refused.

use super::file::{self, FileId};
use super::{Result, Trouble};
use super::{fault, migrate};
use crate::Error;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long anybody waits for a lock in the database.
const PATIENCE: Duration = Duration::from_secs(10);
/// One-page settings: 1 MB of cache, since what is not in it is in the kernel's; sorting never touches the disk.
const SETTINGS: &str = "PRAGMA foreign_keys = ON; PRAGMA cache_size = -1024; PRAGMA temp_store = MEMORY;";
/// There are some eighty statements.
const STATEMENTS: usize = 96;

/// Opens the one connection that writes, with the schema brought up to date.
pub(super) fn writer(path: &Path) -> Result<(Connection, FileId)> {
    let until = Instant::now() + PATIENCE;
    loop {
        let found = file::ensure(path)?;
        match connect(path) {
            Ok(connection) if found.id.is_at(path) => {
                if found.emptied {
                    tracing::warn!(path = %path.display(), "the ledger was empty; it starts anew");
                }
                return Ok((connection, found.id));
            }
            // Somebody replaced the file while it was opened.
            Ok(connection) => abandon(&connection),
            // The step to write-ahead logging does not wait for its lock by itself.
            Err(Trouble(Error::Busy)) if Instant::now() < until => {}
            Err(error) => return Err(error),
        }
        if Instant::now() >= until {
            return Err(Error::Busy.into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Opens a connection that only reads; the writer has been opened before.
pub(super) fn reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    settle_in(&mut connection)?;
    Ok(connection)
}

/// Opens a database that lives in memory.
pub(super) fn memory() -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    settle_in(&mut connection)?;
    migrate::migrate(&mut connection)?;
    Ok(connection)
}

/// Makes sure that closing this connection writes nothing: its file is no longer ours to change.
pub(super) fn abandon(connection: &Connection) {
    if let Err(error) = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) {
        tracing::debug!(%error, "a connection may checkpoint while it is closed");
    }
}

fn connect(path: &Path) -> Result<Connection> {
    let opening = |error| fault::opening(error, file::folder(path));
    let logged = file::beside(path, "-wal").exists();
    // Not CREATE: the file has been made by us, with the right mode.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(opening)?;
    // SQLite opens a file that it may not write for reading, and says nothing.
    if connection.is_readonly("main")? {
        return Err(Error::ReadOnly.into());
    }
    settle_in(&mut connection)?;
    let found = migrate::version(&connection).map_err(opening)?;
    if found > migrate::KNOWN {
        // A log of the newer one stays as it is; without one, closing takes our empty log away again.
        if logged {
            abandon(&connection);
        }
        return Err(Error::Newer { found, known: migrate::KNOWN }.into());
    }
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    }
    if found < migrate::KNOWN {
        migrate::migrate(&mut connection)?;
    }
    // Damage shows here rather than in the middle of a write: the schema, and the first and last rows of the journal.
    connection.query_row(
        "SELECT (SELECT max(id) FROM roots), (SELECT min(seq) FROM changes), (SELECT max(seq) FROM changes)",
        [],
        |_| Ok(()),
    )?;
    Ok(connection)
}

fn settle_in(connection: &mut Connection) -> Result<()> {
    connection.busy_handler(Some(wait))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Else a new value for a parameter may have its statement prepared again, which cost a fifth of every change.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch(SETTINGS)?;
    Ok(())
}

/// Waits for a lock in shorter steps than SQLite's own handler, whose steps of 100 ms let others overtake again and again.
/// Some fifteen seconds in all: whoever copies a ledger or holds it for ten is waited for.
fn wait(attempt: i32) -> bool {
    let step = Duration::from_millis((1 + attempt / 4).clamp(1, 10).unsigned_abs().into());
    std::thread::sleep(step);
    attempt < 1_520
}
