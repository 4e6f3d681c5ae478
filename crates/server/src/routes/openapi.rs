//! `GET /openapi.json`: what can be asked, made from the routes themselves.

use crate::daemon::Daemon;
use axum::Json;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(document))
}

/// Describes every route.
#[utoipa::path(get, path = "/openapi.json", tag = "daemon", responses((status = 200, description = "An OpenAPI document", body = Object)))]
async fn document() -> Json<OpenApi> {
    Json(crate::router::openapi())
}
