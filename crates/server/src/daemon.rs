//! What every route is given.
//!
//! Owns nothing by itself: it is the one place where the ready parts meet. `cli` puts them in.

use crate::acp::host::Spawn;
use crate::auth::{Caller, Keys};
use crate::clients::Registry;
use crate::events::Events;
use crate::fault::Refusal;
use crate::feed::Feed;
use crate::herald::Herald;
use crate::lane::{self, Lane, Lanes};
use crate::listen::{self, Listener};
use crate::metrics::Metrics;
use crate::names::Names;
use crate::now::{Now, Settled};
use crate::rate::Rate;
use crate::router::router;
use crate::setup::Setup;
use crate::{bells, upkeep};
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use loci_ledger::Ledger;
use loci_memory::Memory;
use loci_session::{Hall, Halls, Runtime};
use std::future::Future;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{broadcast, watch};

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
    /// `lane.*`.
    pub lane: lane::Settings,
}

/// What this daemon works for: one project, or none.
pub struct Bound {
    /// Its memory.
    pub memory: Memory,
    /// The directory it was started for, as clients are told.
    pub cwd: PathBuf,
    /// The name of its lane: the same for every daemon of this project.
    pub lane: String,
    /// What settings say for it.
    pub settled: Settled,
    /// Status and settings.
    pub setup: Box<dyn Setup>,
    /// How its worker is started.
    pub worker: Spawn,
    /// Memory of other accounts and of workspaces.
    pub halls: Arc<dyn Halls>,
    /// How the worker of a hall is started.
    pub workers: Arc<dyn Fn(&Hall) -> Spawn + Send + Sync>,
    /// Conversations, and what agents share.
    pub runtime: Runtime,
    /// What other daemons on the same ledger did, where it can tell.
    pub bells: Option<broadcast::Receiver<String>>,
}

struct Inner {
    settings: Settings,
    keys: Keys,
    names: Names,
    rate: Rate,
    clients: Registry,
    events: Arc<Events>,
    herald: Arc<Herald>,
    feed: Feed,
    metrics: Arc<Metrics>,
    lanes: Lanes,
    bound: Bound,
    ledger: Arc<dyn Ledger>,
}

/// The daemon, ready to answer; cheap to clone.
#[derive(Clone)]
pub struct Daemon(Arc<Inner>);

impl Daemon {
    /// A daemon of these parts.
    pub fn new(settings: Settings, keys: Keys, bound: Bound, ledger: Arc<dyn Ledger>) -> Daemon {
        let (events, metrics) = (Arc::new(Events::default()), Arc::new(Metrics::default()));
        let herald = Arc::new(Herald::new(Arc::clone(&ledger), Arc::clone(&events)));
        let shared = lane::Shared {
            ledger: Arc::clone(&ledger),
            settings: settings.lane.clone(),
            herald: Arc::clone(&herald),
            metrics: Arc::clone(&metrics),
            workers: Arc::default(),
        };
        let own = Lane::new(
            bound.lane.clone(),
            bound.lane.clone(),
            bound.memory.clone(),
            bound.worker.clone(),
            shared.clone(),
        );
        let lanes = Lanes::new(own, shared, Arc::clone(&bound.halls), Arc::clone(&bound.workers));
        Daemon(Arc::new(Inner {
            names: Names::new(settings.host, &settings.allowed_hosts, &settings.allowed_origins),
            rate: Rate::new(settings.rate_per_second),
            clients: Registry::default(),
            settings,
            keys,
            feed: Feed::new(bound.memory.clone()),
            events,
            herald,
            metrics,
            lanes,
            bound,
            ledger,
        }))
    }

    /// Answers requests and runs tasks until `stop`; a task that is under way then finishes soon or is handed back.
    /// `mounted` is what other surfaces add behind the same guard.
    pub async fn serve(&self, listener: Listener, mounted: Router<Daemon>, stop: impl Future<Output = ()>) {
        let (tell, told) = watch::channel(false);
        // Before anybody can come back: who missed something must find it.
        if let Err(error) = self.herald().look().await {
            tracing::warn!(%error, "events of an earlier life are told later");
        }
        let worker = tokio::spawn({
            let (daemon, told) = (self.clone(), told.clone());
            async move { daemon.lanes().run(told).await }
        });
        let feed = tokio::spawn({
            let daemon = self.clone();
            let told = told.clone();
            async move { daemon.feed().run(told).await }
        });
        let herald = tokio::spawn({
            let (daemon, told) = (self.clone(), told.clone());
            async move { daemon.herald().run(told).await }
        });
        let bells = tokio::spawn({
            let (daemon, told) = (self.clone(), told.clone());
            async move {
                if let Some(heard) = daemon.bound().bells.as_ref().map(broadcast::Receiver::resubscribe) {
                    bells::run(&daemon, heard, told).await;
                }
            }
        });
        let upkeep = tokio::spawn({
            let daemon = self.clone();
            async move { upkeep::run(&daemon, told).await }
        });
        let stopped = async {
            stop.await;
            self.events().close();
            tell.send_replace(true);
        };
        listen::serve(listener, router(self.clone(), mounted), stopped).await;
        for (name, part) in [("lane", worker), ("feed", feed), ("herald", herald), ("bells", bells), ("upkeep", upkeep)]
        {
            if let Err(error) = part.await {
                tracing::error!(%error, name, "a part of the daemon came to a bad end");
            }
        }
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
            Refusal::broken("settings_failed", error)
        })
    }

    /// Status and settings.
    pub(crate) fn setup(&self) -> &dyn Setup {
        self.0.bound.setup.as_ref()
    }

    /// What the daemon works for.
    pub fn bound(&self) -> &Bound {
        &self.0.bound
    }

    /// The rows.
    pub fn ledger(&self) -> &dyn Ledger {
        self.0.ledger.as_ref()
    }

    pub(crate) fn lanes(&self) -> &Lanes {
        &self.0.lanes
    }

    /// Conversations, and what agents share.
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.0.bound.runtime
    }

    /// The memory that a caller sees: that of the daemon's project, or of their own account.
    pub(crate) fn memory_for(&self, caller: &Caller) -> Memory {
        match caller {
            Caller::Owner | Caller::Named { .. } => self.0.bound.memory.clone(),
            Caller::Account { id, .. } => self.0.bound.halls.open(&Hall::of(id, None)),
        }
    }

    /// The directory that the daemon works for; nothing of another account's business.
    pub(crate) fn cwd_for(&self, caller: &Caller) -> String {
        match caller {
            Caller::Owner | Caller::Named { .. } => self.0.bound.cwd.display().to_string(),
            Caller::Account { .. } => String::new(),
        }
    }

    pub(crate) fn events(&self) -> &Events {
        &self.0.events
    }

    pub(crate) fn feed(&self) -> &Feed {
        &self.0.feed
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn herald(&self) -> &Herald {
        &self.0.herald
    }

    /// Where the events of an account's own lane are heard.
    pub(crate) fn room_of(&self, caller: &Caller) -> String {
        match caller {
            Caller::Owner | Caller::Named { .. } => self.0.bound.lane.clone(),
            Caller::Account { id, .. } => id.clone(),
        }
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

/// The memory of whoever asks.
pub struct Mine(pub Memory);

impl FromRequestParts<Daemon> for Mine {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, daemon: &Daemon) -> Result<Mine, Refusal> {
        // The guard puts it in; without it nobody is asking.
        let caller = parts.extensions.get::<Caller>().ok_or_else(|| Refusal::bug("internal"))?;
        Ok(Mine(daemon.memory_for(caller)))
    }
}
