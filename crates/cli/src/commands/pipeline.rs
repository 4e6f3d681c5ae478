//! `loci pipeline`: background jobs and the two phases, and what became of them.

mod show;

use super::Outcome;
use crate::args::{Common, PipelineCommand};
use crate::boot::{App, OwnRooms};
use crate::fault::Failure;
use crate::output::{Bar, Output, count, line};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_domain::scope::Scope;
use loci_pipeline::{Rooms, Runner, Seat, last_report};
use loci_server::JobRow;
use loci_store::record::JobStatus;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Jobs that are shown at most.
const MOST: usize = 1_000;
/// A worker in the background waits so long for a job whose time has not come; then the next hook starts another.
const LINGER: Duration = Duration::from_secs(10);

pub async fn run(common: &Common, output: Output, command: PipelineCommand) -> Outcome {
    if matches!(command, PipelineCommand::Run { detached: true, .. }) {
        // Away from whoever started it: their signals and their terminal are none of its business.
        let _ = rustix::process::setsid();
    }
    let app = App::boot(common).await?;
    if app.read_only && !matches!(command, PipelineCommand::Status) {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    // Of all projects, unless a person names one: then that one, and not whatever is there instead.
    let project = match common.project.is_empty() {
        true => None,
        false => Some(app.memory.store().root(Some(Scope::Project))?.key.identity.0.as_str()),
    };
    match command {
        PipelineCommand::Status => status(&app, common, output, project).await,
        PipelineCommand::Run { detached: true, .. } => detached(&app, common).await,
        PipelineCommand::Run { dry_run: true, .. } => preview(&app, common, output, project).await,
        PipelineCommand::Run { .. } => now(&app, common, output, project).await,
        PipelineCommand::Retry { id } => again(&app, output, id, project).await,
        PipelineCommand::Cancel { id } => cancel(&app, output, id, project).await,
    }
}

async fn status(app: &App, common: &Common, output: Output, project: Option<&str>) -> Outcome {
    let jobs: Vec<JobRow> = app.ledger.jobs(project, MOST).await?.into_iter().map(JobRow::from).collect();
    let worker = !Seat::is_free(&app.places.home).await.unwrap_or(true);
    let off = OwnRooms::new(app, common).settings().map_or_else(Some, |settings| settings.off);
    let mut books = app.ledger.handbooks().await?;
    books.retain(|book| project.is_none_or(|project| project == book.project));
    let books: Vec<Value> = books
        .iter()
        .map(|book| {
            json!({"project": book.project, "extractions": book.extractions, "nothing": book.nothing,
                "madeAt": book.made_at, "outOfDate": book.changed > book.made})
        })
        .collect();
    let last = last_report(app.ledger.as_ref()).await?;
    let (spent, limit) = budget(app).await?;
    let told = json!({"jobs": jobs, "worker": worker, "off": off, "handbooks": books, "lastRun": last,
        "budget": {"spentToday": spent, "dailyLimit": limit, "reached": spent >= limit}});
    output.answer(&told, || {
        show::jobs(&jobs);
        show::handbooks(&books);
        if let Some(last) = &last {
            show::last(last);
        }
        show::budget(spent, limit);
        if let Some(off) = &off {
            show::off(off);
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// What models cost today, and what they may cost.
async fn budget(app: &App) -> Result<(u64, u64), Failure> {
    let today = app.memory.spend(1).await?;
    Ok((today.first().map_or(0, |day| day.cost.tokens), app.config.number("models.daily_token_limit")))
}

/// Does jobs with memory of whatever project.
pub fn runner(app: &App, common: &Common) -> Runner {
    Runner::new(Arc::clone(&app.ledger), Arc::new(OwnRooms::new(app, common)))
}

async fn preview(app: &App, common: &Common, output: Output, project: Option<&str>) -> Outcome {
    let preview = runner(app, common).preview(project).await?;
    let (spent, limit) = budget(app).await?;
    let left = limit.saturating_sub(spent);
    let told = json!({"dryRun": true, "run": preview, "budget": {"left": left, "fits": preview.input_tokens <= left}});
    output.answer(&told, || show::preview(&preview, left));
    Ok(ExitCode::SUCCESS)
}

async fn now(app: &App, common: &Common, output: Output, project: Option<&str>) -> Outcome {
    let runner = runner(app, common);
    let worked = runner.work(project).await?;
    let bar = Arc::new(Bar::new(output));
    let report = runner.pass(project, bar.clone()).await?;
    drop(bar);
    let done = worked.done + report.distilled + report.nothing + report.consolidated;
    let failed = worked.failed + report.failed.len();
    output.answer(&json!({"done": done, "failed": failed, "phases": report}), || {
        show::worked(worked.done, worked.failed);
        show::report(&report);
    });
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Works until nothing is left, unless somebody is at it. Gives the seat up before the last look: see [`Seat`].
async fn detached(app: &App, common: &Common) -> Outcome {
    let runner = runner(app, common);
    while let Some(seat) = Seat::take(&app.places.home).await? {
        loop {
            runner.work(None).await?;
            match runner.next(None).await? {
                Some(wait) if wait <= LINGER => tokio::time::sleep(wait.max(Duration::from_millis(20))).await,
                _ => break,
            }
        }
        drop(seat);
        if !matches!(runner.next(None).await?, Some(wait) if wait.is_zero()) {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn again(app: &App, output: Output, id: Option<u64>, project: Option<&str>) -> Outcome {
    let mut retried = 0;
    match id {
        Some(id) => {
            known(app, id).await?;
            if !app.ledger.retry_job(id, Timestamp::now()).await? {
                let text = format!("the job {id} did not fail; there is nothing to try again");
                return Err(Failure::new(Fault::Conflict, "job_not_failed", text));
            }
            retried = 1;
        }
        None => {
            for job in app.ledger.jobs(project, MOST).await? {
                retried += usize::from(app.ledger.retry_job(job.id, Timestamp::now()).await?);
            }
        }
    }
    crate::hooks::wake(app).await;
    output
        .answer(&json!({"retried": retried}), || line(&format!("{} to be tried again", count(retried, "job", "jobs"))));
    Ok(ExitCode::SUCCESS)
}

async fn cancel(app: &App, output: Output, id: Option<u64>, project: Option<&str>) -> Outcome {
    let mut cancelled = 0;
    match id {
        Some(id) => {
            known(app, id).await?;
            if !app.ledger.cancel_job(id, Timestamp::now()).await? {
                let text = format!("the job {id} is over; there is nothing to cancel");
                return Err(Failure::new(Fault::Conflict, "job_over", text));
            }
            cancelled = 1;
        }
        None => {
            let open = [JobStatus::Pending, JobStatus::Running, JobStatus::Error];
            for job in app.ledger.jobs(project, MOST).await?.into_iter().filter(|job| open.contains(&job.status)) {
                cancelled += usize::from(app.ledger.cancel_job(job.id, Timestamp::now()).await?);
            }
        }
    }
    output.answer(&json!({"cancelled": cancelled}), || line(&format!("{} given up", count(cancelled, "job", "jobs"))));
    Ok(ExitCode::SUCCESS)
}

async fn known(app: &App, id: u64) -> Result<(), Failure> {
    match app.ledger.job(id).await? {
        Some(_) => Ok(()),
        None => Err(Failure::new(Fault::Missing, "no_such_job", format!("there is no job {id}"))),
    }
}
