//! Memory of other accounts and of workspaces, for a daemon that serves them all.

use super::{App, OwnStorages};
use crate::config::Config;
use jiff::Timestamp;
use loci_ledger::Ledger;
use loci_memory::Memory;
use loci_pipeline::Where;
use loci_session::halls::Project;
use loci_session::sandbox::Limits;
use loci_session::{Hall, Halls, Runtime};
use loci_store::record::LOCAL;
use loci_store::workspace::Places;
use loci_store::{Settings, Store};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Halls that are kept open: what recall knows of a scope is in them.
const KEPT: usize = 256;

/// Opens memory over the ledger, with the models and prompts of this process.
pub struct OwnHalls {
    ledger: Arc<dyn Ledger>,
    places: Places,
    storages: Arc<OwnStorages>,
    settings: Settings,
    /// Where the project's files are, as its memory may name them.
    checkout: Option<PathBuf>,
    like: Memory,
    open: Mutex<HashMap<Hall, Memory>>,
}

impl OwnHalls {
    /// Halls of this process, with models as `like` has them.
    pub fn new(app: &App, like: Memory) -> OwnHalls {
        OwnHalls {
            ledger: Arc::clone(&app.ledger),
            places: app.places.clone(),
            storages: Arc::clone(&app.storages),
            settings: super::store_settings(&app.config),
            checkout: match &app.places.checkout {
                None => app.places.project.as_ref().ok().map(|project| project.top.clone()),
                // Nobody reads files over there for what memory names.
                Some(_) => None,
            },
            like,
            open: Mutex::default(),
        }
    }

    fn make(&self, hall: &Hall) -> Memory {
        let bound = hall.project == Project::Bound && hall.account == LOCAL;
        let none = || Err("this conversation belongs to no project".to_owned());
        let places = Places {
            home: self.places.home.clone(),
            site: Arc::clone(&self.places.site),
            checkout: self.places.checkout.clone(),
            account: Some(hall.account.clone()).filter(|account| account != LOCAL),
            project: if bound { self.places.project.clone() } else { none() },
            workspace: hall.workspace.clone().ok_or_else(|| "no workspace is bound here".to_owned()),
        };
        let mut store = Store::scoped(
            self.storages.roots(&places, &hall.storage),
            Arc::clone(&self.ledger) as _,
            self.settings.clone(),
            Arc::new(Timestamp::now),
        );
        if let (Some(checkout), true) = (&self.checkout, bound) {
            store = store.with_checkout(checkout.clone());
        }
        let memory = self.like.over(store, &hall.account);
        match places.handbook() {
            Some(handbook) => memory.with_handbook(handbook.pages),
            None => memory,
        }
    }
}

/// Conversations and what agents share, as this process is set up.
pub fn runtime(app: &App, halls: Arc<dyn Halls>) -> Runtime {
    let directory = app.places.project.as_ref().ok().and_then(|project| project.top.to_str().map(str::to_owned));
    Runtime::new(
        Arc::clone(&app.ledger) as _,
        halls,
        Arc::clone(&app.storages) as _,
        app.places.home.clone(),
        Where { directory, workspace: None, account: None },
        super::program("bwrap"),
        settings(&app.config),
    )
}

/// The limits of conversations and of commands in workspaces.
fn settings(config: &Config) -> loci_session::Settings {
    let number = |key: &str| usize::try_from(config.number(key)).unwrap_or(usize::MAX);
    let seconds = |key: &str| Duration::from_secs(config.number(key).max(1));
    loci_session::Settings {
        lease: seconds("sessions.lease_seconds"),
        claim: Duration::from_secs(config.number("sessions.claim_hours").saturating_mul(3600)),
        max_context: number("sessions.max_context_length"),
        sandbox: Limits {
            time: seconds("sandbox.time_limit_seconds"),
            output: number("sandbox.output_limit_bytes"),
            // Fewer than a shell and its init need would mean no command at all.
            processes: number("sandbox.processes").max(8),
        },
        file_bytes: config.number("daemon.body_bytes"),
    }
}

impl Halls for OwnHalls {
    fn open(&self, hall: &Hall) -> Memory {
        let Ok(mut open) = self.open.lock() else { return self.make(hall) };
        if let Some(memory) = open.get(hall) {
            return memory.clone();
        }
        let memory = self.make(hall);
        if open.len() >= KEPT {
            open.clear();
        }
        open.insert(hall.clone(), memory.clone());
        memory
    }
}
