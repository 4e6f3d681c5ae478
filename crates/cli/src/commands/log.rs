//! `loci log`: what changed, newest first.

use super::account::failure;
use super::{Outcome, record};
use crate::boot::App;
use crate::output::{Output, ago, bold, dim, line};
use loci_memory::log::Entry;
use loci_store::record::LOCAL;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: Option<&str>, limit: usize) -> Outcome {
    let changes = app.memory.log(path, limit).await?;
    output.answer(&json!({"changes": changes}), || {
        if changes.is_empty() {
            line(&dim("nothing has changed yet"));
        }
        changes.iter().for_each(|change| line(&row(change)));
    });
    Ok(ExitCode::SUCCESS)
}

/// What was done to workspaces, agents, sandboxes and accounts.
pub async fn records(app: &App, output: Output, limit: usize) -> Outcome {
    let changes = record::runtime(app).audited(LOCAL, limit).await.map_err(failure)?;
    let changes: Vec<Entry> = changes.into_iter().map(Entry::plain).collect();
    output.answer(&json!({"changes": changes}), || {
        if changes.is_empty() {
            line(&dim("no record has been made yet"));
        }
        changes.iter().for_each(|change| line(&row(change)));
    });
    Ok(ExitCode::SUCCESS)
}

pub fn row(change: &Entry) -> String {
    let to = change.new_path.as_ref().map(|path| format!(" → {path}")).unwrap_or_default();
    let when = format!("{:>12}", ago(change.at));
    format!("{}  {}  {:<8} {:<7} {}{to}", dim(&change.id), dim(when), change.actor, bold(change.op), change.path)
}
