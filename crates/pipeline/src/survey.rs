//! What is to be done: which sessions are due for phase 1, and why the others are not.
//!
//! Owns the rules of eligibility and their order. Never claims, asks or writes anything.
//! Start at [`Survey::of`].

use crate::jobs::{distil, extract_turn};
use crate::settings::Settings;
use jiff::Timestamp;
use loci_ledger::{Job, JobStatus, Kept, LOCAL, Ledger, Result};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Why a session is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// Nothing was said in it since it was read.
    Unchanged,
    /// It belongs to no project, so there is no handbook for it.
    NoProject,
    /// A turn of it has just ended, and is being looked at.
    Active,
    /// Something was said in it too recently.
    TooYoung,
    /// Nothing was said in it for too long.
    TooOld,
    /// It failed, and its time to be tried again has not come.
    WaitsForRetry,
    /// The day's tokens were used up; it waits for the next UTC day.
    WaitsForBudget,
    /// It failed as often as it may, or was cancelled: a person can have it tried again.
    Exhausted,
    /// A run reads so many and no more; the next one goes on.
    OverLimit,
    /// The project wants no handbook.
    Disabled,
}

impl Skip {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Skip::Unchanged => "unchanged",
            Skip::NoProject => "no_project",
            Skip::Active => "active",
            Skip::TooYoung => "too_young",
            Skip::TooOld => "too_old",
            Skip::WaitsForRetry => "waits_for_retry",
            Skip::WaitsForBudget => "waits_for_budget",
            Skip::Exhausted => "exhausted",
            Skip::OverLimit => "over_limit",
            Skip::Disabled => "disabled",
        }
    }
}

/// A session to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The identity of its project.
    pub project: String,
    /// Its name.
    pub session: String,
    /// How far it is to be read.
    pub mark: u64,
}

/// What there is to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Sessions that were looked at.
    pub sessions: usize,
    /// Sessions to be read, those that somebody asked for already first, then by their last words, newest first.
    pub due: Vec<Due>,
    /// How many are not read, and why.
    pub skipped: BTreeMap<Skip, usize>,
}

/// What is on record of a session besides itself.
struct Known {
    marks: HashMap<(String, String), (u64, Timestamp)>,
    jobs: HashMap<(String, String), Job>,
    active: BTreeSet<(String, String)>,
}

impl Survey {
    /// Looks at all sessions, or at those of one project.
    pub async fn of(ledger: &dyn Ledger, settings: &Settings, project: Option<&str>, now: Timestamp) -> Result<Survey> {
        let known = Known::of(ledger, project).await?;
        let mut survey = Survey::default();
        let mut due: Vec<(bool, Due)> = Vec::new();
        for kept in ledger.sessions(LOCAL).await? {
            if project.is_some_and(|project| kept.session.whose.project != project) {
                continue;
            }
            survey.sessions += 1;
            match known.judge(&kept, settings, now) {
                Ok(found) => due.push(found),
                Err(skip) => survey.skip(skip, 1),
            }
        }
        due.sort_by_key(|(asked, _)| Reverse(*asked));
        if due.len() > settings.most {
            survey.skip(Skip::OverLimit, due.len() - settings.most);
            due.truncate(settings.most);
        }
        survey.due = due.into_iter().map(|(_, due)| due).collect();
        Ok(survey)
    }

    /// Leaves out what is due in projects that want no handbook.
    pub fn without(&mut self, disabled: &BTreeSet<String>) {
        let before = self.due.len();
        self.due.retain(|due| !disabled.contains(&due.project));
        let left_out = before - self.due.len();
        if left_out > 0 {
            self.skip(Skip::Disabled, left_out);
        }
    }

    fn skip(&mut self, why: Skip, how_many: usize) {
        *self.skipped.entry(why).or_default() += how_many;
    }
}

impl Known {
    async fn of(ledger: &dyn Ledger, project: Option<&str>) -> Result<Known> {
        let marks = ledger.watermarks().await?;
        let jobs = ledger.jobs_of(distil::KIND, project).await?;
        let turns = ledger.jobs_of(extract_turn::KIND, project).await?;
        let open = |job: &Job| matches!(job.status, JobStatus::Pending | JobStatus::Running);
        Ok(Known {
            marks: marks.into_iter().map(|one| ((one.project, one.session), (one.mark, one.kept_at))).collect(),
            jobs: jobs.into_iter().map(|job| ((job.project.clone(), job.key.clone()), job)).collect(),
            active: turns.into_iter().filter(open).map(|job| (job.project, job.key)).collect(),
        })
    }

    /// Whether a session is due, and whether somebody asked for it already.
    fn judge(&self, kept: &Kept, settings: &Settings, now: Timestamp) -> std::result::Result<(bool, Due), Skip> {
        let session = &kept.session;
        let name = (session.whose.project.clone(), session.id.clone());
        if name.0.is_empty() {
            return Err(Skip::NoProject);
        }
        let last = self.marks.get(&name);
        if kept.messages == 0 || last.is_some_and(|(_, kept_at)| *kept_at == session.kept_at) {
            return Err(Skip::Unchanged);
        }
        if self.active.contains(&name) {
            return Err(Skip::Active);
        }
        let idle = now.duration_since(session.at);
        if idle < settings.min_idle {
            return Err(Skip::TooYoung);
        }
        if idle > settings.max_age {
            return Err(Skip::TooOld);
        }
        // It grows also when the clock was set back between two imports.
        let written = u64::try_from(session.kept_at.as_microsecond()).unwrap_or_default();
        let mark = written.max(last.map_or(0, |(mark, _)| mark + 1));
        let job = self.jobs.get(&name);
        if let Some(job) = job.filter(|job| job.asked >= mark) {
            let waits = job.until.is_some_and(|until| until > now);
            match job.status {
                JobStatus::Exhausted => return Err(Skip::Exhausted),
                JobStatus::Error if waits => return Err(Skip::WaitsForRetry),
                JobStatus::Pending if waits => return Err(Skip::WaitsForBudget),
                _ => {}
            }
        }
        let asked = job.is_some_and(|job| job.status != JobStatus::Done);
        Ok((asked, Due { project: name.0, session: name.1, mark }))
    }
}

#[cfg(test)]
mod tests;
