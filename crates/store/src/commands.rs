//! The memory tool: six commands in the words of the published contract.
//!
//! Owns the flattened schema, its aliases, and the answers that a model reads.
//! Never shows a path of the machine, and never changes a file except by [`crate::Transaction`].
//! Start at [`run`]; each command has its own file.

mod call;
mod create;
mod delete;
mod insert;
mod rename;
mod str_replace;
mod view;

pub use call::{Call, schema};
pub use str_replace::replaced;

use crate::backend::Blob;
use crate::store::{Root, Store};
use crate::transaction::By;
use crate::{Error, Result, catalog};
use loci_domain::access::{Mode, Want};
use loci_domain::fault::Fault;
use loci_domain::path::{EntryPath, Spot, Virtual};
use serde_json::Value;

/// Runs one call and answers the words for the model.
pub async fn run(store: &Store, call: &Value, mode: Mode, by: By) -> Result<String> {
    match Call::read(call)? {
        Call::View { path, window } => view::run(store, &path, window).await,
        Call::Create { path, file_text } => create::run(store, &path, file_text, mode, by).await,
        Call::StrReplace { path, old_str, new_str } => {
            str_replace::run(store, &path, &old_str, &new_str, mode, by).await
        }
        Call::Insert { path, insert_line, insert_text } => {
            insert::run(store, &path, insert_line, &insert_text, mode, by).await
        }
        Call::Delete { path } => delete::run(store, &path, mode, by).await,
        Call::Rename { old_path, new_path } => rename::run(store, &old_path, &new_path, mode, by).await,
    }
}

/// A file that a command wants to change: its root, checked against the mode, and its path in it.
fn target<'a>(store: &'a Store, path: &Virtual, mode: Mode) -> Result<(&'a Root, EntryPath)> {
    match &path.spot {
        Spot::Inside(scope, inner) => {
            let root = store.root(*scope)?;
            store.allow(root, mode, Want::Change)?;
            if scope.is_some() && inner.is_index() {
                return Err(Error::refused(Fault::Denied, "MEMORY.md is generated"));
            }
            Ok((root, inner.clone()))
        }
        Spot::Root(scope) => {
            store.allow(store.root(*scope)?, mode, Want::Change)?;
            Err(not_a_file(path))
        }
        Spot::Top => Err(not_a_file(path)),
    }
}

/// A path that must name a file: one written as a folder is refused.
fn file_path(store: &Store, given: &str) -> Result<Virtual> {
    let path = Virtual::parse(given, store.layout())?;
    if path.folder && matches!(path.spot, Spot::Inside(..)) {
        return Err(not_a_file(&path));
    }
    Ok(path)
}

/// The text of a file that is to be edited.
fn editable<'b>(path: &Virtual, blob: &'b Option<Blob>, limit: u64) -> Result<&'b str> {
    let Some(blob) = blob else { return Err(missing(path)) };
    if blob.bytes.len() as u64 > limit {
        return Err(too_large(path, blob.bytes.len() as u64, limit));
    }
    catalog::text(&blob.bytes).ok_or_else(|| not_text(path))
}

fn missing(path: &Virtual) -> Error {
    Error::refused(Fault::Missing, format!("The path {} does not exist. Please provide a valid path.", path.given))
}

fn nothing_at(path: &Virtual) -> Error {
    Error::refused(Fault::Missing, format!("The path {} does not exist", path.given))
}

fn not_a_file(path: &Virtual) -> Error {
    Error::refused(Fault::Invalid, format!("The path {} is not a file.", path.given))
}

fn not_text(path: &Virtual) -> Error {
    Error::refused(Fault::Invalid, format!("{} is not a text file (UTF-8 without NUL bytes).", path.given))
}

fn too_large(path: &Virtual, bytes: u64, limit: u64) -> Error {
    let advice = "Split it into smaller files by topic, or delete it.";
    Error::refused(Fault::Limit, format!("{} has {bytes} bytes; the limit is {limit}. {advice}", path.given))
}

/// Puts a backend's plain error into a sentence about the path that the model gave.
fn about(path: &Virtual, error: Error) -> Error {
    match error {
        Error::TooLarge { bytes, limit } => too_large(path, bytes, limit),
        Error::Folder => not_a_file(path),
        Error::Missing => nothing_at(path),
        Error::InTheWay => Error::refused(
            Fault::Invalid,
            format!("A file is in the way: a parent of {} is not a directory.", path.given),
        ),
        Error::Odd => Error::refused(Fault::Invalid, format!("{} is not a regular file.", path.given)),
        Error::Changed { .. } => Error::refused(
            Fault::Conflict,
            format!("{} was changed by somebody else meanwhile; view it and try again.", path.given),
        ),
        Error::IntoItself => Error::refused(Fault::Invalid, format!("{} cannot be moved into itself.", path.given)),
        Error::Io(_) | Error::Forbidden | Error::Full | Error::ReadOnlyDisk => {
            let fault = error.fault();
            Error::refused(fault, format!("{}: {error}", path.given))
        }
        other => other,
    }
}

/// Numbers lines from `first`: right-aligned to six, a tab, the line.
fn numbered<'l>(lines: impl Iterator<Item = &'l str>, first: usize) -> String {
    let mut text = String::new();
    for (at, line) in lines.enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.push_str(&format!("{:>6}\t{line}", first + at));
    }
    text
}

/// More lines than the published tool can number.
fn check_lines(path: &Virtual, text: &str) -> Result<usize> {
    const MOST: usize = 999_999;
    let lines = text.split('\n').count();
    if lines <= MOST {
        return Ok(lines);
    }
    let text = format!("File {} has too many lines ({lines}). Maximum is 999,999 lines.", path.given);
    Err(Error::refused(Fault::Limit, text))
}
