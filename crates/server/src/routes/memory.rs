//! Curation: a person's own hand on memory, over HTTP. One file per word.

mod context;
mod feed;
mod file;
mod files;
mod log;
mod marks;
mod proposals;
mod read;
mod recall;
mod rename;
mod tool;
mod undo;

pub(super) use file::{digest, expected};

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::http::StatusCode;
use loci_memory::{Error, Memory};
use utoipa_axum::router::OpenApiRouter;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .merge(files::router())
        .merge(file::router())
        .merge(rename::router())
        .merge(marks::router())
        .merge(tool::router())
        .merge(recall::router())
        .merge(context::router())
        .merge(read::router())
        .merge(log::router())
        .merge(undo::router())
        .merge(proposals::router())
        .merge(feed::router())
}

/// A refusal about a file; a conflict tells the version that is there now.
async fn about(memory: &Memory, path: &str, error: Error) -> Refusal {
    let (Error::Changed { .. } | Error::Exists(_)) = &error else { return error.into() };
    let now = match memory.version(path).await {
        // Nobody knows its version, and it is not gone.
        Err(large @ Error::Store(loci_store::Error::TooLarge { .. })) => return large.into(),
        now => now.ok().flatten(),
    };
    Refusal::new(StatusCode::CONFLICT, "conflict", error.to_string()).with("sha256", now.map(|now| now.to_string()))
}

/// The same where the failure itself says which file it is about.
async fn changed(memory: &Memory, error: Error) -> Refusal {
    match &error {
        Error::Changed { path } => about(memory, &path.clone(), error).await,
        _ => error.into(),
    }
}

/// A path as requests give it: whole, and nothing that would be understood as something else.
fn path(given: Option<&str>) -> Result<String, Refusal> {
    path_of("path", given)
}

/// The same in another field.
fn path_of(field: &str, given: Option<&str>) -> Result<String, Refusal> {
    let wrong = |what: &str| Refusal::invalid("invalid_path", format!("{field} {what}"));
    match given {
        Some(path) if path.starts_with('/') => Ok(path.to_owned()),
        Some(_) => Err(wrong("starts with /memories/")),
        None => Err(wrong("is missing; give one like /memories/global/user/tea.md")),
    }
}
