//! Conversations: one turn from claim to release, and the records, files and tools of agents that share workspaces.
//!
//! Owns what an account holds (`records.rs`), the files of workspaces (`files.rs`), the tools of a bound agent
//! (`tools.rs`), where files lie (`storage.rs`) and commands run (`sandbox.rs`), turns (`turn.rs`) and what a model is shown (`context.rs`).
//! Never speaks HTTP and never decides what is remembered.
//! Start at [`Runtime`], then read `turn.rs`.

pub mod account;
mod audit;
pub mod binding;
mod compact;
pub mod context;
pub mod error;
mod fence;
pub mod files;
pub mod halls;
mod harness;
mod loan;
mod mirror;
pub mod prune;
pub mod records;
pub mod sandbox;
pub mod storage;
pub mod tools;
pub mod turn;

pub use error::{Error, Result};
pub use halls::{Hall, Halls};
pub use storage::{Ground, Storages};

use loci_ledger::Ledger;
use loci_pipeline::Where;
use sandbox::Sandbox;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The limits of conversations, by settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `sessions.lease_seconds`.
    pub lease: Duration,
    /// `sessions.claim_hours`.
    pub claim: Duration,
    /// `sessions.max_context_length`, in characters.
    pub max_context: usize,
    /// `sandbox.*`.
    pub sandbox: sandbox::Limits,
    /// The largest file of a workspace that is read or written whole.
    pub file_bytes: u64,
}

struct Inner {
    ledger: Arc<dyn Ledger>,
    halls: Arc<dyn Halls>,
    storages: Arc<dyn Storages>,
    home: PathBuf,
    /// The project that the daemon works for.
    place: Where,
    sandbox: Sandbox,
    settings: Settings,
}

/// Conversations and what they need; cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

impl Runtime {
    /// A runtime of these parts; `bwrap` is the sandbox's program, if the machine has one.
    pub fn new(
        ledger: Arc<dyn Ledger>,
        halls: Arc<dyn Halls>,
        storages: Arc<dyn Storages>,
        home: PathBuf,
        place: Where,
        bwrap: Option<PathBuf>,
        settings: Settings,
    ) -> Runtime {
        let sandbox = Sandbox::new(bwrap, settings.sandbox.clone());
        Runtime(Arc::new(Inner { ledger, halls, storages, home, place, sandbox, settings }))
    }

    /// The limits.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn ledger(&self) -> &dyn Ledger {
        self.0.ledger.as_ref()
    }

    pub(crate) fn halls(&self) -> &dyn Halls {
        self.0.halls.as_ref()
    }

    pub(crate) fn storages(&self) -> &dyn Storages {
        self.0.storages.as_ref()
    }

    pub(crate) fn home(&self) -> &Path {
        &self.0.home
    }

    pub(crate) fn place(&self) -> &Where {
        &self.0.place
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }
}
