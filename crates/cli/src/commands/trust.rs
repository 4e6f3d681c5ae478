//! `loci trust`: a person's word for memories from elsewhere.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, line};
use loci_memory::list::Trust;
use loci_memory::trust::Which;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: Option<&str>, revoke: bool) -> Outcome {
    let trust = if revoke { Trust::Untrusted } else { Trust::Trusted };
    let changed = app.memory.trust(path.map_or(Which::All, Which::File), trust).await?;
    output.answer(&json!({"changed": changed, "trust": trust}), || {
        let word = if revoke { "no longer trusted" } else { "trusted" };
        changed.iter().for_each(|path| line(&format!("{path} is {word}")));
        if changed.is_empty() {
            line(if path.is_some() { "it is so already" } else { "there is nothing that nobody accepted yet" });
        }
    });
    Ok(ExitCode::SUCCESS)
}
