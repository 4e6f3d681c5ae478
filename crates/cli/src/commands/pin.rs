//! `loci pin` and `loci unpin`.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, line};
use loci_memory::pin::Pin;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: &str, pin: Pin) -> Outcome {
    let changed = app.memory.pin(path, pin).await?;
    let word = match (pin, changed) {
        (Pin::Set, true) => "pinned",
        (Pin::Set, false) => "already pinned",
        (Pin::Remove, true) => "unpinned",
        (Pin::Remove, false) => "was not pinned",
    };
    output.answer(&json!({"path": path, "pinned": pin == Pin::Set, "changed": changed}), || {
        line(&format!("{path} {word}"))
    });
    Ok(ExitCode::SUCCESS)
}
