//! `loci session import`: transcripts become sessions, each of the project that it took place in.

use super::origin::Origin;
use crate::args::Common;
use crate::boot::{self, App, Damage};
use crate::commands::Outcome;
use crate::commands::extract::named;
use crate::fault::Failure;
use crate::output::{Output, bold, count, dim, line, progress};
use loci_domain::fault::Fault;
use loci_domain::transcript::Format;
use loci_memory::sessions::{Imported, Transcript};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bytes of a transcript that takes a while.
const LONG: u64 = 8_000_000;

/// Imports the files that a person named.
pub async fn run(
    app: &App,
    common: &Common,
    output: Output,
    files: &[PathBuf],
    format: Option<&str>,
    session: Option<String>,
) -> Outcome {
    let format = format.map(named).transpose()?;
    if session.is_some() && files.len() > 1 {
        return Err(Failure::usage("--session names one session; give one file with it"));
    }
    let mut desk = Desk::new(app, common, Way::Named)?;
    let mut sum = Imported::default();
    for file in files {
        let mut origin = Origin::of(file, format)?;
        origin.session = session.clone().unwrap_or(origin.session);
        if origin.opened.bytes >= LONG {
            progress(output, &format!("reading {} ({} MB)…", file.display(), origin.opened.bytes / 1_000_000));
        }
        add(&mut sum, desk.import(origin).await?);
    }
    output.answer(&sum, || tell(&sum));
    Ok(ExitCode::SUCCESS)
}

/// Adds what one import did.
pub fn add(sum: &mut Imported, one: Imported) {
    sum.imported += one.imported;
    sum.messages += one.messages;
    sum.skipped_lines += one.skipped_lines;
}

/// Says what imports did.
pub fn tell(sum: &Imported) {
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
}

/// How sessions come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A person named the file: it belongs to the project that they say, else to its own, else to this one.
    Named,
    /// It was found: it belongs to its own project, or stays out. Without a project every project would see it.
    Found,
}

/// Imports into whatever project a session belongs to.
pub struct Desk<'a> {
    app: &'a App,
    common: &'a Common,
    way: Way,
    /// The project of the last session; sessions of one come together.
    other: Option<(PathBuf, App)>,
}

impl<'a> Desk<'a> {
    /// Refused where nothing can be written.
    pub fn new(app: &'a App, common: &'a Common, way: Way) -> Result<Desk<'a>, Failure> {
        if app.read_only {
            return Err(loci_store::Error::ReadOnlyHome.into());
        }
        Ok(Desk { app, common, way, other: None })
    }

    /// Imports one session.
    pub async fn import(&mut self, origin: Origin) -> Result<Imported, Failure> {
        let Origin { format, session: id, directory, mut opened, .. } = origin;
        let memory = &self.app_of(format, directory.as_deref()).await?.memory;
        let changed_at = opened.changed_at;
        Ok(memory.import_session(Transcript { id, format, source: &mut *opened.source, changed_at }).await?)
    }

    async fn app_of(&mut self, format: Format, place: Option<&Path>) -> Result<&App, Failure> {
        let here = self.way == Way::Named && (format == Format::Loci || boot::is_said(self.common));
        match place.filter(|place| place.is_dir()) {
            Some(place) if !here && !self.is_here(place) => self.open(place).await,
            None if self.way == Way::Found => {
                Err(Failure::new(Fault::Missing, "no_project", "the directory that it took place in is not here"))
            }
            _ => Ok(self.app),
        }
    }

    fn is_here(&self, place: &Path) -> bool {
        self.app.places.project.as_ref().is_ok_and(|project| project.top == place)
    }

    async fn open(&mut self, place: &Path) -> Result<&App, Failure> {
        let app = match self.other.take() {
            Some((known, app)) if known == place => app,
            _ => {
                let project = vec![place.to_string_lossy().into_owned()];
                let app = App::lean(&Common { project, ..self.common.clone() }, Damage::Refused).await?;
                if let Err(reason) = &app.places.project {
                    return Err(Failure::new(Fault::Offline, "scope_unavailable", reason.clone()));
                }
                app
            }
        };
        Ok(&self.other.insert((place.to_owned(), app)).1)
    }
}
