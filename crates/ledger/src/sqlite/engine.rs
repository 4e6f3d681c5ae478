//! Who may use which connection when: one writer a process, a few readers, and a look at the file before each use.
//!
//! Invariant: deleted_ledger_is_noticed. When the file went or was replaced, the next call opens what lies there now
//! (a new ledger, if nothing does) instead of writing into a file without a name.

use super::Result;
use super::file::FileId;
use super::guard::{self, Guard};
use super::open;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Readers beside the writer; more would only wait for the same two cores.
const READERS: usize = 4;

/// Whether a commit must survive the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// On disk when it returns.
    Full,
    /// Whole after a crash of the process; may be lost with the power, and can then be derived again.
    Normal,
}

pub(super) struct Engine {
    /// `None` = in memory.
    path: Option<PathBuf>,
    /// Before the writer, so that it is the last to be closed: a reader would leave the log behind.
    readers: Mutex<Readers>,
    returned: Condvar,
    writer: Mutex<Option<Writer>>,
}

struct Writer {
    connection: Connection,
    file: Option<FileId>,
    durability: Option<Durability>,
    /// Last, so that it is let go after the connection was closed.
    _guard: Option<Guard>,
}

#[derive(Default)]
struct Readers {
    idle: Vec<Reader>,
    open: usize,
}

struct Reader {
    connection: Connection,
    file: FileId,
}

impl Engine {
    pub(super) fn at(path: &Path) -> Result<Engine> {
        Ok(Engine::over(Some(path.to_owned()), Writer::open(path)?))
    }

    pub(super) fn in_memory() -> Result<Engine> {
        let writer = Writer { connection: open::memory()?, file: None, durability: None, _guard: None };
        Ok(Engine::over(None, writer))
    }

    fn over(path: Option<PathBuf>, writer: Writer) -> Engine {
        Engine { path, readers: Mutex::default(), returned: Condvar::new(), writer: Mutex::new(Some(writer)) }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Runs one write transaction; an error takes all of it back.
    pub(super) fn write<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        self.with_writer(|writer| {
            writer.keep(durability)?;
            let tx = writer.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&tx)?;
            tx.commit()?;
            Ok(value)
        })
    }

    /// Runs outside any transaction, on the writer's connection.
    pub(super) fn maintain<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.with_writer(|writer| {
            writer.keep(Durability::Full)?;
            work(&writer.connection)
        })
    }

    /// Runs one read transaction on the writer's connection: a process with one thread needs no second one.
    pub(super) fn read_here<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.with_writer(|writer| snapshot(&writer.connection, work))
    }

    /// Writes the log back into the file and empties it, so that text that was overwritten there is in neither.
    /// A reader that still needs the log keeps it; the next one to write it back empties it then.
    pub(super) fn write_back_log(&self) -> Result<()> {
        self.with_writer(|writer| Ok(writer.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?))
    }

    /// Has the log stay as it is when this is closed, unless it is long: it would be read by everybody who opens the file.
    pub(super) fn leave_log(&self) {
        const LONG: u64 = 1 << 19;
        let Some(path) = &self.path else { return };
        let length = std::fs::metadata(super::file::beside(path, "-wal")).map_or(0, |log| log.len());
        if length <= LONG
            && let Some(writer) = held(&self.writer).as_ref()
        {
            open::abandon(&writer.connection);
        }
    }

    /// Runs one read transaction beside the writer.
    pub(super) fn read_beside<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let Some(path) = &self.path else { return self.read_here(work) };
        let seat = Seat::take(self);
        let reader = match seat.idle() {
            Some(reader) if reader.file.is_at(path) => reader,
            // The writer looks after a file that went; it also makes the log that a reader cannot make.
            stale => {
                drop(stale);
                let file = self.with_writer(|writer| Ok(writer.file))?;
                let Some(file) = file else { return self.read_here(work) };
                Reader { connection: open::reader(path)?, file }
            }
        };
        let value = snapshot(&reader.connection, work);
        // After an error it is not worth a thought whether the connection is still good.
        if value.is_ok() {
            held(&self.readers).idle.push(reader);
        }
        value
    }

    /// Runs with the writer, opened again when its file is no longer the one at the path.
    fn with_writer<T>(&self, work: impl FnOnce(&mut Writer) -> Result<T>) -> Result<T> {
        let mut slot = held(&self.writer);
        if let (Some(path), Some(writer)) = (&self.path, slot.as_ref())
            && !writer.file.is_some_and(|file| file.is_at(path))
        {
            tracing::warn!(path = %path.display(), "the ledger was deleted or replaced; it is opened again");
            // All go before anything is opened: closing must not touch the log of what lies there now.
            open::abandon(&writer.connection);
            *slot = None;
            held(&self.readers).idle.clear();
        }
        match (slot.as_mut(), &self.path) {
            (Some(writer), _) => work(writer),
            (None, Some(path)) => work(slot.insert(Writer::open(path)?)),
            (None, None) => unreachable!("a ledger in memory has no file that could go"),
        }
    }
}

impl Writer {
    fn open(path: &Path) -> Result<Writer> {
        let guard = guard::shared(path)?;
        let (connection, file) = open::writer(path)?;
        Ok(Writer { connection, file: Some(file), durability: None, _guard: Some(guard) })
    }

    /// Sets how durable the next commits are; SQLite takes this only between transactions.
    fn keep(&mut self, durability: Durability) -> Result<()> {
        if self.durability != Some(durability) {
            self.connection.execute_batch(match durability {
                Durability::Full => "PRAGMA synchronous = FULL",
                Durability::Normal => "PRAGMA synchronous = NORMAL",
            })?;
            self.durability = Some(durability);
        }
        Ok(())
    }
}

/// The right to use one of the few readers.
struct Seat<'a>(&'a Engine);

impl<'a> Seat<'a> {
    fn take(engine: &'a Engine) -> Seat<'a> {
        let readers = held(&engine.readers);
        let full = engine.returned.wait_while(readers, |readers| readers.open >= READERS);
        full.unwrap_or_else(PoisonError::into_inner).open += 1;
        Seat(engine)
    }

    fn idle(&self) -> Option<Reader> {
        held(&self.0.readers).idle.pop()
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        held(&self.0.readers).open -= 1;
        self.0.returned.notify_one();
    }
}

/// One unchanging view for all statements of a read.
fn snapshot<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let tx = connection.unchecked_transaction()?;
    let value = work(&tx)?;
    tx.finish()?;
    Ok(value)
}

/// A lock whatever happened to its last holder: a transaction that was cut off has been rolled back.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
