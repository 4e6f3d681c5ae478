//! `loci memory`: the handbook of this project.

use super::{Outcome, context, pipeline};
use crate::args::{Common, MemoryCommand};
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Bar, Output, can_ask, confirmed, count, dim, green, line, print, yellow};
use crate::switches;
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_domain::scope::Scope;
use loci_pipeline::Seat;
use loci_pipeline::jobs::{PHASES, consolidate};

use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;

pub async fn run(common: &Common, output: Output, command: MemoryCommand) -> Outcome {
    let app = App::boot(common).await?;
    for warning in &app.warnings {
        output.warn(warning);
    }
    // The scope says why there is no project, and so no handbook.
    let project = app.memory.store().root(Some(Scope::Project))?.key.identity.0.clone();
    if app.read_only && !matches!(command, MemoryCommand::View) {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    match command {
        MemoryCommand::View => view(&app, output).await,
        MemoryCommand::Clear { yes } | MemoryCommand::Reset { yes } => clear(&app, output, &project, yes).await,
        MemoryCommand::Enqueue => enqueue(&app, output, &project).await,
        MemoryCommand::Rebuild => rebuild(&app, common, output, &project).await,
    }
}

async fn view(app: &App, output: Output) -> Outcome {
    let given = context::settled(&app.config).summary_tokens;
    let view = app.with_prompts().view_handbook(given).await?;
    output.answer(&view, || {
        let Some(handbook) = &view.handbook else {
            line(&dim("there is no handbook yet; `loci pipeline run` makes one of past sessions"));
            return told_off(app);
        };
        print(&view.injected);
        if !view.injected.is_empty() {
            line("");
        }
        print(handbook);
        if !view.skills.is_empty() {
            line(&dim(format!("\nskills: {}", view.skills.join(", "))));
        }
        told_off(app);
    });
    Ok(ExitCode::SUCCESS)
}

fn told_off(app: &App) {
    if let Some(why) = switches::why_off(&app.config, "memories") {
        line(&dim(format!("the pipeline is off, and agents are given nothing of it: {why}")));
    }
}

async fn clear(app: &App, output: Output, project: &str, yes: bool) -> Outcome {
    let question = "Take the handbook of this project away, with all that its sessions came to?";
    if !yes && can_ask(output) && !confirmed(question)? {
        line("nothing was taken away");
        return Ok(ExitCode::SUCCESS);
    }
    // The rows first: whoever works on it then settles nothing, and what they staged is swept with the folder.
    let cleared = app.ledger.clear_extractions(project, &PHASES).await?;
    app.places.handbook_of(project).shelf.clear().await?;
    output.answer(&json!({"extractions": cleared.extractions, "jobs": cleared.jobs}), || {
        let what = count(usize::try_from(cleared.extractions).unwrap_or(usize::MAX), "extraction", "extractions");
        line(&match cleared.extractions {
            0 => "there is no handbook of this project, and nothing that one is made of".to_owned(),
            _ => format!("the handbook is gone, with {what}; sessions and memories stay"),
        });
    });
    Ok(ExitCode::SUCCESS)
}

async fn enqueue(app: &App, output: Output, project: &str) -> Outcome {
    make_anew(app, project).await?;
    let worker = !Seat::is_free(&app.places.home).await.unwrap_or(true);
    output.answer(&json!({"enqueued": true, "worker": worker}), || {
        line(match worker {
            true => "the handbook is made anew in the background",
            false => "the handbook is made anew at the next run: by `loci pipeline run`, or when a daemon starts",
        });
        told_off(app);
    });
    Ok(ExitCode::SUCCESS)
}

async fn rebuild(app: &App, common: &Common, output: Output, project: &str) -> Outcome {
    if let Some(why) = switches::why_off(&app.config, "memories") {
        let text = format!("the pipeline is switched off ({why})");
        return Err(Failure::new(Fault::Offline, "memories_off", text));
    }
    make_anew(app, project).await?;
    let bar = Arc::new(Bar::new(output));
    let report = pipeline::runner(app, common).make_handbooks(Some(project), bar.clone()).await?;
    drop(bar);
    output.answer(&report, || match report.failed.first() {
        Some(failed) => line(&yellow(format!("the handbook stays as it was: {}", failed.error))),
        None if report.consolidated > 0 => line(&green("the handbook is made anew (loci memory view)")),
        None => line(&dim("somebody else is at it, or nothing is there to make it of")),
    });
    Ok(if report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Marks the handbook as out of date, and asks for a new one.
async fn make_anew(app: &App, project: &str) -> Result<(), Failure> {
    let changed = app.ledger.mark_stale(project).await?;
    app.ledger.enqueue_job(&consolidate::wanted(project, changed), Timestamp::now()).await?;
    // One that waits for its time is wanted now.
    for job in app.ledger.jobs_of(consolidate::KIND, Some(project)).await? {
        app.ledger.retry_job(job.id, Timestamp::now()).await?;
    }
    Ok(())
}
