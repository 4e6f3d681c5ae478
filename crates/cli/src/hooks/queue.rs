//! Asking for work that is done after the hook: the queue is in the ledger, and somebody is there to do it.

use super::Said;
use crate::boot::App;
use crate::fault::Failure;
use jiff::Timestamp;
use loci_domain::transcript::Format;
use loci_memory::sessions::Transcript;
use loci_pipeline::jobs::TURNS;
use loci_pipeline::jobs::extract_turn::{ExtractTurn, Written};
use loci_pipeline::{Seat, Where};
use serde_json::Value;
use std::process::{Command, Stdio};

/// Asks for the extraction of what was said, and sees to it that somebody does it.
pub async fn extract(app: &App, session: String, said: Said) -> Result<(), Failure> {
    let transcript = match said {
        Said::Unknown => return Ok(()),
        Said::File(path, format) => {
            let Some(path) = path.to_str().map(str::to_owned) else { return Ok(()) };
            Some(Written { path, format: format.word().to_owned() })
        }
        // It is nowhere else, so it is kept at once; without secrets, as every session.
        Said::Here(messages) => {
            keep(app, &session, &messages).await?;
            None
        }
    };
    let directory = app.places.project.as_ref().ok().and_then(|project| project.top.to_str().map(str::to_owned));
    let place = Where { directory, workspace: app.places.workspace.clone().ok(), account: app.places.account.clone() };
    let wanted = ExtractTurn { session, place, transcript }.wanted(app.memory.upkeep_of()?.0);
    app.ledger.enqueue_job(&wanted, Timestamp::now()).await?;
    wake(app).await;
    Ok(())
}

async fn keep(app: &App, session: &str, messages: &[Value]) -> Result<(), Failure> {
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let mut source = std::io::Cursor::new(lines);
    let id = session.to_owned();
    let transcript = Transcript { id, format: Format::Loci, source: &mut source, changed_at: Timestamp::now() };
    app.memory.import_session(transcript).await?;
    Ok(())
}

/// Starts a worker when there is something to do and nobody to do it.
pub async fn wake(app: &App) {
    let due = app.ledger.next_job(&TURNS, None).await;
    if matches!(due, Ok(Some(wait)) if wait.is_zero())
        && matches!(Seat::is_free(&app.places.home).await, Ok(true))
        && let Err(error) = start_worker()
    {
        tracing::warn!(%error, "no worker could be started; the next hook tries again");
    }
}

/// Starts a worker that outlives this process and holds nothing of it.
fn start_worker() -> std::io::Result<()> {
    let mut worker = Command::new(std::env::current_exe()?);
    worker.args(["pipeline", "run", "--detached", "--quiet"]).current_dir("/");
    worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Not waited for: it is init's child once this process is gone.
    worker.spawn().map(drop)
}
