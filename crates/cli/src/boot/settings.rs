//! Settings, from the texts, variables and flags that say them.

use super::home;
use super::project::Found;
use crate::args::Common;
use crate::config::{Config, Source};
use crate::fault::Failure;
use loci_domain::fault::Fault;
use std::path::Path;

/// The texts that settings are made of; all else that they are made of stays as it is while a process runs.
#[derive(PartialEq, Eq)]
pub struct Texts {
    home: Option<String>,
    /// The checkout's own.
    project: Option<String>,
}

impl Texts {
    pub(super) fn read(home: &Path, project: Option<String>) -> Result<Texts, Failure> {
        let home = match std::fs::read_to_string(home.join("config.toml")) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(unsettled(format!("config.toml of the home cannot be read: {error}"))),
        };
        Ok(Texts { home, project })
    }
}

/// All settings.
pub fn settings(texts: &Texts, common: &Common) -> Result<Config, Failure> {
    let mut config = Config::defaults()?;
    if let Some(text) = &texts.home {
        config.apply_home(text).map_err(|error| unsettled(error.to_string()))?;
    }
    if let Some(text) = &texts.project {
        config.apply_project(text);
    }
    config.apply_environment(|name| std::env::var(name).ok())?;
    for (key, value) in [("ledger.url", &common.ledger), ("files.url", &common.files)] {
        if let Some(value) = value {
            config.set(key, toml::Value::String(value.clone()), Source::Flag)?;
        }
    }
    for assignment in &common.set {
        config.apply_flag(assignment).map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(config)
}

/// The code of a failure whose cause is that settings cannot be read.
pub const UNSETTLED: &str = "invalid_settings";

/// That failure.
pub fn unsettled(text: String) -> Failure {
    Failure::new(Fault::Invalid, UNSETTLED, text)
}

/// The settings as they hold right now, for who runs for long: off means off at once.
pub fn settings_now(common: &Common) -> Result<Config, Failure> {
    settings(&texts_now(common)?, common)
}

/// What they are made of right now.
pub fn texts_now(common: &Common) -> Result<Texts, Failure> {
    Texts::read(&home()?, Found::known(common).ok().as_ref().and_then(Found::config))
}
