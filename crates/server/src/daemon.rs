//! What every route is given.
//!
//! Owns nothing by itself: it is the one place where the ready parts meet. `cli` puts them in.

use crate::auth::Keys;
use crate::clients::Registry;
use crate::desk::Desk;
use crate::fault::Refusal;
use crate::names::Names;
use crate::now::{Now, Settled};
use crate::rate::Rate;
use loci_ledger::Ledger;
use loci_memory::Memory;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// The limits of the daemon, by settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that is listened on.
    pub host: IpAddr,
    /// `daemon.allowed_hosts`.
    pub allowed_hosts: Vec<String>,
    /// `daemon.allowed_origins`.
    pub allowed_origins: Vec<String>,
    /// `daemon.rate_per_second`.
    pub rate_per_second: u64,
    /// `daemon.body_bytes`.
    pub body_bytes: usize,
}

/// Whether memory is switched on, asked anew each time: off means off at once. `Err` = it cannot be told.
pub type Switches = Arc<dyn Fn() -> Result<bool, String> + Send + Sync>;

/// What this daemon works for: one project, or none.
pub struct Bound {
    /// Its memory.
    pub memory: Memory,
    /// The directory it was started for, as clients are told.
    pub cwd: PathBuf,
    /// Whether memory is on for it.
    pub enabled: Switches,
    /// What settings say for it.
    pub settled: Settled,
    /// Status and settings.
    pub desk: Box<dyn Desk>,
}

struct Inner {
    settings: Settings,
    keys: Keys,
    names: Names,
    rate: Rate,
    clients: Registry,
    bound: Bound,
    ledger: Arc<dyn Ledger>,
}

/// The daemon, ready to answer; cheap to clone.
#[derive(Clone)]
pub struct Daemon(Arc<Inner>);

impl Daemon {
    /// A daemon of these parts.
    pub fn new(settings: Settings, keys: Keys, bound: Bound, ledger: Arc<dyn Ledger>) -> Daemon {
        let names = Names::new(settings.host, &settings.allowed_hosts, &settings.allowed_origins);
        let rate = Rate::new(settings.rate_per_second);
        Daemon(Arc::new(Inner { settings, keys, names, rate, clients: Registry::default(), bound, ledger }))
    }

    /// The limits.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The memory of the project that the daemon works for.
    pub fn memory(&self) -> &Memory {
        &self.0.bound.memory
    }

    /// What settings say right now.
    pub(crate) fn now(&self) -> Result<Now, Refusal> {
        (self.0.bound.settled)().map_err(|error| {
            tracing::error!(error, "the settings cannot be read");
            Refusal::bug("settings_failed")
        })
    }

    /// Status and settings.
    pub(crate) fn desk(&self) -> &dyn Desk {
        self.0.bound.desk.as_ref()
    }

    /// What the daemon works for.
    pub fn bound(&self) -> &Bound {
        &self.0.bound
    }

    /// The rows.
    pub fn ledger(&self) -> &dyn Ledger {
        self.0.ledger.as_ref()
    }

    pub(crate) fn clients(&self) -> &Registry {
        &self.0.clients
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub(crate) fn names(&self) -> &Names {
        &self.0.names
    }

    pub(crate) fn rate(&self) -> &Rate {
        &self.0.rate
    }
}
