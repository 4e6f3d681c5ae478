//! `loci pipeline`: background jobs, and what became of them.

use super::Outcome;
use crate::args::{Common, PipelineCommand};
use crate::boot::{App, OwnRooms};
use crate::fault::Failure;
use crate::output::{Output, ago, bold, count, dim, green, line, progress, red, yellow};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_pipeline::{Runner, Seat};
use loci_server::JobRow;
use loci_store::record::Jobs;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Jobs that are shown at most.
const MOST: usize = 1_000;
/// A worker in the background waits so long for a job whose time has not come; then the next hook starts another.
const LINGER: Duration = Duration::from_secs(10);

pub async fn run(common: &Common, output: Output, command: PipelineCommand) -> Outcome {
    if matches!(command, PipelineCommand::Run { detached: true }) {
        // Away from whoever started it: their signals and their terminal are none of its business.
        let _ = rustix::process::setsid();
    }
    let app = App::boot(common).await?;
    if app.read_only && !matches!(command, PipelineCommand::Status) {
        return Err(loci_store::Error::ReadOnlyDisk.into());
    }
    // Of all projects, unless a person names one.
    let project = if common.project.is_empty() { None } else { Some(app.memory.upkeep_of()?.0) };
    match command {
        PipelineCommand::Status => status(&app, output, project.as_deref()).await,
        PipelineCommand::Run { detached: true } => detached(&app, common).await,
        PipelineCommand::Run { detached: false } => now(&app, common, output, project.as_deref()).await,
        PipelineCommand::Retry { id } => retry(&app, output, id, project.as_deref()).await,
    }
}

async fn status(app: &App, output: Output, project: Option<&str>) -> Outcome {
    let jobs: Vec<JobRow> = app.ledger.jobs(project, MOST).await?.into_iter().map(JobRow::from).collect();
    let worker = !Seat::is_free(&app.places.home).await.unwrap_or(true);
    output.answer(&json!({"jobs": jobs, "worker": worker}), || {
        for job in &jobs {
            let status = format!("{:<9}", job.status);
            let status = match job.status {
                "done" => green(status),
                "exhausted" => red(status),
                "error" => yellow(status),
                _ => bold(status),
            };
            let mut said = vec![job.kind.clone(), ago(job.updated_at)];
            said.extend(job.error.clone());
            line(&format!("{:>5}  {status}  {}  {}", job.id, job.key, dim(said.join(" · "))));
        }
        if jobs.is_empty() {
            line(&dim("no jobs; hooks of connected agents make them"));
        }
        if jobs.iter().any(|job| matches!(job.status, "exhausted" | "error")) {
            line(&dim("loci pipeline retry NUMBER tries one again"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn runner(app: &App, common: &Common) -> Runner {
    let ledger = Arc::clone(&app.ledger);
    Runner::new(ledger, Arc::new(OwnRooms { common: common.clone() }))
}

async fn now(app: &App, common: &Common, output: Output, project: Option<&str>) -> Outcome {
    progress(output, "working…");
    let worked = runner(app, common).work(project).await?;
    output.answer(&json!({"done": worked.done, "failed": worked.failed}), || match (worked.done, worked.failed) {
        (0, 0) => line(&dim("nothing to do")),
        (done, 0) => line(&format!("{} done", count(done, "job", "jobs"))),
        (done, failed) => line(&format!("{} done, {failed} failed (loci pipeline status)", count(done, "job", "jobs"))),
    });
    Ok(ExitCode::SUCCESS)
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

async fn retry(app: &App, output: Output, id: Option<u64>, project: Option<&str>) -> Outcome {
    let mut retried = 0;
    match id {
        Some(id) => {
            if app.ledger.job(id).await?.is_none() {
                return Err(Failure::new(Fault::Missing, "no_such_job", format!("there is no job {id}")));
            }
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
