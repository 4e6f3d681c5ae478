//! `loci extract`: durable facts from a transcript.

use super::Outcome;
use crate::args::ExtractArgs;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, bold, count, dim, line, print, progress};
use crate::switches;
use loci_domain::fault::Fault;
use loci_domain::transcript::Format;
use loci_llm::Role;
use loci_memory::extract::{Asking, Extract, Extracted, Status};
use loci_memory::sessions::open;
use loci_memory::upkeep::Trigger;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, args: ExtractArgs) -> Outcome {
    let format = named(&args.format)?;
    let memory = app.verbs()?;
    // By its own name: who reads it later follows no link.
    let file = args.file.canonicalize().map_err(|error| missing(&args.file, &error))?;
    let mut opened = open(&file, format).map_err(|error| missing(&args.file, &error))?;
    let part = memory.read_part(&args.session, format, &mut *opened.source).await?;
    let asking = asking(app);
    let source = file.display().to_string();
    let ask = Extract { session: args.session, part, source, format: format.word().to_owned(), asking: asking.clone() };
    if args.show_prompt {
        let prompts = memory.extract_prompts(&ask).await?;
        output.answer(&json!({"prompts": prompts}), || prompts.iter().for_each(|prompt| print(prompt)));
        return Ok(ExitCode::SUCCESS);
    }
    if memory.models().has(Role::Default) {
        progress(output, "asking the model…");
    }
    let extracted = memory.extract(ask).await?;
    output.answer(&extracted, || show(&extracted));
    memory.catch_up(&asking).await?;
    Ok(ExitCode::SUCCESS)
}

/// The format of a word that a person gave.
pub fn named(word: &str) -> Result<Format, Failure> {
    Format::from_word(word).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::word).collect();
        Failure::usage(format!("{word:?} is no format of transcripts; there are: {}", known.join(", ")))
    })
}

fn asking(app: &App) -> Asking {
    Asking {
        trigger: Trigger::Manual,
        enabled: switches::is_on(&app.config, "extract"),
        roots: super::status::spellings(app),
    }
}

fn missing(file: &Path, error: &std::io::Error) -> Failure {
    let name = file.display();
    Failure::new(Fault::Missing, "no_transcript", format!("the transcript {name} cannot be read: {error}"))
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
