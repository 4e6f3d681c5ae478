//! `POST /session` and `GET /session/{id}/events`: a name to listen under, and what there is to hear.

use crate::auth::Caller;
use crate::body::Fields;
use crate::clients;
use crate::daemon::Daemon;
use crate::fault::Refusal;
use crate::path::Path;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{KeepAlive, Sse};
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_ledger::Holding;
use serde::{Deserialize, Serialize};
use std::path::Path as FilePath;
use std::time::Duration;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// An idle stream says this often that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(open)).routes(routes!(events))
}

/// What a session is opened for.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Opening {
    /// The directory; only that of the daemon.
    #[allow(dead_code, reason = "for the document; it is read from the fields")]
    cwd: Option<String>,
    /// A workspace record, whose events are heard too.
    #[allow(dead_code, reason = "for the document; it is read from the fields")]
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    session_id: String,
    workspace_cwd: String,
    /// Whether it was there before; never, here.
    attached: bool,
    /// To be sent as `X-Loci-Client-Id`.
    client_id: String,
    created_at: String,
}

/// Opens a session, and registers a client unless one asks.
#[utoipa::path(
    post, path = "/session", tag = "sessions",
    request_body = Option<Opening>,
    responses((status = 200, body = Opened), (status = 404, description = "No such workspace", body = crate::ErrorBody),
        (status = 409, description = "Another directory", body = crate::ErrorBody))
)]
async fn open(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Json<Opened>, Refusal> {
    let client = clients::of(&daemon, &headers).await?;
    let own = &daemon.bound().cwd;
    match fields.get("cwd").or(fields.get("workspaceCwd")) {
        None => {}
        Some(cwd) => {
            let cwd = cwd.as_str().ok_or_else(|| Refusal::invalid("invalid_cwd", "cwd must be a text"))?;
            let same = FilePath::new(cwd).canonicalize().is_ok_and(|cwd| cwd == *own);
            if !same {
                let text = "this daemon works for another directory; /capabilities tells which";
                return Err(Refusal::new(StatusCode::CONFLICT, "workspace_mismatch", text));
            }
        }
    }
    let client_id = match client.0 {
        Some(client) => client,
        None => clients::register(&daemon).await?,
    };
    let mut rooms = vec![daemon.room_of(&caller)];
    if let Some(id) = fields.text("workspaceId")? {
        daemon.runtime().get(Holding::Workspace, caller.account(), &id).await?;
        rooms.push(id);
    }
    Ok(Json(Opened {
        session_id: daemon.herald().open(caller.account(), rooms).await?,
        workspace_cwd: daemon.cwd_for(&caller),
        attached: false,
        client_id,
        created_at: Timestamp::now().to_string(),
    }))
}

/// Streams what happens, as server-sent events; `Last-Event-ID` brings what was missed.
#[utoipa::path(
    get, path = "/session/{id}/events", tag = "sessions",
    params(("id" = String, Path, description = "A session"), ("last-event-id" = Option<String>, Header)),
    responses(
        (status = 200, description = "Events", content_type = "text/event-stream", body = String),
        (status = 404, description = "No such session", body = crate::ErrorBody)
    )
)]
async fn events(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    clients::of(&daemon, &headers).await?;
    let Some(rooms) = daemon.herald().rooms(&id, caller.account()).await? else {
        return Err(Refusal::missing("session_not_found", "there is no such session; POST /session opens one"));
    };
    Ok(Sse::new(daemon.events().listen(rooms, last_heard(&headers))).keep_alive(heartbeat()))
}

/// The last event that a listener who comes back has heard.
pub(super) fn last_heard(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id").and_then(|last| last.to_str().ok()?.trim().parse().ok())
}

pub(super) fn heartbeat() -> KeepAlive {
    KeepAlive::new().interval(HEARTBEAT).text("heartbeat")
}
