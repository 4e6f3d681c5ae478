//! `loci restore`: a memory as it was after a change.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, line};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: &str, at: &str) -> Outcome {
    app.memory.restore(path, at).await?;
    output.answer(&json!({"restored": path, "at": at}), || line(&format!("{path} is as it was after {at}")));
    Ok(ExitCode::SUCCESS)
}
