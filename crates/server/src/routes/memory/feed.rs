//! `GET /memory/events`: every change of memory as it happens.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use crate::routes::session::{heartbeat, last_heard};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::response::sse::Sse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(memory_events))
}

/// Streams `{kind, scope, path, actor, at}`, as server-sent events; `Last-Event-ID` brings what was missed.
#[utoipa::path(get, path = "/memory/events", tag = "memory", params(("last-event-id" = Option<String>, Header)),
    responses((status = 200, description = "Events", content_type = "text/event-stream", body = String)))]
async fn memory_events(State(daemon): State<Daemon>, headers: HeaderMap) -> Result<impl IntoResponse, Refusal> {
    Ok(Sse::new(daemon.feed().listen(last_heard(&headers)).await?).keep_alive(heartbeat()))
}
