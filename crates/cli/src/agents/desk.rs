//! Connecting and disconnecting, as the command line and the daemon ask for it.

use super::call::{self, Call};
use super::content::Seen;
use super::plan::{self, State, Step};
use super::reach::{Level, Reach};
use super::{Agent, Done, apply, note, real};
use crate::boot::App;
use crate::fault::Failure;
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_ledger::Ledger;
use loci_store::lock::{FileLock, Lock};
use std::path::{Path, PathBuf};

/// Whether it is done or only told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    Dry,
    Real,
}

/// How an agent stands at one level.
pub struct Standing {
    pub state: State,
    /// The mode it is connected in.
    pub mode: Option<Mode>,
    /// The files that connect it, or would.
    pub files: Vec<String>,
    /// What keeps its files from being read.
    pub trouble: Option<String>,
}

/// Everything that connecting needs to know of this machine.
pub struct Desk<'a> {
    ledger: &'a dyn Ledger,
    lock: FileLock,
    reach: Reach,
    call: Call,
    path: String,
}

impl<'a> Desk<'a> {
    /// The desk for one level; a project's needs a project.
    pub fn new(app: &'a App, level: Level) -> Result<Desk<'a>, Failure> {
        let project = match (&app.places.project, level) {
            (Ok(_), Level::Project) if app.places.checkout.is_some() => {
                let text = "the project is on another machine; connect its agents there";
                return Err(Failure::new(Fault::Offline, "scope_unavailable", text));
            }
            (Ok(_), Level::User) if app.places.checkout.is_some() => PathBuf::new(),
            (Ok(project), _) => project.top.clone(),
            (Err(_), Level::User) => PathBuf::new(),
            (Err(reason), Level::Project) => {
                return Err(Failure::new(Fault::Offline, "scope_unavailable", reason.clone()));
            }
        };
        let reach = Reach::of(level, project)?;
        let path = std::env::var("PATH").unwrap_or_default();
        let own = std::env::current_exe()?;
        // A project's files are for others too, whose home is elsewhere.
        let moved = level == Level::User && std::env::var_os("LOCI_HOME").is_some_and(|named| !named.is_empty());
        let moved =
            (moved && app.places.home != reach.home.join(".loci")).then(|| app.places.home.display().to_string());
        let call = Call { program: call::program(&own, &path), mode: Mode::Exec, home: moved };
        let lock = FileLock::File(app.places.home.join("locks").join("agents.lock"));
        Ok(Desk { ledger: app.ledger.as_ref(), lock, reach, call, path })
    }

    /// Whether the agent is on this machine.
    pub fn has(&self, agent: &Agent) -> bool {
        (agent.folder)(&self.reach).is_dir() || call::on_path(agent.program, &self.path).is_some()
    }

    /// How an agent stands to Loci.
    pub fn look(&self, agent: &Agent) -> Standing {
        let mut best = Standing { state: State::Apart, mode: None, files: Vec::new(), trouble: None };
        for mode in [Mode::Exec, Mode::Plan, Mode::Explore] {
            let files = agent.files(&self.reach, &Call { mode, ..self.call.clone() });
            best.files = files.iter().map(|file| self.shown(&file.path)).collect();
            let mut seen = Vec::new();
            for file in &files {
                let found = real::read(&file.path, &self.shown(&file.path));
                match found.map(|found| found.text.map(|text| file.content.seen(&text))) {
                    Ok(None) => seen.push(Seen::Nothing),
                    Ok(Some(Ok(one))) => seen.push(one),
                    Ok(Some(Err(wrong))) => {
                        best.trouble = Some(format!("{}, line {}: {}", self.shown(&file.path), wrong.line, wrong.what));
                    }
                    Err(failure) => best.trouble = Some(failure.message),
                }
            }
            if seen.len() == files.len() && seen.iter().all(|one| *one == Seen::All) {
                return Standing { state: State::Connected, mode: Some(mode), ..best };
            }
            if seen.iter().any(|one| *one != Seen::Nothing) {
                best.state = State::Partly;
            }
        }
        best
    }

    /// Puts Loci into an agent's configuration. Without a mode the one it has stays.
    pub async fn connect(&self, agent: &'static Agent, mode: Option<Mode>, run: Run) -> Result<Done, Failure> {
        let mode = mode.or_else(|| self.look(agent).mode).unwrap_or(Mode::Exec);
        self.change(agent, &Call { mode, ..self.call.clone() }, run, plan::connect).await
    }

    /// Takes it out again.
    pub async fn disconnect(&self, agent: &'static Agent, run: Run) -> Result<Done, Failure> {
        self.change(agent, &self.call, run, plan::disconnect).await
    }

    async fn change(&self, agent: &'static Agent, call: &Call, run: Run, plan: Plan) -> Result<Done, Failure> {
        let _held = match run {
            Run::Real => Some(self.lock.hold().await?),
            Run::Dry => None,
        };
        let mut steps: Vec<Step> = Vec::new();
        for file in agent.files(&self.reach, call) {
            let old = note::read(self.ledger, agent.id, &file.path).await?;
            steps.push(plan(&file, self.shown(&file.path), old)?);
        }
        if run == Run::Real {
            apply::apply(self.ledger, agent.id, self.reach.level, &steps).await?;
        }
        let files = steps.iter().map(apply::shown).collect();
        let level = self.reach.level.word();
        Ok(Done { agent: agent.id, name: agent.name, level, dry_run: run == Run::Dry, files })
    }

    /// A path as people read it.
    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.reach.home) {
            Ok(inner) => format!("~/{}", inner.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

type Plan = fn(&super::File, String, Option<note::Note>) -> Result<Step, Failure>;
