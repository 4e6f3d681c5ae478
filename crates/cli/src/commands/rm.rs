//! `loci rm`: a memory goes; undo brings it back.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, dim, line};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: &str) -> Outcome {
    app.memory.remove(path).await?;
    output
        .answer(&json!({"removed": path}), || line(&format!("removed {path}  {}", dim("(loci undo brings it back)"))));
    Ok(ExitCode::SUCCESS)
}
