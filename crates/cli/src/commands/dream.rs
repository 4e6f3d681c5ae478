//! `loci dream`: keeps memory tidy.

use super::Outcome;
use crate::args::DreamArgs;
use crate::boot::App;
use crate::config::Config;
use crate::output::{Output, ago, bold, count, dim, green, line, print, progress, red, yellow};
use crate::switches;
use loci_llm::Role;
use loci_memory::dream::{Doing, Dream, Dreamt, Review, Settings, Status};
use loci_memory::upkeep::Trigger;
use serde_json::json;
use std::process::ExitCode;
use std::time::Duration;

pub async fn run(app: &App, output: Output, args: DreamArgs) -> Outcome {
    // Off is the first of the gates, so a machine is told that it was skipped; a person is told why.
    let memory = if args.auto && !app.config.switch("memory.enabled") { app.memory.clone() } else { app.verbs()? };
    if args.review {
        let review = memory.proposals().await?;
        output.answer(&review, || show_review(&review));
        return Ok(ExitCode::SUCCESS);
    }
    if args.show_prompt {
        let prompt = memory.dream_prompt().await?;
        output.answer(&json!({"prompt": prompt}), || print(&prompt));
        return Ok(ExitCode::SUCCESS);
    }
    if args.apply.is_none() && args.discard.is_none() && memory.models().has(Role::Default) {
        progress(output, "asking the model…");
    }
    let dreamt = match (&args.apply, &args.discard) {
        (Some(id), _) => memory.apply_proposal(id).await?,
        (_, Some(id)) => memory.discard_proposal(id).await?,
        (None, None) => memory.dream(ask(app, &args)).await?,
    };
    output.answer(&shown(&dreamt, &args), || show(&dreamt, &args));
    Ok(ExitCode::SUCCESS)
}

fn ask(app: &App, args: &DreamArgs) -> Dream {
    Dream {
        trigger: if args.auto { Trigger::Auto } else { Trigger::Manual },
        session: args.session.clone(),
        doing: if args.dry_run { Doing::Preview } else { Doing::Apply },
        settings: settings(&app.config),
    }
}

/// The limits of dreaming by settings.
pub fn settings(config: &Config) -> Settings {
    Settings {
        enabled: switches::is_on(config, "dream"),
        min_hours: config.number("dream.min_hours"),
        min_sessions: usize::try_from(config.number("dream.min_sessions")).unwrap_or(usize::MAX),
        scan_minutes: config.number("dream.scan_minutes"),
        lock_minutes: config.number("dream.lock_minutes").max(1),
        max_loss: config.fraction("dream.max_loss"),
        turns: usize::try_from(config.number("agent.turns")).unwrap_or(usize::MAX),
        time: Duration::from_secs(config.number("agent.seconds").max(1)),
    }
}

/// The diff is part of the answer only where it was asked for.
fn shown(dreamt: &Dreamt, args: &DreamArgs) -> Dreamt {
    let diff = if args.dry_run { dreamt.diff.clone() } else { String::new() };
    Dreamt { diff, ..dreamt.clone() }
}

fn show(dreamt: &Dreamt, args: &DreamArgs) {
    if args.dry_run {
        show_diff(&dreamt.diff);
    }
    match dreamt.status {
        Status::Updated => line(&green(&dreamt.summary)),
        Status::Noop | Status::Skipped => line(&dim(&dreamt.summary)),
        Status::Proposed => line(&yellow(&dreamt.summary)),
    }
    match (dreamt.status, &dreamt.proposal) {
        (Status::Updated, _) if !args.dry_run => line(&dim("loci undo takes it back")),
        (Status::Proposed, Some(id)) => {
            line(&dim(format!("loci dream --review shows it; loci dream --apply {id} does it")))
        }
        _ => {}
    }
}

fn show_review(review: &Review) {
    if review.proposals.is_empty() {
        line(&dim("no proposals wait for you"));
    }
    for proposed in &review.proposals {
        let files = count(proposed.paths.len(), "file", "files");
        line(&format!("{}  {}  {}", bold(&proposed.id), dim(ago(proposed.at)), dim(files)));
        line(&proposed.summary);
        show_diff(&proposed.diff);
        line(&dim(format!("loci dream --apply {0} does it, --discard {0} drops it", proposed.id)));
    }
}

fn show_diff(diff: &str) {
    for text in diff.lines() {
        line(&match text.as_bytes().first() {
            _ if text.starts_with("+++") || text.starts_with("---") => bold(text),
            Some(b'+') => green(text),
            Some(b'-') => red(text),
            Some(b'@') => dim(text),
            _ => text.to_owned(),
        });
    }
}
