//! Phase 2: the handbook of a project is made anew from one snapshot of all extractions, and put in place in one step.
//!
//! Owns the order of that: sweep what others staged, read, make, stage, look whether the claim still holds, swap. A failure
//! at any point leaves the last good handbook as it was.

use super::{Ended, unanswered};
use crate::rooms::Desk;
use crate::runner::Hold;
use crate::settings::{Settings, backoff};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_ledger::{Job, JobEnd, Ledger, Snapshot, Wanted};
use loci_memory::asked::Spent;
use loci_memory::consolidate::{Consolidate, Consolidated, MOST};
use std::fmt::Display;
use std::time::Duration;

/// The word for it.
pub const KIND: &str = "consolidate";
/// There is one job of it in a project.
const KEY: &str = "handbook";
/// What a generation was made of; hidden from every reader. Whoever finds its own in place was cut off just before the end.
const MADE_OF: &str = ".made-of";

/// The request for it, up to a change.
pub fn wanted(project: &str, changed: u64) -> Wanted {
    Wanted {
        kind: KIND.to_owned(),
        key: KEY.to_owned(),
        project: project.to_owned(),
        payload: String::new(),
        mark: Some(changed),
    }
}

/// What memory is asked for.
pub(crate) fn ask<'a>(snapshot: &'a Snapshot, settings: &Settings) -> Consolidate<'a> {
    Consolidate {
        extractions: &snapshot.extractions,
        input_tokens: settings.phase2_tokens,
        summary_tokens: settings.summary_tokens,
    }
}

/// What was found out on the way.
enum Stopped {
    /// Somebody else has the job now.
    Lost,
    /// It cannot be done this time.
    Trouble(String),
}

pub(crate) async fn run(ledger: &dyn Ledger, desk: &Desk, settings: &Settings, hold: &Hold<'_>, job: &Job) -> Ended {
    let mut spent = Spent::default();
    let pause = backoff(settings.phase2_retry, job.attempts);
    let end = match make(ledger, desk, settings, hold, job, &mut spent).await {
        Ok(end) => end,
        // Its claim is another's: nothing that is said here counts.
        Err(Stopped::Lost) => JobEnd::Later(Duration::ZERO),
        Err(Stopped::Trouble(why)) => JobEnd::Failed(why, pause),
    };
    Ended { end, spent }
}

async fn make(
    ledger: &dyn Ledger,
    desk: &Desk,
    settings: &Settings,
    hold: &Hold<'_>,
    job: &Job,
    spent: &mut Spent,
) -> Result<JobEnd, Stopped> {
    // From here on nobody who had the job before can put anything in place.
    desk.book.shelf.sweep().await.map_err(trouble)?;
    let snapshot = ledger.snapshot(&job.project, MOST).await.map_err(trouble)?;
    let made_of = made_of(&snapshot);
    if snapshot.changed <= snapshot.made || is_in_place(desk, &made_of).await {
        return Ok(JobEnd::Made(snapshot.changed));
    }
    let (consolidated, cost) = desk.memory.consolidate(ask(&snapshot, settings)).await.map_err(trouble)?;
    *spent += cost;
    match consolidated {
        Consolidated::Nothing => {
            held(hold).await?;
            desk.book.shelf.clear().await.map_err(trouble)?;
        }
        Consolidated::Book(book) => {
            let mut files = book.files;
            let mark = EntryPath::parse(MADE_OF).map_err(trouble)?;
            files.push((mark, Clean::kept(made_of.into_bytes())));
            let staged = desk.book.shelf.stage(files).await.map_err(trouble)?;
            if let Err(stopped) = held(hold).await {
                desk.book.shelf.discard(staged).await.map_err(trouble)?;
                return Err(stopped);
            }
            match desk.book.shelf.swap(staged).await {
                Ok(()) => {}
                // Somebody swept it: they have the job.
                Err(loci_store::Error::Missing) => return Err(Stopped::Lost),
                Err(error) => return Err(trouble(error)),
            }
        }
        Consolidated::Failed(why) => return Ok(unanswered(why, backoff(settings.phase2_retry, job.attempts))),
    }
    Ok(JobEnd::Made(snapshot.changed))
}

async fn held(hold: &Hold<'_>) -> Result<(), Stopped> {
    match hold.renew().await {
        Ok(true) => Ok(()),
        Ok(false) => Err(Stopped::Lost),
        Err(error) => Err(trouble(error)),
    }
}

/// What a generation is made of, in one word.
fn made_of(snapshot: &Snapshot) -> String {
    let mut text = format!("{}\n", snapshot.changed);
    for one in &snapshot.extractions {
        text.push_str(&format!("{} {} {}\n", one.at.as_microsecond(), one.mark, one.session));
    }
    Digest::of(text.as_bytes()).to_string()
}

/// Whether exactly this was put in place by somebody who did not live to say so.
async fn is_in_place(desk: &Desk, made_of: &str) -> bool {
    let Ok(mark) = EntryPath::parse(MADE_OF) else { return false };
    let read = desk.book.pages.read(&mark, 1_024).await;
    matches!(read, Ok(Some(blob)) if blob.bytes == made_of.as_bytes())
}

fn trouble(error: impl Display) -> Stopped {
    Stopped::Trouble(error.to_string())
}
