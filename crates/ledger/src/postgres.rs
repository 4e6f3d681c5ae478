//! The PostgreSQL engine: one database, shared by any number of nodes.
//!
//! Owns the schema (`postgres/migrations`), the pool, durability levels, and all SQL of this engine.
//! Never decides what a change means, and never hands out a connection or a statement. Each topic has a file of the same
//! name as in `sqlite/`.
//! Start at [`Postgres::open`]; then `postgres/engine.rs` (how a block of statements runs) and `postgres/settle.rs` (the
//! main write).

mod accounts;
mod bells;
mod catalog;
mod clients;
mod clock;
mod codec;
mod documents;
mod engine;
mod evidence;
mod extractions;
mod fault;
mod images;
mod jobs;
mod journal;
mod leases;
mod life;
mod migrate;
mod provenance;
mod prune;
mod purge;
mod recalls;
mod roots;
mod search;
mod sessions;
mod settle;
mod spend;
mod subject;
mod tasks;
mod tellings;
mod tombstones;
mod turns;
mod undo;
mod upkeep;
mod vectors;

use engine::Engine;
use fault::Trouble;
use std::sync::Arc;
use tokio::sync::broadcast;

type Result<T> = std::result::Result<T, Trouble>;

/// A ledger in PostgreSQL; clones share it.
#[derive(Clone)]
pub struct Postgres {
    engine: Arc<Engine>,
}

impl Postgres {
    /// Opens the ledger in the database that this address names (`postgres://user:password@host/database`), and makes
    /// its tables when they are not there. Any number of nodes may do so at once.
    ///
    /// [`crate::Error::Newer`] leaves the database untouched. [`crate::Error::Offline`] when nobody answers or lets us in;
    /// its text never has the password.
    pub async fn open(url: &str) -> crate::Result<Postgres> {
        Ok(Postgres { engine: Arc::new(Engine::open(url).await?) })
    }

    /// What is wrong with the database, one line each; empty when it answers and has our schema.
    pub async fn check(&self) -> crate::Result<Vec<String>> {
        migrate::check(self).await
    }

    /// The topics of what other nodes committed, and of what this one did: `journal`, `jobs`, `told`, `lane:<lane>`,
    /// `conversation:<account>/<key>`; one that is too long is only its first word. `all` says that some may have been
    /// missed, so who listens looks everywhere.
    ///
    /// The first call starts one connection that listens for as long as this ledger is open.
    pub fn bells(&self) -> broadcast::Receiver<String> {
        bells::listen(&self.engine)
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Postgres").finish_non_exhaustive()
    }
}
