//! `loci mv`: a memory moves within its scope.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, line};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, from: &str, to: &str) -> Outcome {
    app.memory.rename(from, to).await?;
    output.answer(&json!({"path": from, "newPath": to}), || line(&format!("moved {from} to {to}")));
    Ok(ExitCode::SUCCESS)
}
