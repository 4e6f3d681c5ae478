//! A run of both phases: survey, read sessions side by side, then make the handbooks that are out of date.
//!
//! Owns the order, how many are read at once and at most, and the report. A job that failed is not tried again in the same
//! run; one that another process is at is left to it.
//! Start at [`Runner::pass`].

mod preview;
mod tally;

pub use preview::{Preview, Projected};

use crate::jobs::{Ended, PHASES, consolidate, distil};
use crate::report::Report;
use crate::rooms::Desk;
use crate::runner::{Runner, Wants, is_dead};
use crate::settings::Settings;
use crate::survey::Survey;
use jiff::Timestamp;
use loci_ledger::{Job, JobEnd, Result};
use loci_memory::asked::Spent;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

/// Desks that are kept open: each has a connection of its own.
const DESKS: usize = 8;

/// Is told how far a run is.
pub trait Progress: Send + Sync {
    /// So many sessions are to be read.
    fn due(&self, sessions: usize);

    /// A job has begun: of this kind, with this.
    fn began(&self, kind: &str, key: &str);

    /// A job has ended.
    fn ended(&self, kind: &str, key: &str);
}

/// Tells nobody.
pub struct Quietly;

impl Progress for Quietly {
    fn due(&self, _: usize) {}
    fn began(&self, _: &str, _: &str) {}
    fn ended(&self, _: &str, _: &str) {}
}

/// What the workers of a run share.
struct Run {
    runner: Runner,
    settings: Settings,
    project: Option<String>,
    progress: Arc<dyn Progress>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    report: Report,
    /// Jobs that are not tried again in this run.
    passed_over: Vec<u64>,
    /// How many were claimed.
    claimed: usize,
    desks: BTreeMap<String, Arc<Desk>>,
}

impl Runner {
    /// Runs both phases for one project or for all, and notes what came of it.
    pub async fn pass(&self, project: Option<&str>, progress: Arc<dyn Progress>) -> Result<Report> {
        self.noted(self.phases(project, progress, Phases::Both).await?).await
    }

    /// Makes handbooks that are out of date, and reads no session.
    pub async fn make_handbooks(&self, project: Option<&str>, progress: Arc<dyn Progress>) -> Result<Report> {
        self.noted(self.phases(project, progress, Phases::Second).await?).await
    }

    /// The same for all projects, with nobody looking on. Notes only what did something: a daemon that finds nothing to do
    /// each hour does not hide what it did last.
    pub(crate) async fn pass_unattended(&self) -> Result<Report> {
        let report = self.phases(None, Arc::new(Quietly), Phases::Both).await?;
        if report.is_idle() { Ok(report) } else { self.noted(report).await }
    }

    /// Keeps a report as that of the last run, unless the phases are switched off.
    async fn noted(&self, report: Report) -> Result<Report> {
        if report.off.is_none() {
            report.note(self.ledger.as_ref()).await?;
        }
        Ok(report)
    }

