//! From settings to the embedder that recall uses beside the built-in one.
//!
//! Owns how `recall.embedder` is read. Nothing is connected here, and no model is read but its header.
//! An embedder whose settings are wrong is none; `loci status` says why. Everything works without.

use crate::config::Config;
use loci_llm::embedders::{Endpoint, Folder};
use loci_llm::providers::Key;
use loci_memory::recall::Stronger;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is before the path of a model in a folder.
const FOLDER: &str = "folder:";

/// Whether a value of the setting is of a kind that there is.
pub fn is_one(value: &str) -> bool {
    value.is_empty() || value.strip_prefix(FOLDER).is_some_and(|path| !path.is_empty()) || is_address(value)
}

fn is_address(value: &str) -> bool {
    value.starts_with("http://") || value.starts_with("https://")
}

/// The embedder that the settings name, if they name one; `read` gives an environment variable.
pub fn choose(config: &Config, home: &Path, read: impl Fn(&str) -> Option<String>) -> Result<Option<Stronger>, String> {
    let text = |key: &str| config.text(key).unwrap_or_default().trim();
    let limit = Duration::from_secs(config.number("recall.embedder_seconds").max(1));
    let named = text("recall.embedder");
    if named.is_empty() {
        return Ok(None);
    }
    if let Some(path) = named.strip_prefix(FOLDER) {
        // A path that is not absolute begins in the home, wherever somebody stands.
        let folder = Folder::open(&home.join(PathBuf::from(path))).map_err(|error| error.to_string())?;
        return Ok(Some(Stronger::new(Arc::new(folder), limit)));
    }
    let variable = text("recall.embedder_key_env");
    let key = read(variable).filter(|_| !variable.is_empty()).and_then(|key| Key::new(&key));
    if key.is_none() && !variable.is_empty() {
        return Err(format!("the variable {variable} that recall.embedder_key_env names is not set"));
    }
    let model = text("recall.embedder_model");
    if model.is_empty() {
        return Err("no model is named; set recall.embedder_model".to_owned());
    }
    let endpoint = Endpoint::new(named, model, key.as_ref(), limit).map_err(|error| error.to_string())?;
    Ok(Some(Stronger::new(Arc::new(endpoint), limit)))
}
