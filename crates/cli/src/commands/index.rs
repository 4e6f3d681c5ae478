//! `loci index`: MEMORY.md of every scope, written anew.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, line};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output) -> Outcome {
    app.memory.index().await?;
    output.answer(&json!({"indexed": true}), || line("the indexes are up to date"));
    Ok(ExitCode::SUCCESS)
}
