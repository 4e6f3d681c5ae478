//! `PUT /memory/pin`, `PUT /memory/trust`: a person's marks on a document.

use super::path;
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use axum::Json;
use loci_memory::list::Trust;
use loci_memory::pin;
use loci_memory::trust::Which;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(pin)).routes(routes!(trust))
}

/// Whether a document is always in context and safe from machines.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pinned {
    path: String,
    pinned: bool,
}

/// Whether a person stands behind a document's bytes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trusted {
    path: String,
    trusted: bool,
}

/// Pins or unpins a document.
#[utoipa::path(put, path = "/memory/pin", tag = "memory", request_body = Pinned,
    responses((status = 200, body = Pinned), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn pin(Mine(memory): Mine, fields: Fields) -> Result<Json<Pinned>, Refusal> {
    let fields = fields.required()?;
    let path = path(fields.text("path")?.as_deref())?;
    let pinned = fields.switch("pinned")?;
    let wanted = if pinned { pin::Pin::Set } else { pin::Pin::Remove };
    memory.pin(&path, wanted).await?;
    Ok(Json(Pinned { path, pinned }))
}

/// Accepts a document's bytes as they are now, or takes that back.
#[utoipa::path(put, path = "/memory/trust", tag = "memory", request_body = Trusted,
    responses((status = 200, body = Trusted), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn trust(Mine(memory): Mine, fields: Fields) -> Result<Json<Trusted>, Refusal> {
    let fields = fields.required()?;
    let path = path(fields.text("path")?.as_deref())?;
    let trusted = fields.switch("trusted")?;
    let wanted = if trusted { Trust::Trusted } else { Trust::Untrusted };
    memory.trust(Which::File(&path), wanted).await?;
    Ok(Json(Trusted { path, trusted }))
}
