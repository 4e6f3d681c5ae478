//! `loci session`: past conversations, imported to be found again.

mod discover;
mod import;
mod origin;

use super::Outcome;
use crate::args::{Common, SessionCommand};
use crate::boot::App;
use crate::output::{Output, ago, bold, can_ask, confirmed, count, dim, line};
use discover::Take;
use loci_memory::sessions::Line;
use serde_json::json;
use std::process::ExitCode;

/// Lines of a message that people are shown of what a tool said.
const TOOL_LINES: usize = 5;

pub async fn run(app: &App, common: &Common, output: Output, command: SessionCommand) -> Outcome {
    match command {
        SessionCommand::Import { discover: true, yes, .. } => {
            let take = if yes { Take::All } else { Take::Nothing };
            discover::run(app, common, output, take).await
        }
        SessionCommand::Import { files, format, session, .. } => {
            import::run(app, common, output, &files, format.as_deref(), session).await
        }
        SessionCommand::List => list(app, output).await,
        SessionCommand::Show { id } => show(app, output, &id).await,
        SessionCommand::Rm { id, yes } => remove(app, output, &id, yes).await,
    }
}

async fn list(app: &App, output: Output) -> Outcome {
    let sessions = app.memory.sessions().await?;
    output.answer(&json!({"sessions": sessions}), || {
        for session in &sessions {
            let messages = count(usize::try_from(session.messages).unwrap_or(usize::MAX), "message", "messages");
            let project = session.project.as_deref().map_or("no project", |project| {
                let name = project.strip_prefix("project:").unwrap_or(project);
                name.rsplit('/').next().unwrap_or(name)
            });
            let about = dim(format!("{messages} · {project} · {}", ago(session.at)));
            match session.title.as_str() {
                "" => line(&format!("{}  {about}", bold(&session.id))),
                title => line(&format!("{}\n  {}  {about}", bold(title), session.id)),
            }
        }
        if sessions.is_empty() {
            line(&dim("no sessions; `loci session import FILE` takes one in"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

async fn show(app: &App, output: Output, id: &str) -> Outcome {
    let shown = app.memory.show_session(id).await?;
    output.answer(&shown, || {
        for Line { role, content, at, .. } in &shown.messages {
            let at = at.map(|at| format!("  {}", dim(at))).unwrap_or_default();
            line(&format!("{}{at}", bold(role)));
            let most = if *role == "tool" { TOOL_LINES } else { usize::MAX };
            content.lines().take(most).for_each(|text| line(&format!("  {text}")));
            if content.lines().count() > most {
                line(&format!("  {}", dim("… (all of it with --json)")));
            }
        }
    });
    Ok(ExitCode::SUCCESS)
}

async fn remove(app: &App, output: Output, id: &str, yes: bool) -> Outcome {
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    if !yes && can_ask(output) && !confirmed(&format!("Remove the session {id} for good?"))? {
        line("nothing was removed");
        return Ok(ExitCode::SUCCESS);
    }
    let removed = app.memory.drop_session(id).await?;
    output.answer(&json!({"removed": removed.id}), || line(&format!("the session {} is gone for good", removed.id)));
    Ok(ExitCode::SUCCESS)
}
