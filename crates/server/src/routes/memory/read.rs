//! `GET /memory/read`: a page of the handbook by its `memory://` address.

use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::query::Asked;
use axum::Json;
use loci_memory::handbook::PageText;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(read))
}

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// `memory://root` is the summary; others are `memory://root/<path>`.
    uri: String,
}

/// A page as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageContent {
    uri: String,
    content: String,
}

/// Reads a page of the project's handbook.
#[utoipa::path(get, path = "/memory/read", operation_id = "read_page", tag = "memory", params(Wanted),
    responses((status = 200, body = PageContent), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn read(Mine(memory): Mine, Asked(wanted): Asked<Wanted>) -> Result<Json<PageContent>, Refusal> {
    let PageText { uri, content } = memory.read_page(&wanted.uri).await?;
    Ok(Json(PageContent { uri, content }))
}
