//! The SQLite engine: one file in the home, shared by any number of processes.
//!
//! Owns the schema (`sqlite/migrations`), connections, durability levels, and all SQL of this engine.
//! Never decides what a change means, and never hands out a connection or a statement.
//! Start at [`Sqlite::open`]; then `sqlite/engine.rs` (who may use a connection when) and `sqlite/settle.rs` (the main write).
//!
//! Async: SQLite is synchronous. On a runtime with several threads each call runs on a blocking thread, one hop for a
//! whole transaction; on a single-threaded one (the CLI) it runs right here. A call that was started runs to its end,
//! also when its future is dropped.

mod accounts;
mod catalog;
mod clients;
mod clock;
mod codec;
mod documents;
mod engine;
mod evidence;
mod extractions;
mod fault;
mod file;
mod filing;
mod guard;
mod images;
mod jobs;
mod journal;
mod leases;
mod life;
mod migrate;
mod numbers;
mod open;
mod phrase;
mod provenance;
mod prune;
mod purge;
mod recalls;
mod repair;
mod roots;
mod salvage;
mod search;
mod sessions;
mod settle;
mod spend;
mod tasks;
mod tellings;
mod tombstones;
mod turns;
mod undo;
mod upkeep;
mod vectors;

pub use repair::Repaired;

use crate::Error;
use engine::{Durability, Engine};
use fault::Trouble;
use rusqlite::{Connection, Transaction};
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::{Handle, RuntimeFlavor};

type Result<T> = std::result::Result<T, Trouble>;

/// A ledger in SQLite; clones share it.
#[derive(Clone)]
pub struct Sqlite {
    engine: Arc<Engine>,
}

impl Sqlite {
    /// Opens the ledger at this path, and makes it when it is not there; its folder must be.
    ///
    /// Holds a shared lock on `ledger.lock` beside it for as long as it is open. [`Error::Newer`] leaves the file
    /// untouched. [`Error::Corrupt`] is for the caller to act on, with [`Sqlite::repair`].
    pub fn open(path: &Path) -> crate::Result<Sqlite> {
        Ok(Sqlite { engine: Arc::new(Engine::at(path)?) })
    }

    /// A ledger that ends with the process, for tests and for a home that cannot be written.
    pub fn in_memory() -> crate::Result<Sqlite> {
        Ok(Sqlite { engine: Arc::new(Engine::in_memory()?) })
    }

    /// Sets a damaged ledger aside and starts a new one with all that can still be read of what files cannot tell, from the
    /// journal to conversations (`sqlite/salvage.rs` has the list). Catalogue and search come back with the next scan,
    /// vectors when they are made again, jobs when what they are for is next asked or surveyed; receipts and what sessions
    /// were shown do not.
    ///
    /// [`Error::Busy`] when another process, or another handle of this one, has it open for longer than two seconds.
    pub fn repair(path: &Path) -> crate::Result<Repaired> {
        Ok(repair::repair(path)?)
    }

    /// Lets the next process that has time write the log back: closing this ledger costs nothing then. For who answers a
    /// waiting person; a log that became long is written back all the same.
    pub fn leave_log(&self) {
        self.engine.leave_log();
    }

    /// What is wrong inside, one line each; empty when all is well. Reads every page, so it is for `loci doctor` only.
    pub async fn check(&self) -> crate::Result<Vec<String>> {
        self.read(repair::check).await
    }

    /// Runs one read transaction.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> crate::Result<T> {
        if inline() {
            return Ok(self.engine.read_here(work)?);
        }
        let engine = self.engine.clone();
        beside(move || engine.read_beside(work)).await
    }

    /// Runs what cannot run in a transaction, on the connection that writes.
    async fn maintain<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> crate::Result<T> {
        if inline() {
            return Ok(self.engine.maintain(work)?);
        }
        let engine = self.engine.clone();
        beside(move || engine.maintain(work)).await
    }

    /// Runs one write transaction.
    async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> crate::Result<T> {
        if inline() {
            return Ok(self.engine.write(durability, work)?);
        }
        let engine = self.engine.clone();
        beside(move || engine.write(durability, work)).await
    }
}

impl Sqlite {
    /// See [`Engine::write_back_log`].
    async fn write_back_log(&self) -> crate::Result<()> {
        if inline() {
            return Ok(self.engine.write_back_log()?);
        }
        let engine = self.engine.clone();
        beside(move || engine.write_back_log()).await
    }
}

impl std::fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Sqlite").field(&self.engine.path()).finish()
    }
}

/// True when waiting for a blocking thread would only cost: there is no other task to get on with.
fn inline() -> bool {
    Handle::try_current().map_or(true, |handle| handle.runtime_flavor() == RuntimeFlavor::CurrentThread)
}

async fn beside<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> crate::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|lost| Error::Engine(lost.to_string()))??)
}
