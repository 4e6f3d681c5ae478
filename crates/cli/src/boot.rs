//! From flags, files and environment to a ready [`Memory`].
//!
//! Owns which home, project, workspace, ledger and settings a process works with.
//! The environment is read here and in `config`, nowhere else.

mod afar;
mod around;
mod halls;
mod kept;
mod ledger;
mod measured;
mod project;
mod retention;
mod rooms;
mod settings;
mod sites;
pub mod storages;

pub use around::{directory, is_said, program};
pub use halls::{OwnHalls, runtime};
pub use ledger::{Engine, mend_ledger};
pub use measured::memory_in_ram;
pub use project::join_id;
pub use rooms::OwnRooms;
pub use settings::{Texts, settings, settings_now, texts_now};
pub use storages::OwnStorages;

use ledger::open_ledger;
use project::Found;

use crate::args::Common;
use crate::config::Config;
use crate::embedder;
use crate::fault::Failure;
use crate::models::{self, Chosen};
use crate::switches;
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_domain::project::is_workspace_id;
use loci_domain::workspace::Storage;
use loci_ledger::Ledger;
use loci_memory::Memory;
use loci_memory::prompts::Prompts;
use loci_memory::spend::LedgerMeter;
use loci_store::record::LOCAL;
use loci_store::workspace::Places;
use loci_store::{Settings, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that a command may need.
pub struct App {
    pub places: Places,
    pub config: Config,
    pub ledger: Arc<dyn Ledger>,
    /// The same by what it is.
    pub engine: Engine,
    pub memory: Memory,
    /// The places in which files of workspaces lie.
    pub storages: Arc<OwnStorages>,
    /// Where the files of the workspace lie.
    pub storage: Storage,
    /// A declared `project.id` that belongs to another root until a person joins it.
    pub unjoined: Option<String>,
    /// What is wrong with the settings of models; their roles have none.
    pub model_troubles: Vec<String>,
    /// The home cannot be written, so nothing that only the ledger keeps can be changed.
    pub read_only: bool,
    /// What a person should know before anything else.
    pub warnings: Vec<String>,
}

/// What to do with a ledger that is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Set it aside and rebuild it from the files.
    Mended,
    /// Leave it to somebody with more time.
    Refused,
}

/// The ledger that something is put together over.
enum Rows<'a> {
    /// This one.
    Open(&'a Engine),
    /// The one that settings name, still to be opened.
    Closed(Damage),
}

impl App {
    /// Puts everything together.
    pub async fn boot(common: &Common) -> Result<App, Failure> {
        App::lean(common, Damage::Mended).await?.ready().await
    }

    /// The same over a ledger that is open already: a daemon boots for every job, and would open it as often.
    pub async fn boot_over(common: &Common, engine: &Engine) -> Result<App, Failure> {
        App::assembled(common, Rows::Open(engine)).await?.ready().await
    }

    /// With models, and after the upkeep that is due.
    async fn ready(mut self) -> Result<App, Failure> {
        // What a call costs could not be kept in a home that is read-only, and the day's limit must hold.
        let Chosen { models, troubles } = match self.read_only {
            false => {
                let meter = LedgerMeter::new(self.memory.store().clone());
                models::choose(&self.config, |name| std::env::var(name).ok(), Arc::new(meter))
            }
            true => Chosen::default(),
        };
        self.memory = self.memory.with_models(models);
        self.model_troubles = troubles;
        match embedder::choose(&self.config, &self.places.home, |name| std::env::var(name).ok()) {
            Ok(Some(stronger)) => self.memory = self.memory.with_embedder(stronger),
            Ok(None) => {}
            Err(trouble) => self.model_troubles.push(format!("recall.embedder: {trouble}")),
        }
        retention::keep(&self.config, &*self.ledger).await;
        if let Err(error) = self.memory.recover().await {
            // Nobody is kept from reading by what cannot be put right now.
            tracing::warn!(%error, "a dream that was cut off is not taken back yet");
        }
        Ok(self)
    }

    /// The same without models and without upkeep, for who has milliseconds.
    pub async fn lean(common: &Common, damage: Damage) -> Result<App, Failure> {
        App::assembled(common, Rows::Closed(damage)).await
    }

