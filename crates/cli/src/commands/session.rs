//! `loci session`: past conversations, imported to be found again.

use super::Outcome;
use crate::args::SessionCommand;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, ago, bold, count, dim, line};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_domain::transcript::Format;
use loci_memory::sessions::{Imported, Line, Transcript};
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bytes that are read at once.
const AHEAD: usize = 256 << 10;
/// Lines of a message that people are shown of what a tool said.
const TOOL_LINES: usize = 5;

pub async fn run(app: &App, output: Output, command: SessionCommand) -> Outcome {
    match command {
        SessionCommand::Import { files, format, session } => import(app, output, &files, &format, session).await,
        SessionCommand::List => list(app, output).await,
        SessionCommand::Show { id } => show(app, output, &id).await,
        SessionCommand::Rm { id } => remove(app, output, &id).await,
    }
}

async fn import(app: &App, output: Output, files: &[PathBuf], format: &str, session: Option<String>) -> Outcome {
    let format = Format::from_word(format).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.word()).collect();
        Failure::usage(format!("{format:?} is no format of transcripts; there are: {}", known.join(", ")))
    })?;
    if session.is_some() && files.len() > 1 {
        return Err(Failure::usage("--session names one session; give one file with it"));
    }
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyDisk.into());
    }
    let mut sum = Imported::default();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let one = import_one(app, file, session.clone().unwrap_or(stem), format).await?;
        sum.imported += one.imported;
        sum.messages += one.messages;
        sum.skipped_lines += one.skipped_lines;
    }
    output.answer(&sum, || {
        let number = |amount: u64| usize::try_from(amount).unwrap_or(usize::MAX);
        let sessions = count(number(sum.imported), "session", "sessions");
        let messages = count(number(sum.messages), "new message", "new messages");
        match sum.imported {
            0 => line(&dim("nothing new")),
            _ => line(&format!("{}, {messages}", bold(format!("imported {sessions}")))),
        }
        if sum.skipped_lines > 0 {
            line(&dim(format!("skipped {} that make no sense", count(number(sum.skipped_lines), "line", "lines"))));
        }
    });
    Ok(ExitCode::SUCCESS)
}

async fn import_one(app: &App, path: &Path, id: String, format: Format) -> Result<Imported, Failure> {
    let name = path.display();
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::new(Fault::Missing, "no_such_file", format!("{name} does not exist")),
        _ => Failure::new(Fault::Invalid, "unreadable", format!("{name} cannot be read: {error}")),
    })?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(Failure::new(Fault::Invalid, "unreadable", format!("{name} is a directory, not a transcript")));
    }
    let changed_at = about.modified().ok().and_then(|at| Timestamp::try_from(at).ok()).unwrap_or_else(Timestamp::now);
    let mut source = BufReader::with_capacity(AHEAD, file);
    Ok(app.memory.import_session(Transcript { id, format, source: &mut source, changed_at }).await?)
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
            line(&format!("{}  {}", bold(&session.id), dim(format!("{messages} · {project} · {}", ago(session.at)))));
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

async fn remove(app: &App, output: Output, id: &str) -> Outcome {
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyDisk.into());
    }
    let removed = app.memory.drop_session(id).await?;
    output.answer(&json!({"removed": removed.id}), || line(&format!("the session {} is gone for good", removed.id)));
    Ok(ExitCode::SUCCESS)
}
