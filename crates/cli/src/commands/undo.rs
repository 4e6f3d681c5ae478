//! `loci undo`: takes back what was done.

use super::Outcome;
use super::log::row;
use crate::boot::App;
use crate::output::{Output, count, line};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, id: Option<&str>) -> Outcome {
    let changes = app.memory.undo(id).await?;
    output.answer(&json!({"changes": changes}), || {
        line(&format!("took back {}:", count(changes.len(), "change", "changes")));
        changes.iter().for_each(|change| line(&format!("  {}", row(change))));
    });
    Ok(ExitCode::SUCCESS)
}
