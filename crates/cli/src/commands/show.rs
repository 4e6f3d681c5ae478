//! `loci show`: one memory.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, ago, bold, dim, line, print};
use loci_memory::list::Trust;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: &str, why: bool) -> Outcome {
    if why {
        return sources(app, output, path).await;
    }
    let shown = app.memory.show(path).await?;
    output.answer(&shown, || {
        // The facts go to stderr, so that a pipe gets the file and nothing else.
        if let Some(file) = shown.file.as_ref().filter(|_| console::user_attended()) {
            let used =
                file.last_used_at.map_or("never used".to_owned(), |at| format!("used {}×, {}", file.uses, ago(at)));
            let trust = if file.trust == Trust::Untrusted { " · untrusted" } else { "" };
            let pinned = if file.pinned { " · pinned" } else { "" };
            eprintln!(
                "{}",
                dim(format!(
                    "{} · changed {} · {used} · by {}{pinned}{trust}",
                    file.path,
                    ago(file.updated_at),
                    file.origin
                ))
            );
        }
        let newline = if shown.content.ends_with('\n') || !console::user_attended() { "" } else { "\n" };
        print(&format!("{}{newline}", shown.content));
    });
    Ok(ExitCode::SUCCESS)
}

/// Which session and message each entry came from.
async fn sources(app: &App, output: Output, path: &str) -> Outcome {
    let entries = app.memory.sources(path).await?;
    output.answer(&json!({"path": path, "entries": entries}), || {
        for entry in &entries {
            line(&bold(&entry.summary));
            for source in &entry.sources {
                let message = source.message.as_ref().map(|id| format!(", message {id}")).unwrap_or_default();
                line(&format!("  session {}{message}, {}", source.session, ago(source.at)));
            }
            if entry.sources.is_empty() {
                line(&dim("  not from a conversation"));
            }
        }
    });
    Ok(ExitCode::SUCCESS)
}
