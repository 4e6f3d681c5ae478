//! `POST /memory/rename`: a document moves within its scope; use and pin go along.

use super::{about, path, path_of};
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(rename))
}

/// From where to where.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rename {
    path: String,
    new_path: String,
}

/// Moves a document or a folder.
#[utoipa::path(post, path = "/memory/rename", tag = "memory", request_body = Rename,
    responses((status = 200, body = Rename), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn rename(Mine(memory): Mine, fields: Fields) -> Result<Json<Rename>, Refusal> {
    let fields = fields.required()?;
    let new_path = path_of("newPath", fields.text("newPath")?.as_deref());
    let moved = Rename { path: path(fields.text("path")?.as_deref())?, new_path: new_path? };
    match memory.rename(&moved.path, &moved.new_path).await {
        Ok(()) => Ok(Json(moved)),
        Err(error) => Err(about(&memory, &moved.new_path, error).await),
    }
}
