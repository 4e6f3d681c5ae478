//! `/workspaces/{id}/memory/…`: memory tasks of a workspace record, in a lane of its own.
//!
//! They see the person's memory and that of the workspace, which is the folder `memory/` of its files.

use super::tasks::{
    Accepted, ContextMode, Known, Listed, Posted, Seen, cancelled, listed, seen, shown, wants_dream, wants_forget,
    wants_remember,
};
use crate::auth::Caller;
use crate::body::Fields;
use crate::clients;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::lane::Lane;
use crate::path::Path;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Something to remember for a workspace.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct WorkspaceRemember {
    /// At most 65,536 bytes after trimming.
    content: String,
    context_mode: Option<ContextMode>,
    scope: Option<WorkspaceTaskScope>,
}

/// Something to forget for a workspace.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct WorkspaceForget {
    /// At most 65,536 bytes after trimming.
    query: String,
    scope: Option<WorkspaceTaskScope>,
}

/// Whose memory: the person's or the workspace's.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "for the document")]
pub enum WorkspaceTaskScope {
    User,
    Global,
    Workspace,
}

/// The scopes of a workspace's tasks beside the person's own.
const SCOPES: &[&str] = &["workspace"];

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(workspace_remember))
        .routes(routes!(workspace_forget))
        .routes(routes!(workspace_dream))
        .routes(routes!(workspace_tasks))
        .routes(routes!(workspace_task, workspace_cancel))
}

/// Remembers a statement for a workspace.
#[utoipa::path(
    post, path = "/workspaces/{id}/memory/remember", tag = "tasks", request_body = WorkspaceRemember,
    params(("id" = String, Path, description = "A workspace")),
    responses((status = 202, body = Accepted), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody))
)]
async fn workspace_remember(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Posted {
    wants_remember(&daemon, &*lane(&daemon, &caller, &id).await?, &headers, fields, SCOPES).await
}

/// Forgets what a query means, for a workspace.
#[utoipa::path(
    post, path = "/workspaces/{id}/memory/forget", tag = "tasks", request_body = WorkspaceForget,
    params(("id" = String, Path, description = "A workspace")),
    responses((status = 202, body = Accepted), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody))
)]
async fn workspace_forget(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Posted {
    wants_forget(&daemon, &*lane(&daemon, &caller, &id).await?, &headers, fields, SCOPES).await
}

/// Tidies the memory of a workspace up.
#[utoipa::path(
    post, path = "/workspaces/{id}/memory/dream", tag = "tasks", request_body = Option<Object>,
    params(("id" = String, Path, description = "A workspace")),
    responses((status = 202, body = Accepted), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody))
)]
async fn workspace_dream(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    _: Fields,
) -> Posted {
    wants_dream(&daemon, &*lane(&daemon, &caller, &id).await?, &headers).await
}

/// Lists the caller's tasks of a workspace.
#[utoipa::path(
    get, path = "/workspaces/{id}/memory/tasks", tag = "tasks",
    params(("id" = String, Path, description = "A workspace")),
    responses((status = 200, body = Listed), (status = 404, body = ErrorBody))
)]
async fn workspace_tasks(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Listed>, Refusal> {
    let lane = lane(&daemon, &caller, &id).await?;
    listed(&lane, &clients::of(&daemon, &headers).await?).await
}

/// Shows a task of a workspace.
#[utoipa::path(
    get, path = "/workspaces/{id}/memory/{kind}/{task_id}", tag = "tasks",
    params(("id" = String, Path, description = "A workspace"), ("kind" = String, Path, description = "remember, forget or dream"), ("task_id" = String, Path, description = "A task")),
    responses((status = 200, body = Seen), (status = 404, body = ErrorBody))
)]
async fn workspace_task(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Path<(String, Known, String)>,
    headers: HeaderMap,
) -> Result<Json<Seen>, Refusal> {
    let Path((id, Known(kind), task)) = path;
    let (lane, client) = (lane(&daemon, &caller, &id).await, clients::of(&daemon, &headers).await);
    match (lane, client) {
        (Ok(lane), client) => shown(&lane, kind, &task, &client?).await,
        (Err(gone), Err(_)) => Err(gone),
        (Err(gone), Ok(client)) => {
            let left = daemon.lanes().left(caller.account(), &id, &task).await?;
            let own = left.filter(|task| task.kind == kind && task.client == client.0);
            own.map(|task| Json(seen(task))).ok_or(gone)
        }
    }
}

/// Cancels a task of a workspace that waits or runs.
#[utoipa::path(
    delete, path = "/workspaces/{id}/memory/{kind}/{task_id}", tag = "tasks",
    params(("id" = String, Path, description = "A workspace"), ("kind" = String, Path, description = "remember, forget or dream"), ("task_id" = String, Path, description = "A task")),
    responses((status = 200, body = Seen), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody))
)]
async fn workspace_cancel(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Path<(String, Known, String)>,
    headers: HeaderMap,
) -> Result<Json<Seen>, Refusal> {
    let Path((id, Known(kind), task)) = path;
    let lane = lane(&daemon, &caller, &id).await?;
    cancelled(&lane, kind, &task, &clients::of(&daemon, &headers).await?).await
}

/// The lane of a workspace of whoever asks.
async fn lane(daemon: &Daemon, caller: &Caller, id: &str) -> Result<Arc<Lane>, Refusal> {
    let workspace = daemon.runtime().workspace(caller.account(), id).await?;
    Ok(daemon.lanes().of_workspace(caller.account(), id, &workspace.storage))
}
