//! `GET /health`: that the daemon lives, and nothing else.

use crate::daemon::Daemon;
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(health))
}

/// That it lives.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// Says that the daemon lives; needs no token.
#[utoipa::path(get, path = "/health", tag = "daemon", security(()), responses((status = 200, body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}
