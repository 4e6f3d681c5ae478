//! What a run would do and cost. Nothing is claimed, asked or written.

use crate::jobs::{consolidate, distil};
use crate::rooms::Desk;
use crate::runner::Runner;
use crate::survey::Survey;
use jiff::Timestamp;
use loci_ledger::Result;
use loci_memory::consolidate::MOST;
use loci_memory::distil::Price;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a run would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Why it would do nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
    /// Sessions that were looked at.
    pub sessions: usize,
    /// How many would not be read, by the reason.
    pub skipped: BTreeMap<String, usize>,
    /// What would be done in each project.
    pub projects: Vec<Projected>,
    /// Questions to models in all, as far as they can be told now.
    pub questions: u64,
    /// Tokens of them, estimated. What is answered comes on top.
    pub input_tokens: u64,
}

/// What would be done in one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Projected {
    /// Its identity.
    pub project: String,
    /// Sessions that would be read.
    pub sessions: Vec<String>,
    /// Whether its handbook would be made: surely, or if a session comes to something.
    pub handbook: &'static str,
    /// Whether a model would be asked; without one nothing costs anything.
    pub model: bool,
    /// Questions to the model.
    pub questions: u64,
    /// Tokens of them, estimated.
    pub input_tokens: u64,
}

impl Runner {
    /// What a run would do for one project or for all.
    pub async fn preview(&self, project: Option<&str>) -> Result<Preview> {
        let settings = match self.rooms.settings() {
            Ok(settings) if settings.off.is_none() => settings,
            Ok(settings) => return Ok(Preview { off: settings.off, ..Preview::default() }),
            Err(off) => return Ok(Preview { off: Some(off), ..Preview::default() }),
        };
        let ledger = self.ledger.as_ref();
        let mut survey = Survey::of(ledger, &settings, project, Timestamp::now()).await?;
        let stale: BTreeSet<String> = ledger
            .handbooks()
            .await?
            .into_iter()
            .filter(|book| book.changed > book.made && project.is_none_or(|project| project == book.project))
            .map(|book| book.project)
            .collect();
        let names: BTreeSet<String> = survey.due.iter().map(|due| due.project.clone()).chain(stale.clone()).collect();
        let mut preview = Preview::default();
        let mut disabled = BTreeSet::new();
        for name in names {
            let Some(desk) = self.rooms.desk(&name).await.ok().filter(|desk| desk.off.is_none()) else {
                disabled.insert(name);
                continue;
            };
            let sessions: Vec<String> =
                survey.due.iter().filter(|due| due.project == name).map(|due| due.session.clone()).collect();
            let handbook = if stale.contains(&name) { "yes" } else { "if a session comes to something" };
            let mut projected = Projected { project: name, sessions, handbook, ..Projected::default() };
            if desk.memory.asks_models() {
                projected.model = true;
                for session in &projected.sessions {
                    let Price { questions, tokens } = priced(&desk, &projected.project, session, &settings).await;
                    projected.questions += questions;
                    projected.input_tokens += tokens;
                }
                let snapshot = ledger.snapshot(&projected.project, MOST).await?;
                let known = desk.memory.price_of_consolidation(consolidate::ask(&snapshot, &settings));
                projected.questions += 1;
                projected.input_tokens += known.unwrap_or_default();
            }
            preview.questions += projected.questions;
            preview.input_tokens += projected.input_tokens;
            preview.projects.push(projected);
        }
        survey.without(&disabled);
        preview.sessions = survey.sessions;
        preview.skipped = survey.skipped.iter().map(|(why, many)| (why.word().to_owned(), *many)).collect();
        Ok(preview)
    }
}

/// What one session would take; one that cannot be read takes nothing.
async fn priced(desk: &Desk, project: &str, session: &str, settings: &crate::Settings) -> Price {
    desk.memory.price_of(&distil::ask(project, session, settings)).await.unwrap_or_default()
}
