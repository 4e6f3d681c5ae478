//! `loci log`: what changed, newest first.

use super::account::failure;
use super::{Outcome, record};
use crate::args::LogArgs;
use crate::boot::App;
use crate::output::{Output, ago, bold, dim, line};
use loci_memory::log::Entry;
use loci_store::record::LOCAL;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, args: LogArgs) -> Outcome {
    let LogArgs { path, records, limit } = args;
    let changes = match records {
        false => app.memory.log(path.as_deref(), limit).await?,
        // What was done to workspaces, agents, sandboxes and accounts.
        true => {
            let changes = record::runtime(app).audited(LOCAL, limit).await.map_err(failure)?;
            changes.into_iter().map(Entry::plain).collect()
        }
    };
    output.answer(&json!({"changes": changes}), || {
        if changes.is_empty() {
            line(&dim("nothing has changed yet"));
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
