//! `loci extract`: durable facts from a transcript.

use super::Outcome;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, bold, count, dim, line, progress};
use crate::switches;
use loci_domain::fault::Fault;
use loci_domain::scope::Scope;
use loci_domain::transcript::{Format, Turn};
use loci_llm::Role;
use loci_memory::Memory;
use loci_memory::extract::{Extract, Extracted, Status};
use loci_memory::sessions::turns;
use loci_memory::upkeep::Trigger;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;

/// Bytes that are read at once.
const AHEAD: usize = 256 << 10;

pub async fn run(app: &App, output: Output, file: &Path, session: String, format: &str) -> Outcome {
    let format = Format::from_word(format).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::word).collect();
        Failure::usage(format!("{format:?} is no known format; use one of: {}", known.join(", ")))
    })?;
    let memory = app.verbs()?;
    let turns = read(file, format)?;
    if memory.models().has(Role::Default) {
        progress(output, "asking the model…");
    }
    let source = std::path::absolute(file)?.display().to_string();
    let extracted = memory.extract(ask(app, session, source, format, turns)).await?;
    output.answer(&extracted, || show(&extracted));
    catch_up(app, &memory).await?;
    Ok(ExitCode::SUCCESS)
}

fn ask(app: &App, session: String, source: String, format: Format, turns: Vec<Turn>) -> Extract {
    Extract {
        session,
        turns,
        source,
        format: format.word().to_owned(),
        trigger: Trigger::Manual,
        enabled: switches::is_on(&app.config, "extract"),
        roots: Scope::ALL.into_iter().filter_map(|scope| super::status::place(app, scope)).collect(),
    }
}

/// Reads what came meanwhile and had to wait.
async fn catch_up(app: &App, memory: &Memory) -> Result<(), Failure> {
    while let Some(request) = memory.next_extract().await? {
        let Some(format) = Format::from_word(&request.format) else { continue };
        match read(Path::new(&request.source), format) {
            Ok(turns) => {
                let extracted = memory.extract(ask(app, request.session, request.source, format, turns)).await?;
                // Somebody else is at it again, and will look for what waits.
                if extracted.status == Status::Skipped {
                    break;
                }
            }
            Err(error) => tracing::warn!(%error, "a transcript that waited cannot be read any more"),
        }
    }
    Ok(())
}

/// The turns of a transcript.
fn read(file: &Path, format: Format) -> Result<Vec<Turn>, Failure> {
    let missing = |error: std::io::Error| {
        let name = file.display();
        Failure::new(Fault::Missing, "no_transcript", format!("the transcript {name} cannot be read: {error}"))
    };
    let mut from = BufReader::with_capacity(AHEAD, std::fs::File::open(file).map_err(missing)?);
    turns(format, &mut from).map_err(missing)
}

fn show(extracted: &Extracted) {
    for patch in &extracted.patches {
        line(&format!("{}  {}  {}", bold(&patch.path), patch.summary, dim(patch.topic)));
    }
    let read = count(usize::try_from(extracted.processed_offset).unwrap_or(usize::MAX), "message", "messages");
    line(&dim(match (extracted.status, extracted.skipped_reason) {
        (Status::Skipped, Some(reason)) => format!("skipped: {}", reason.word()),
        (Status::Updated, _) => format!(
            "{} stored; {read} done with; loci undo takes it back",
            count(extracted.patches.len(), "fact", "facts")
        ),
        _ => format!("nothing new to remember; {read} done with"),
    }));
}
