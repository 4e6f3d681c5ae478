//! Phase 1: one past session is read, and what it came to is kept together with the end of the job.

use super::{Ended, told, unanswered};
use crate::rooms::Desk;
use crate::settings::{Settings, backoff};
use jiff::Timestamp;
use loci_ledger::{Extraction, Job, JobEnd, Wanted};
use loci_memory::asked::Spent;
use loci_memory::distil::{Distil, Distilled, Read};
use std::time::Duration;

/// The word for it.
pub const KIND: &str = "distil";

/// A project that was switched off between the survey and now is looked at again so much later.
const OFF: Duration = Duration::from_secs(3600);

/// The request for it.
pub(crate) fn wanted(project: &str, session: &str, mark: u64) -> Wanted {
    Wanted {
        kind: KIND.to_owned(),
        key: session.to_owned(),
        project: project.to_owned(),
        payload: String::new(),
        mark: Some(mark),
    }
}

/// What memory is asked for.
pub(crate) fn ask(project: &str, session: &str, settings: &Settings) -> Distil {
    Distil { project: project.to_owned(), session: session.to_owned(), input_tokens: settings.stage1_tokens }
}

pub(crate) async fn run(desk: &Desk, settings: &Settings, job: &Job) -> Ended {
    if desk.off.is_some() {
        return Ended { end: JobEnd::Later(OFF), spent: Spent::default() };
    }
    let pause = backoff(settings.stage1_retry, job.attempts);
    match desk.memory.distil(&ask(&job.project, &job.key, settings)).await {
        Ok((Distilled::Read(read), spent)) => Ended { end: JobEnd::Distilled(Box::new(extraction(job, *read))), spent },
        Ok((Distilled::Gone, spent)) => Ended { end: JobEnd::Done(0), spent },
        Ok((Distilled::Failed(why), spent)) => Ended { end: unanswered(why, pause), spent },
        Err(error) => {
            tracing::warn!(%error, "a session could not be read");
            let end = JobEnd::Failed(told(&error), pause);
            Ended { end, spent: Spent::default() }
        }
    }
}

fn extraction(job: &Job, read: Read) -> Extraction {
    Extraction {
        project: job.project.clone(),
        session: job.key.clone(),
        mark: job.asked,
        kept_at: read.kept.session.kept_at,
        said_at: read.kept.session.at,
        raw_memory: read.raw_memory,
        summary: read.summary,
        slug: read.slug,
        at: Timestamp::now(),
    }
}
