//! `GET /memory/files`: every document of every scope that is there, in one call.

use crate::daemon::{Daemon, Mine};
use crate::fault::Refusal;
use crate::words::{KindWord, ScopeWord, TrustWord};
use axum::Json;
use jiff::Timestamp;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use loci_memory::list::{File, Trust};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(files))
}

/// All documents.
#[derive(Debug, Serialize, ToSchema)]
pub struct Files {
    files: Vec<FileRow>,
}

/// One document, with the fields of `loci list`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileRow {
    path: String,
    #[schema(value_type = ScopeWord)]
    scope: Scope,
    name: String,
    description: String,
    #[schema(value_type = KindWord)]
    r#type: Kind,
    bytes: u64,
    sha256: String,
    updated_at: Timestamp,
    uses: u64,
    #[schema(required)]
    last_used_at: Option<Timestamp>,
    pinned: bool,
    /// Who made it.
    origin: String,
    #[schema(value_type = TrustWord)]
    trust: Trust,
    /// True when something that it names has changed or gone.
    stale: bool,
}

impl From<File> for FileRow {
    fn from(file: File) -> FileRow {
        FileRow {
            path: file.path,
            scope: file.scope,
            name: file.name,
            description: file.description,
            r#type: file.r#type,
            bytes: file.bytes,
            sha256: file.sha256.to_string(),
            updated_at: file.updated_at,
            uses: file.uses,
            last_used_at: file.last_used_at,
            pinned: file.pinned,
            origin: file.origin,
            trust: file.trust,
            stale: file.stale,
        }
    }
}

/// Lists all documents; outside edits are seen.
#[utoipa::path(get, path = "/memory/files", tag = "memory", responses((status = 200, body = Files)))]
async fn files(Mine(memory): Mine) -> Result<Json<Files>, Refusal> {
    let files = memory.list(None).await?;
    Ok(Json(Files { files: files.into_iter().map(FileRow::from).collect() }))
}
