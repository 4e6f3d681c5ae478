//! `loci forget`: shows what is meant, asks a person at a terminal, and says everywhere it was removed from.

mod handbooks;
mod spare;

use super::Outcome;
use crate::args::ForgetArgs;
use crate::boot::App;
use crate::output::{Output, bold, can_ask, confirmed, count, dim, green, line, print, progress, yellow};
use loci_llm::Role;
use loci_memory::draft::Hand;
use loci_memory::forget::{Extent, Forget, Forgotten};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, args: ForgetArgs) -> Outcome {
    let extent = match (args.dry_run, args.purge) {
        (true, _) => Extent::DryRun,
        (false, true) => Extent::Purge,
        (false, false) => Extent::Memory,
    };
    let limit = (!args.all).then_some(app.config.number("forget.cli_max") as usize);
    let ask = Forget { query: args.query, scope: args.scope, limit, extent, hand: Hand::Person };
    let memory = app.verbs()?;
    if args.show_prompt {
        let prompt = memory.forget_prompt(&ask).await?;
        output.answer(&json!({"prompt": prompt}), || print(&prompt));
        return Ok(ExitCode::SUCCESS);
    }
    if memory.models().has(Role::Fast) {
        progress(output, "asking the model…");
    }
    let forgotten = if ask.extent != Extent::DryRun && !args.yes && can_ask(output) {
        let (chosen, more) = memory.forget_preview(&ask).await?;
        let found: Vec<_> = chosen.iter().map(|candidate| (candidate.id.clone(), candidate.summary.clone())).collect();
        let pinned = chosen.iter().filter(|candidate| candidate.pinned).count();
        if found.is_empty() && ask.extent != Extent::Purge {
            line("nothing in memory matches");
            return Ok(ExitCode::SUCCESS);
        }
        found.iter().for_each(|(id, summary)| line(&format!("  {summary}  {}", dim(id))));
        if !confirmed(&question(found.len(), more, pinned, ask.extent))? {
            line("nothing was forgotten");
            return Ok(ExitCode::SUCCESS);
        }
        memory.forget_chosen(ask, chosen, more).await?
    } else {
        memory.forget(ask).await?
    };
    let forgotten = handbooks::purge(app, forgotten.with_more(Some("--all takes them too"))).await?;
    let forgotten = spare::sweep(&app.places.home, forgotten)?;
    output.answer(&forgotten, || show(&forgotten));
    Ok(ExitCode::SUCCESS)
}

fn show(forgotten: &Forgotten) {
    for entry in &forgotten.removed_entries {
        line(&format!("  {}  {}", bold(&entry.summary), dim(&entry.id)));
    }
    let done = !forgotten.removed_entries.is_empty() || forgotten.purged.is_some();
    line(&if done { green(&forgotten.summary) } else { dim(&forgotten.summary) });
    if forgotten.pinned > 0 {
        line(&yellow(format!("{} of a pinned file", count(forgotten.pinned, "entry was", "entries were"))));
    }
    for place in &forgotten.removed_from {
        let note = if place.note.is_empty() { String::new() } else { format!(": {}", place.note) };
        line(&dim(format!("  {} {}{note}", place.place, place.state)));
    }
}

fn question(found: usize, more: usize, pinned: usize, extent: Extent) -> String {
    let mut question = match (found, extent) {
        (0, _) => "Nothing in memory matches. Purge what matches from the journal?".to_owned(),
        (_, Extent::Purge) => format!("Forget {} for good, without undo?", count(found, "entry", "entries")),
        _ => format!("Forget {}?", count(found, "entry", "entries")),
    };
    if pinned > 0 {
        question = format!("{question} {pinned} pinned.");
    }
    if more > 0 {
        question = format!("{question} ({more} more match; --all takes them too.)");
    }
    question
}
