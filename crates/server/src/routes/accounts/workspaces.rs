//! `/accounts/me/workspaces`: files that agents share.

use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_domain::workspace::namespace;
use loci_ledger::Holding;
use loci_session::records::Held;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(workspaces, add_workspace)).routes(routes!(
        workspace,
        change_workspace,
        remove_workspace
    ))
}

/// A workspace as it shall be.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; `domain` reads them")]
pub struct WorkspaceForm {
    name: String,
    config: WorkspaceConfig,
}

/// Where its files lie, and whether agents are told how to use it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceConfig {
    storage: WorkspaceStorage,
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<HarnessConfig>,
}

/// Where the files lie.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceStorage {
    /// `local`, `s3` or `ssh`.
    provider: String,
    /// `s3`: the bucket; without one the daemon's own place for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
    /// `s3`: below which the namespace lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
    /// `s3`: another server than the daemon's environment names.
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoint: Option<String>,
    /// `s3`: another region than the daemon's environment names.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    /// `ssh`: `ssh://user@host:port/path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// Whether agents are told how to use it.
#[derive(Debug, Serialize, ToSchema)]
pub struct HarnessConfig {
    enabled: Option<bool>,
}

/// A workspace.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceRow {
    id: String,
    name: String,
    #[schema(value_type = WorkspaceConfig)]
    config: Value,
    /// The namespace of its files.
    namespace: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Workspaces in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceRows {
    workspaces: Vec<WorkspaceRow>,
}

/// Lists the account's workspaces.
#[utoipa::path(get, path = "/accounts/me/workspaces", tag = "accounts", responses((status = 200, body = WorkspaceRows)))]
async fn workspaces(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<WorkspaceRows>, Refusal> {
    let all = daemon.runtime().all(Holding::Workspace, caller.account()).await?;
    let row = |held| WorkspaceRow::of(caller.account(), held);
    Ok(Json(WorkspaceRows { workspaces: all.into_iter().map(row).collect() }))
}

/// Makes a workspace.
#[utoipa::path(post, path = "/accounts/me/workspaces", tag = "accounts", request_body = WorkspaceForm,
    responses((status = 201, body = WorkspaceRow)))]
async fn add_workspace(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<(StatusCode, Json<WorkspaceRow>), Refusal> {
    let body = Value::Object(fields.required()?.whole());
    let made = daemon.runtime().add(Holding::Workspace, caller.account(), body).await?;
    Ok((StatusCode::CREATED, Json(WorkspaceRow::of(caller.account(), made))))
}

/// Shows a workspace.
#[utoipa::path(get, path = "/accounts/me/workspaces/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 200, body = WorkspaceRow), (status = 404, body = ErrorBody)))]
async fn workspace(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<WorkspaceRow>, Refusal> {
    Ok(Json(WorkspaceRow::of(caller.account(), daemon.runtime().get(Holding::Workspace, caller.account(), &id).await?)))
}

/// Changes a workspace; what is not named stays.
#[utoipa::path(patch, path = "/accounts/me/workspaces/{id}", tag = "accounts", params(("id" = String, Path)),
    request_body = Object, responses((status = 200, body = WorkspaceRow), (status = 404, body = ErrorBody)))]
async fn change_workspace(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<WorkspaceRow>, Refusal> {
    let change = Value::Object(fields.required()?.whole());
    Ok(Json(WorkspaceRow::of(
        caller.account(),
        daemon.runtime().change(Holding::Workspace, caller.account(), &id, &change).await?,
    )))
}

/// Removes a workspace, its files and its memory for good.
#[utoipa::path(delete, path = "/accounts/me/workspaces/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove_workspace(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let storage = daemon.runtime().workspace(caller.account(), &id).await?.storage;
    let _closed = daemon.lanes().close_workspace(caller.account(), &id, &storage).await?;
    daemon.runtime().remove_workspace(caller.account(), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl WorkspaceRow {
    /// A record as it is told.
    pub fn of(account: &str, mut held: Held) -> WorkspaceRow {
        WorkspaceRow {
            namespace: namespace(account, &held.id),
            name: held.body["name"].as_str().unwrap_or_default().to_owned(),
            config: held.body["config"].take(),
            id: held.id,
            created_at: held.created_at,
            updated_at: held.updated_at,
        }
    }
}
