//! What connecting changed in a file, kept in the ledger so that exactly that can be taken back.
//!
//! Never holds the file itself: configurations are full of keys. Places and lengths are enough.

use super::patch::Edit;
use crate::fault::Failure;
use loci_ledger::Ledger;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What was done to one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The file was not there before.
    pub made: bool,
    /// The folders that were made for it, outermost first.
    pub folders: Vec<PathBuf>,
    /// The SHA-256 of the file after.
    pub after: String,
    /// What differs from the file before.
    pub edits: Vec<Edit>,
    /// The objects and lists that were made in it.
    pub containers: Vec<Vec<String>>,
    /// An entry called `loci` that somebody else had put there.
    pub was: Option<Value>,
}

fn key(agent: &str, path: &Path) -> String {
    format!("agent:{agent}:{}", path.display())
}

/// The note of a file.
pub async fn read(ledger: &dyn Ledger, agent: &str, path: &Path) -> Result<Option<Note>, Failure> {
    let text = ledger.note(&key(agent, path)).await?;
    // A note that cannot be read is as good as none: what is ours is then found by its looks.
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Keeps the note of a file; `None` removes it.
pub async fn keep(ledger: &dyn Ledger, agent: &str, path: &Path, note: Option<&Note>) -> Result<(), Failure> {
    let text = note.and_then(|note| serde_json::to_string(note).ok());
    Ok(ledger.set_note(&key(agent, path), text.as_deref()).await?)
}