    async fn phases(&self, project: Option<&str>, progress: Arc<dyn Progress>, which: Phases) -> Result<Report> {
        let started_at = Timestamp::now();
        let mut report = Report { started_at, project: project.map(str::to_owned), ..Report::default() };
        let settings = match self.rooms.settings() {
            Ok(Settings { off: Some(off), .. }) => {
                report.off = Some(off);
                report.ended_at = started_at;
                return Ok(report);
            }
            Ok(settings) => settings,
            Err(off) => return Ok(Report { off: Some(off), ended_at: started_at, ..report }),
        };
        let state = Mutex::new(State { report, ..State::default() });
        let project = project.map(str::to_owned);
        let run = Arc::new(Run { runner: self.clone(), settings, project, progress, state });
        if which == Phases::Both {
            run.clone().read_sessions().await?;
        }
        run.make_handbooks().await?;
        let mut report = std::mem::take(&mut run.state.lock().await.report);
        report.ended_at = Timestamp::now();
        Ok(report)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phases {
    Both,
    Second,
}

impl Run {
    /// Phase 1.
    async fn read_sessions(self: Arc<Run>) -> Result<()> {
        let ledger = self.runner.ledger.as_ref();
        let project = self.project.as_deref();
        let mut survey = Survey::of(ledger, &self.settings, project, Timestamp::now()).await?;
        let projects: BTreeSet<String> = survey.due.iter().map(|due| due.project.clone()).collect();
        let mut disabled = BTreeSet::new();
        for project in projects {
            if self.desk(&project).await.is_none_or(|desk| desk.off.is_some()) {
                disabled.insert(project);
            }
        }
        survey.without(&disabled);
        {
            // Asked for when the project still wanted a handbook, or before somebody went on talking: they wait until they
            // are due again.
            let due: BTreeSet<(&str, &str)> = survey.due.iter().map(|due| (&*due.project, &*due.session)).collect();
            let all = ledger.jobs_of(distil::KIND, project).await?;
            let others = all.iter().filter(|job| !due.contains(&(&*job.project, &*job.key)));
            self.state.lock().await.passed_over.extend(others.map(|job| job.id));
        }
        for due in &survey.due {
            ledger.enqueue_job(&distil::wanted(&due.project, &due.session, due.mark), Timestamp::now()).await?;
        }
        self.progress.due(survey.due.len());
        {
            let report = &mut self.state.lock().await.report;
            report.sessions = survey.sessions;
            report.skipped = survey.skipped.iter().map(|(why, many)| (why.word().to_owned(), *many)).collect();
        }
        let mut workers = JoinSet::new();
        for _ in 0..self.settings.concurrency.clamp(1, 64).min(survey.due.len().max(1)) {
            let run = Arc::clone(&self);
            workers.spawn(async move { run.read_one_after_the_other().await });
        }
        // All of them are waited for: one's trouble must not cut the others off in the middle of a question.
        let mut first = Ok(());
        while let Some(ended) = workers.join_next().await {
            first = first.and(ended.unwrap_or_else(|lost| Err(loci_ledger::Error::Engine(lost.to_string()))));
        }
        first?;
        self.count_waiting(distil::KIND, project).await
    }

    async fn read_one_after_the_other(&self) -> Result<()> {
        let terms = self.settings.stage1();
        loop {
            let passed_over = {
                let mut state = self.state.lock().await;
                if state.claimed >= self.settings.most {
                    return Ok(());
                }
                state.claimed += 1;
                state.passed_over.clone()
            };
            let wants =
                Wants { kinds: &[distil::KIND], project: self.project.as_deref(), passed_over: &passed_over, terms };
            let Some(job) = self.runner.claim(&wants).await? else { return Ok(()) };
            self.progress.began(&job.kind, &job.key);
            let mut spent = Spent::default();
            let work = async {
                let Some(desk) = self.desk(&job.project).await else {
                    return JobEnd::Failed("memory_unavailable".to_owned(), self.settings.stage1_retry);
                };
                let Ended { end, spent: cost } = distil::run(&desk, &self.settings, &job).await;
                spent = cost;
                end
            };
            let end = self.runner.run_claimed(&job, terms, &self.runner.hold(&job, terms), work).await?;
            self.count(&job, end, spent).await;
        }
    }

    /// Phase 2.
    async fn make_handbooks(&self) -> Result<()> {
        let ledger = self.runner.ledger.as_ref();
        for book in ledger.handbooks().await? {
            let other = self.project.as_ref().is_some_and(|project| *project != book.project);
            if other || book.changed <= book.made {
                continue;
            }
            if self.desk(&book.project).await.is_none_or(|desk| desk.off.is_some()) {
                continue;
            }
            if !ledger.enqueue_job(&consolidate::wanted(&book.project, book.changed), Timestamp::now()).await? {
                self.state.lock().await.report.given_up += 1;
                continue;
            }
            if self.is_read_elsewhere(&book.project).await? {
                // Whoever reads will make the handbook of all of it.
                self.state.lock().await.report.left_to_others += 1;
                continue;
            }
            self.make(&book.project).await?;
            self.count_waiting(consolidate::KIND, Some(&book.project)).await?;
        }
        Ok(())
    }

    async fn make(&self, project: &str) -> Result<()> {
        let terms = self.settings.phase2();
        loop {
            let passed_over = self.state.lock().await.passed_over.clone();
            let wants = Wants { kinds: &[consolidate::KIND], project: Some(project), passed_over: &passed_over, terms };
            let Some(job) = self.runner.claim(&wants).await? else { return Ok(()) };
            self.progress.began(&job.kind, project);
            let mut spent = Spent::default();
            let hold = self.runner.hold(&job, terms);
            let work = async {
                let Some(desk) = self.desk(project).await else {
                    return JobEnd::Failed("memory_unavailable".to_owned(), self.settings.phase2_retry);
                };
                let ledger = self.runner.ledger.as_ref();
                let Ended { end, spent: cost } = consolidate::run(ledger, &desk, &self.settings, &hold, &job).await;
                spent = cost;
                end
            };
            let end = self.runner.run_claimed(&job, terms, &hold, work).await?;
            self.count(&job, end, spent).await;
        }
    }

    /// Whether another live process reads a session of the project right now.
    async fn is_read_elsewhere(&self, project: &str) -> Result<bool> {
        let now = Timestamp::now();
        let running = self.runner.ledger.running_jobs().await?;
        let reads = |job: &Job| job.kind == distil::KIND && job.project == project;
        let lives = |job: &Job| job.until.is_some_and(|until| until > now) && !is_dead(job);
        Ok(running.iter().any(|job| reads(job) && lives(job)))
    }

    /// The desk of a project; `None` when memory cannot be opened for it.
    async fn desk(&self, project: &str) -> Option<Arc<Desk>> {
        if let Some(desk) = self.state.lock().await.desks.get(project) {
            return Some(Arc::clone(desk));
        }
        // Without the lock: opening may take a while, and others have to count. Two who open one at once have two, once.
        match self.runner.rooms.desk(project).await {
            Ok(desk) => {
                let mut state = self.state.lock().await;
                if state.desks.len() >= DESKS {
                    state.desks.pop_first();
                }
                let desk = Arc::new(desk);
                state.desks.insert(project.to_owned(), Arc::clone(&desk));
                Some(desk)
            }
            Err(error) => {
                tracing::warn!(error, "memory cannot be opened for a project");
                None
            }
        }
    }
}

impl Runner {
    /// Whether a phase waits to be run.
    pub(crate) async fn phases_wait(&self) -> Result<bool> {
        Ok(self.next_of(&PHASES, None).await?.is_some_and(|wait| wait.is_zero()))
    }
}
