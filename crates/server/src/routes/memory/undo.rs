//! `POST /memory/undo`, `POST /memory/restore`: back to how it was.

use super::log::{ChangeRow, Changes};
use super::{about, changed, path};
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(undo)).routes(routes!(restore))
}

/// What to take back.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Undo {
    /// A change or a group; the last one without it.
    id: Option<String>,
}

/// Which state to bring back.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct Restore {
    path: String,
    /// The change after which it was so.
    at: String,
}

/// Takes a change back, if the file still is what the change left.
#[utoipa::path(post, path = "/memory/undo", tag = "memory", request_body = Option<Undo>,
    responses((status = 200, body = Changes), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn undo(Mine(memory): Mine, fields: Fields) -> Result<Json<Changes>, Refusal> {
    let undo: Undo = fields.read()?;
    match memory.undo(undo.id.as_deref()).await {
        Ok(undone) => Ok(Json(Changes { changes: undone.into_iter().map(ChangeRow::from).collect() })),
        Err(error) => Err(changed(&memory, error).await),
    }
}

/// Brings a document back as it was after a change; undo takes that back.
#[utoipa::path(post, path = "/memory/restore", tag = "memory", request_body = Restore,
    responses((status = 204), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn restore(Mine(memory): Mine, fields: Fields) -> Result<StatusCode, Refusal> {
    let fields = fields.required()?;
    let path = path(fields.text("path")?.as_deref())?;
    let at = fields.text("at")?.ok_or_else(|| Refusal::invalid("invalid_field", "at is missing; give a change"))?;
    match memory.restore(&path, &at).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(error) => Err(about(&memory, &path, error).await),
    }
}