    async fn assembled(common: &Common, rows: Rows<'_>) -> Result<App, Failure> {
        let home = home()?;
        let found = Found::of(&home, common).await;
        let texts = Texts::read(&home, found.as_ref().ok().and_then(Found::config))?;
        let mut config = settings(&texts, common)?;
        let mut warnings = std::mem::take(&mut config.warnings);
        let (engine, read_only) = match rows {
            Rows::Open(engine) => (engine.clone(), false),
            Rows::Closed(damage) => open_ledger(&home, &config, damage, &mut warnings).await?,
        };
        let ledger = engine.rows();
        let (project, unjoined) = match &found {
            Ok(found) => project::project(found, &config, &*ledger).await?,
            Err(reason) => (Err(reason.clone()), None),
        };
        let account = account(common, &*ledger).await?;
        // A project is of the person whose machine it is.
        let project = match &account {
            Some(_) => Err("projects belong to the account local".to_owned()),
            None => project,
        };
        let (project, checkout) = match (project, &found) {
            (Ok(project), Ok(found)) => match found.site(&config) {
                Ok(site) => (Ok(project), site),
                Err(reason) => (Err(reason), None),
            },
            (project, _) => (project, None),
        };
        let sites::Opened { site, bucket } = sites::site(&home, &config, &engine)?;
        let places = Places { home, site, checkout, account, project, workspace: workspace(common)? };
        let storages = OwnStorages::new(&config, Arc::clone(&places.site), bucket, Arc::clone(&ledger) as _);
        let storages = Arc::new(storages);
        let storage = storages::storage_of(&places, &*ledger).await?;
        let (record, roots) = (Arc::clone(&ledger), storages.roots(&places, &storage));
        let mut store = Store::scoped(roots, record, store_settings(&config), Arc::new(Timestamp::now));
        if let (Ok(project), None) = (&places.project, &places.checkout) {
            store = store.with_checkout(project.top.clone());
        }
        if read_only {
            store = store.frozen();
        }
        config.warnings = warnings.clone();
        let mut memory = Memory::new(store.clone());
        if let Some(account) = &places.account {
            memory = memory.over(store, account);
        }
        if let Some(handbook) = places.handbook() {
            memory = memory.with_handbook(handbook.pages);
        }
        let model_troubles = Vec::new();
        Ok(App {
            places,
            config,
            ledger,
            engine,
            memory,
            storages,
            storage,
            unjoined,
            model_troubles,
            read_only,
            warnings,
        })
    }

    /// Memory for the verbs: refused while memory is switched off, with the person's own prompts.
    pub fn verbs(&self) -> Result<Memory, Failure> {
        if let Some(why) = switches::why_off(&self.config, "memory") {
            return Err(Failure::new(Fault::Offline, "memory_off", format!("memory is switched off ({why})")));
        }
        self.with_prompts()
    }

    /// Memory with the person's own prompts, whatever the switches say: a daemon asks them for each request.
    pub fn with_prompts(&self) -> Result<Memory, Failure> {
        Ok(self.memory.clone().with_prompts(Prompts::with_own(own_prompts(&self.places.home)?)))
    }
}

/// The templates in `$LOCI_HOME/prompts/`, by file name; none when there is no such folder.
fn own_prompts(home: &Path) -> Result<BTreeMap<String, String>, Failure> {
    const LARGEST: u64 = 1 << 20;
    let mut own = BTreeMap::new();
    let Ok(folder) = std::fs::read_dir(home.join("prompts")) else { return Ok(own) };
    for file in folder.flatten().filter(|file| file.path().extension().is_some_and(|extension| extension == "md")) {
        let name = file.file_name().to_string_lossy().into_owned();
        let small = file.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
        let text = std::fs::read_to_string(file.path()).ok().filter(|_| small);
        let text = text.ok_or_else(|| {
            Failure::new(Fault::Invalid, "invalid_prompt", format!("the prompt {name} is no text of at most 1 MiB"))
        })?;
        own.insert(name, text);
    }
    Ok(own)
}

/// The caps of the store by settings.
pub fn store_settings(config: &Config) -> Settings {
    Settings {
        file_bytes: config.number("limits.file_bytes"),
        files_per_scope: config.number("limits.files_per_scope") as usize,
        index_lines: config.number("limits.index_lines") as usize,
        index_bytes: config.number("limits.index_bytes") as usize,
    }
}

/// `$LOCI_HOME`, else `~/.loci`; resolved once if it is a link.
pub fn home() -> Result<PathBuf, Failure> {
    let named = std::env::var_os("LOCI_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let fallback = || std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".loci"));
    let home = named.or_else(fallback).ok_or_else(|| {
        Failure::new(Fault::Offline, "no_home", "there is no home directory; set LOCI_HOME to a directory of your own")
    })?;
    let home = std::path::absolute(home)?;
    let home = home.canonicalize().unwrap_or(home);
    if home.is_file() {
        let text = format!("{} is a file; set LOCI_HOME to a directory of your own", home.display());
        return Err(Failure::new(Fault::Offline, "no_home", text));
    }
    Ok(home)
}

/// The account, unless it is `local`; one that is not there has no memory.
async fn account(common: &Common, ledger: &dyn Ledger) -> Result<Option<String>, Failure> {
    let Some(id) = common.account.clone().filter(|id| id != LOCAL) else { return Ok(None) };
    let known = ledger.accounts().await?.into_iter().any(|account| account.id == id);
    let missing = || Failure::new(Fault::Missing, "no_such_account", format!("there is no account {id}"));
    known.then(|| Some(id.clone())).ok_or_else(missing)
}

fn workspace(common: &Common) -> Result<Result<String, String>, Failure> {
    let id = common.workspace.clone().or_else(|| std::env::var("LOCI_WORKSPACE").ok()).filter(|id| !id.is_empty());
    match id {
        None => Ok(Err("no workspace id was given (use --workspace or LOCI_WORKSPACE)".to_owned())),
        Some(id) if is_workspace_id(&id) => Ok(Ok(id)),
        Some(id) => Err(Failure::usage(format!("{id:?} is no workspace id; use 1 to 64 of A-Z a-z 0-9 . _ -"))),
    }
}
