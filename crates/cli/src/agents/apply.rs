//! A plan becomes true: all of it, or what was done is taken back.

use super::note;
use super::plan::Step;
use super::reach::Level;
use super::{diff, real};
use crate::fault::Failure;
use loci_ledger::Ledger;
use serde::Serialize;

/// What happened to a file.
#[derive(Debug, Clone, Serialize)]
pub struct Changed {
    /// Which one, `~/…` below the home.
    pub path: String,
    /// `created`, `changed`, `removed` or `unchanged`.
    pub change: &'static str,
    /// What of ours is in it.
    pub what: &'static str,
    /// Our lines and a little around them, without secrets.
    pub diff: String,
}

/// What connecting or disconnecting did, or would do.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    pub agent: &'static str,
    pub name: &'static str,
    pub level: &'static str,
    pub dry_run: bool,
    pub files: Vec<Changed>,
}

impl Done {
    /// True when nothing was to do.
    pub fn is_idle(&self) -> bool {
        self.files.iter().all(|file| file.change == "unchanged")
    }
}

/// What a step does, for answers.
pub fn shown(step: &Step) -> Changed {
    let change = match (&step.found.text, &step.after) {
        _ if step.is_idle() => "unchanged",
        (None, _) => "created",
        (Some(_), None) => "removed",
        (Some(_), Some(_)) => "changed",
    };
    let diff = diff::unified(&step.shown, step.found.text.as_deref(), step.after.as_deref());
    Changed { path: step.shown.clone(), change, what: step.what, diff }
}

/// Does all steps. The notes come first: a process that dies in between leaves nothing that nobody knows of.
pub async fn apply(ledger: &dyn Ledger, agent: &str, level: Level, steps: &[Step]) -> Result<(), Failure> {
    for step in steps.iter().filter(|step| step.note.is_some() && step.note != step.old) {
        note::keep(ledger, agent, &step.found.path, step.note.as_ref()).await?;
    }
    for (done, step) in steps.iter().enumerate() {
        if let Err(failure) = once(step, level) {
            for step in steps[..done].iter().rev().filter(|step| !step.is_idle()) {
                back(step, level);
            }
            for step in steps {
                note::keep(ledger, agent, &step.found.path, step.old.as_ref()).await?;
            }
            return Err(failure);
        }
    }
    for step in steps.iter().filter(|step| step.note.is_none()) {
        if let Some(old) = &step.old {
            real::remove_folders(&old.folders);
            note::keep(ledger, agent, &step.found.path, None).await?;
        }
    }
    Ok(())
}

fn once(step: &Step, level: Level) -> Result<(), Failure> {
    match &step.after {
        _ if step.is_idle() => Ok(()),
        Some(text) => real::write(&step.found, text, level, &step.shown),
        None if step.aside => {
            let name = format!("{}.edited", step.found.real.display());
            Ok(std::fs::rename(&step.found.real, name)?)
        }
        None => real::remove(&step.found, &step.shown),
    }
}

/// Puts a file back as it was found, as far as that goes.
fn back(step: &Step, level: Level) {
    let now = real::Found { text: step.after.clone(), ..step.found.clone() };
    let put = match &step.found.text {
        Some(text) => real::write(&now, text, level, &step.shown),
        None => real::remove(&now, &step.shown),
    };
    if let Err(failure) = put {
        tracing::error!(%failure, "a file is not put back");
    }
    if let Some(note) = &step.note {
        real::remove_folders(&note.folders);
    }
}
