//! `GET /metrics`: numbers for Prometheus.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(metrics))
}

/// Tells numbers about the daemon; no content.
#[utoipa::path(
    get, path = "/metrics", tag = "daemon",
    responses((status = 200, description = "Prometheus text", content_type = "text/plain", body = String))
)]
async fn metrics(State(daemon): State<Daemon>) -> Result<impl IntoResponse, Refusal> {
    let pending = daemon.lanes().pending().await?;
    let text = daemon.metrics().text(pending, daemon.events().listeners());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}
