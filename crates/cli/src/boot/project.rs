//! Which project a process works for: a directory of this machine, or one on another.
//!
//! Owns what `--project` and `LOCI_PROJECT` mean, and who may use a declared `project.id`.

use super::afar::{Afar, is_afar};
use super::{Texts, settings};
use crate::args::Common;
use crate::config::Config;
use crate::fault::Failure;
use loci_ledger::Ledger;
use loci_store::Site;
use loci_store::project::{Checkout, Project, Width, is_project_id};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a project's directory is part of.
pub enum Found {
    /// On this machine.
    Here(Checkout),
    /// On another one.
    Afar(Arc<Afar>),
}

/// Where to look, by flag and environment; the error is why there is no one place.
pub fn named(common: &Common) -> Result<String, String> {
    match common.project.as_slice() {
        [] => match std::env::var("LOCI_PROJECT").ok().filter(|project| !project.is_empty()) {
            Some(project) => Ok(project),
            None => match std::env::current_dir().map(PathBuf::into_os_string) {
                // Whatever its bytes are, the directory is this one.
                Ok(directory) => Ok(directory.into_string().unwrap_or_else(|_| ".".to_owned())),
                Err(_) => Err("the current directory is gone".to_owned()),
            },
        },
        [one] if one.is_empty() => Err("no project was given (--project is empty)".to_owned()),
        [one] => Ok(one.clone()),
        _ => Err("several projects were given; name one with --project".to_owned()),
    }
}

impl Found {
    /// The project's directory and what is around it; without one there is a reason.
    pub async fn of(home: &Path, common: &Common) -> Result<Found, String> {
        let named = named(common)?;
        if !is_afar(&named) {
            return Found::here(&named);
        }
        // How to get there is not for the checkout to say.
        let texts = Texts::read(home, None).map_err(|failure| failure.message)?;
        let config = settings(&texts, common).map_err(|failure| failure.message)?;
        Afar::find(&named, &config).await.map(Found::Afar)
    }

    /// The same without asking another machine: it was asked when the process began.
    pub fn known(common: &Common) -> Result<Found, String> {
        let named = named(common)?;
        if !is_afar(&named) {
            return Found::here(&named);
        }
        Afar::known(&named).map(Found::Afar).ok_or_else(|| "the other machine was not reached".to_owned())
    }

    fn here(directory: &str) -> Result<Found, String> {
        let found = Checkout::find(Path::new(directory));
        found.map(Found::Here).map_err(|_| "the project's directory does not exist".to_owned())
    }

    /// The text of its configuration.
    pub fn config(&self) -> Option<String> {
        match self {
            Found::Here(checkout) => std::fs::read_to_string(checkout.config_file()?).ok(),
            Found::Afar(afar) => afar.config().map(str::to_owned),
        }
    }

    /// Where the checkout lies, if that is on another machine.
    pub fn site(&self, config: &Config) -> Result<Option<Arc<dyn Site>>, String> {
        match self {
            Found::Here(_) => Ok(None),
            Found::Afar(afar) => afar.site(width(config)).map(Some),
        }
    }

    fn project(&self, declared_id: Option<&str>, width: Width) -> Result<Project, String> {
        match self {
            Found::Here(checkout) => checkout.project(declared_id, width),
            Found::Afar(afar) => afar.project(declared_id, width),
        }
    }
}

fn width(config: &Config) -> Width {
    if config.text("project.scope") == Some("workspace") { Width::Workspace } else { Width::GitRoot }
}

/// The project, by its declared id only where that id is this root's own or was joined by a person.
pub async fn project(
    found: &Found,
    config: &Config,
    ledger: &dyn Ledger,
) -> Result<(Result<Project, String>, Option<String>), Failure> {
    let width = width(config);
    let own = found.project(None, width);
    let (Some(id), Ok(root)) = (config.text("project.id"), &own) else { return Ok((own, None)) };
    if !is_project_id(id) {
        return Ok((Err(format!("project.id {id:?} is not allowed; use 1 to 64 of A-Z a-z 0-9 . _ -")), None));
    }
    if may_use_id(ledger, id, &root.identity).await? {
        return Ok((found.project(Some(id), width), None));
    }
    Ok((own.clone(), Some(id.to_owned())))
}

/// Whether a root may use a declared id: the first root that does so owns it, others need `loci init --join`.
async fn may_use_id(ledger: &dyn Ledger, id: &str, root: &str) -> Result<bool, Failure> {
    match ledger.note(&id_note(id)).await? {
        Some(roots) => Ok(roots.lines().any(|known| known == root)),
        None => {
            ledger.set_note(&id_note(id), Some(root)).await?;
            Ok(true)
        }
    }
}

/// A person's word that this root shares a declared id with the roots that already use it.
pub async fn join_id(ledger: &dyn Ledger, id: &str, root: &str) -> Result<(), Failure> {
    let known = ledger.note(&id_note(id)).await?.unwrap_or_default();
    if !known.lines().any(|line| line == root) {
        ledger.set_note(&id_note(id), Some(format!("{known}\n{root}").trim())).await?;
    }
    Ok(())
}

pub fn id_note(id: &str) -> String {
    format!("project.id:{id}")
}
