//! `loci session import --discover`: what the agents of this machine keep; it is imported only when a person says so.

use super::import::{Desk, Way, add, tell};
use super::origin::Origin;
use crate::agents::{self, Level, Reach};
use crate::args::Common;
use crate::boot::{self, App};
use crate::commands::Outcome;
use crate::fault::Failure;
use crate::output::{Output, ago, bold, count, dim, line, progress, yellow};
use jiff::Timestamp;
use loci_domain::secrets;
use loci_memory::sessions::Imported;
use loci_store::project::Checkout;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Whether what is found is taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    Nothing,
    All,
}

/// A session that an agent keeps.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    agent: &'static str,
    session: String,
    file: PathBuf,
    directory: Option<PathBuf>,
    /// Its title, else what was said first; without secrets.
    title: Option<String>,
    at: Option<Timestamp>,
    changed_at: Timestamp,
    bytes: u64,
    /// A session of this name is on record.
    imported: bool,
}

/// Something that was not taken in.
#[derive(Debug, Serialize)]
struct Left {
    file: PathBuf,
    why: String,
}

pub async fn run(app: &App, common: &Common, output: Output, take: Take) -> Outcome {
    let reach = Reach::of(Level::User, PathBuf::new())?;
    let mut left = unread(&reach);
    let known: HashSet<String> = app.memory.sessions().await?.into_iter().map(|row| row.id).collect();
    let mut found = look(&reach, &known, &mut left);
    // A project that was named narrows it down.
    if boot::is_said(common) {
        let here = app.places.project.as_ref().ok().and_then(|project| place(&project.top));
        found.retain(|one| here.is_some() && one.directory.as_deref().and_then(place) == here);
    }
    let mut sum = Imported::default();
    if take == Take::All {
        sum = import(app, common, output, &found, &mut left).await?;
    }
    let mut answer = serde_json::to_value(sum).unwrap_or_default();
    if let Value::Object(fields) = &mut answer {
        fields.extend([("found".to_owned(), json!(found)), ("leftOut".to_owned(), json!(left))]);
    }
    output.answer(&answer, || show(&found, &left, take, &sum));
    Ok(ExitCode::SUCCESS)
}

/// What the agents keep, by agent and file. Sessions that another one started are none of a person's.
fn look(reach: &Reach, known: &HashSet<String>, left: &mut Vec<Left>) -> Vec<Found> {
    let mut found = Vec::new();
    for agent in agents::ALL {
        let Some(keeps) = &agent.keeps else { continue };
        for file in keeps.files(reach) {
            let origin = match Origin::of(&file, Some(keeps.format)) {
                Ok(origin) => origin,
                Err(failure) => {
                    left.push(Left { file, why: failure.message });
                    continue;
                }
            };
            let said_nothing = origin.title.is_none() && origin.started_at.is_none();
            if !origin.is_part && !said_nothing {
                found.push(row(agent.id, origin, known));
            }
        }
    }
    found
}

fn row(agent: &'static str, origin: Origin, known: &HashSet<String>) -> Found {
    Found {
        agent,
        imported: known.contains(&origin.session),
        session: origin.session,
        file: origin.file,
        directory: origin.directory,
        title: origin.title.map(|title| secrets::redact(&title).into_owned()),
        at: origin.started_at,
        changed_at: origin.opened.changed_at,
        bytes: origin.opened.bytes,
    }
}

/// What is there and cannot be read.
fn unread(reach: &Reach) -> Vec<Left> {
    let unread = agents::ALL.iter().filter_map(|agent| agent.keeps.as_ref()?.unread);
    let there = unread.map(|unread| ((unread.path)(reach), unread.advice)).filter(|(file, _)| file.exists());
    there.map(|(file, advice)| Left { file, why: advice.to_owned() }).collect()
}

/// Takes them in, project by project; one that cannot be taken in keeps no other out.
async fn import(
    app: &App,
    common: &Common,
    output: Output,
    found: &[Found],
    left: &mut Vec<Left>,
) -> Result<Imported, Failure> {
    let mut desk = Desk::new(app, common, Way::Found)?;
    let mut order: Vec<&Found> = found.iter().collect();
    order.sort_by(|one, other| one.directory.cmp(&other.directory));
    let mut sum = Imported::default();
    for one in order {
        progress(output, &format!("{} {}", one.agent, one.file.display()));
        let format = agents::ALL.iter().find(|agent| agent.id == one.agent).and_then(|agent| agent.keeps.as_ref());
        let done = match Origin::of(&one.file, format.map(|keeps| keeps.format)) {
            Ok(origin) => desk.import(origin).await,
            Err(failure) => Err(failure),
        };
        match done {
            Ok(imported) => add(&mut sum, imported),
            Err(failure) => left.push(Left { file: one.file.clone(), why: failure.message }),
        }
    }
    Ok(sum)
}

/// What makes a directory a project's.
fn place(directory: &Path) -> Option<PathBuf> {
    let checkout = Checkout::find(directory).ok()?;
    Some(checkout.repository.unwrap_or(checkout.directory))
}

fn show(found: &[Found], left: &[Left], take: Take, sum: &Imported) {
    for one in found {
        let title = one.title.as_deref().unwrap_or(&one.session);
        let place =
            one.directory.as_ref().map_or_else(|| "unknown place".to_owned(), |place| place.display().to_string());
        let state = if one.imported { " · imported" } else { "" };
        let about = dim(format!("{place} · {}{state}", ago(one.changed_at)));
        line(&format!("{:<11}  {}  {about}", one.agent, bold(title)));
    }
    for one in left {
        line(&format!("{}  {}", yellow("left out"), dim(format!("{}: {}", one.file.display(), one.why))));
    }
    match take {
        Take::All => tell(sum),
        Take::Nothing if found.is_empty() => line(&dim("no sessions of other agents are on this machine")),
        Take::Nothing => {
            let sessions = count(found.len(), "session", "sessions");
            line(&dim(format!("{sessions}; `loci session import --discover --yes` takes in what is new")));
        }
    }
}
