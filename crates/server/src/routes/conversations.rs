//! `/conversations`: what was said, and the turns in which it is said.

mod shapes;
mod turns;

pub use shapes::{ConversationRows, ConversationShown};

use crate::auth::Caller;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::query::Asked;
use crate::routes::session::{heartbeat, last_heard};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::Sse;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Messages of one answer.
const MOST: usize = 10_000;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(conversations))
        .routes(routes!(conversation, remove_conversation))
        .routes(routes!(conversation_events))
        .merge(turns::router())
}

/// Which messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Span {
    /// The first one, counted from 0.
    from: Option<u64>,
    /// At most so many.
    #[param(maximum = 10_000)]
    limit: Option<usize>,
}

/// Lists the account's conversations, the one in which something happened last first.
#[utoipa::path(get, path = "/conversations", tag = "conversations", responses((status = 200, body = ConversationRows)))]
async fn conversations(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<ConversationRows>, Refusal> {
    let all = daemon.runtime().conversations(caller.account()).await?;
    Ok(Json(all.into()))
}

/// Shows what was said, oldest first, exactly as it is stored.
#[utoipa::path(get, path = "/conversations/{key}", tag = "conversations", params(("key" = String, Path), Span),
    responses((status = 200, body = ConversationShown), (status = 404, body = ErrorBody)))]
async fn conversation(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Result<Path<String>, PathRejection>,
    Asked(span): Asked<Span>,
) -> Result<Json<ConversationShown>, Refusal> {
    let key = key(path)?;
    let limit = span.limit.unwrap_or(MOST).min(MOST);
    let from = span.from.unwrap_or_default();
    let (found, lines) = daemon.runtime().conversation(caller.account(), &key, from, limit).await?;
    let waiting = daemon.runtime().waiting(&found).await?;
    Ok(Json((found, lines, waiting).into()))
}

/// Removes a conversation for good; files of workspaces stay.
#[utoipa::path(delete, path = "/conversations/{key}", tag = "conversations", params(("key" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove_conversation(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    let key = key(path)?;
    daemon.runtime().remove_conversation(caller.account(), &key).await?;
    tell(&daemon, &caller, &key, "conversation_deleted", "").await;
    Ok(StatusCode::NO_CONTENT)
}

/// Streams what happens in a conversation: turns that start, end or fail.
#[utoipa::path(get, path = "/conversations/{key}/events", tag = "conversations",
    params(("key" = String, Path), ("last-event-id" = Option<String>, Header)),
    responses(
        (status = 200, description = "Events", content_type = "text/event-stream", body = String),
        (status = 404, description = "No such conversation", body = ErrorBody)
    ))]
async fn conversation_events(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    let key = key(path)?;
    daemon.runtime().conversation(caller.account(), &key, 0, 0).await?;
    let rooms = vec![room(&caller, &key)];
    Ok(Sse::new(daemon.events().listen(rooms, last_heard(&headers))).keep_alive(heartbeat()))
}

fn key(path: Result<Path<String>, PathRejection>) -> Result<String, Refusal> {
    path.map(|Path(key)| key).map_err(|_| Refusal::no_route())
}

fn room(caller: &Caller, key: &str) -> String {
    format!("conversation:{}:{key}", caller.account())
}

async fn tell(daemon: &Daemon, caller: &Caller, key: &str, kind: &str, turn: &str) {
    let data = json!({"key": key, "turnId": Some(turn).filter(|turn| !turn.is_empty())});
    daemon.herald().tell(&room(caller, key), kind, &data, None).await;
}
