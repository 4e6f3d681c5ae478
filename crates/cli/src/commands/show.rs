//! `loci show`: one memory.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, ago, bold, dim, line, print};
use loci_memory::list::Trust;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, path: &str) -> Outcome {
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

/// Where each entry of a memory came from.
pub async fn why(app: &App, output: Output, path: &str) -> Outcome {
    let origins = app.memory.origins(path).await?;
    output.answer(&origins, || {
        for entry in &origins.entries {
            line(&bold(&entry.summary));
            if entry.sources.is_empty() {
                line(&dim(format!("  not from a conversation; {} by {}", ago(origins.updated_at), origins.origin)));
            }
            for source in &entry.sources {
                let message = source.message.as_ref().map(|id| format!(", message {id}")).unwrap_or_default();
                line(&dim(format!("  said in session {}{message}, {}", source.session, ago(source.at))));
            }
        }
    });
    Ok(ExitCode::SUCCESS)
}
