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
    let now = memory.version(path).await.ok().flatten();
    Refusal::new(StatusCode::CONFLICT, "conflict", error.to_string()).with("sha256", now.map(|now| now.to_string()))
}

/// A path as requests give it: whole, and nothing that would be understood as something else.
fn path(given: Option<&str>) -> Result<String, Refusal> {
    match given {
        Some(path) if path.starts_with('/') => Ok(path.to_owned()),
        Some(_) => Err(Refusal::invalid("invalid_path", "a path starts with /memories/")),
        None => Err(Refusal::invalid("invalid_path", "path is missing; give one like /memories/global/user/tea.md")),
    }
}
