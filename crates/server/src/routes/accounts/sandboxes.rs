//! `/accounts/me/sandboxes`: where commands of agents run.

use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_ledger::Holding;
use loci_session::records::Held;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(sandboxes, add_sandbox)).routes(routes!(
        sandbox,
        change_sandbox,
        remove_sandbox
    ))
}

/// A sandbox as it shall be.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; `domain` reads them")]
pub struct SandboxForm {
    name: String,
    /// `local`.
    kind: String,
}

/// A sandbox.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SandboxRow {
    id: String,
    name: String,
    kind: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Sandboxes in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxRows {
    sandboxes: Vec<SandboxRow>,
}

/// Lists the account's sandboxes.
#[utoipa::path(get, path = "/accounts/me/sandboxes", tag = "accounts", responses((status = 200, body = SandboxRows)))]
async fn sandboxes(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<SandboxRows>, Refusal> {
    let all = daemon.runtime().all(Holding::Sandbox, caller.account()).await?;
    Ok(Json(all.into()))
}

/// Makes a sandbox.
#[utoipa::path(post, path = "/accounts/me/sandboxes", tag = "accounts", request_body = SandboxForm,
    responses((status = 201, body = SandboxRow)))]
async fn add_sandbox(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<(StatusCode, Json<SandboxRow>), Refusal> {
    let body = Value::Object(fields.required()?.whole());
    let made = daemon.runtime().add(Holding::Sandbox, caller.account(), body).await?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

/// Shows a sandbox.
#[utoipa::path(get, path = "/accounts/me/sandboxes/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 200, body = SandboxRow), (status = 404, body = ErrorBody)))]
async fn sandbox(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<SandboxRow>, Refusal> {
    Ok(Json(SandboxRow::from(daemon.runtime().get(Holding::Sandbox, caller.account(), &id).await?)))
}

/// Changes a sandbox; what is not named stays.
#[utoipa::path(patch, path = "/accounts/me/sandboxes/{id}", tag = "accounts", params(("id" = String, Path)),
    request_body = Object, responses((status = 200, body = SandboxRow), (status = 404, body = ErrorBody)))]
async fn change_sandbox(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<SandboxRow>, Refusal> {
    let change = Value::Object(fields.required()?.whole());
    Ok(Json(SandboxRow::from(daemon.runtime().change(Holding::Sandbox, caller.account(), &id, &change).await?)))
}

/// Removes a sandbox; agents that name it say so at their next turn.
#[utoipa::path(delete, path = "/accounts/me/sandboxes/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove_sandbox(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    daemon.runtime().remove(Holding::Sandbox, caller.account(), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Held> for SandboxRow {
    fn from(held: Held) -> SandboxRow {
        let text = |name: &str| held.body[name].as_str().unwrap_or_default().to_owned();
        SandboxRow {
            name: text("name"),
            kind: text("kind"),
            created_at: held.created_at,
            updated_at: held.updated_at,
            id: held.id,
        }
    }
}

impl From<Vec<Held>> for SandboxRows {
    fn from(all: Vec<Held>) -> SandboxRows {
        SandboxRows { sandboxes: all.into_iter().map(SandboxRow::from).collect() }
    }
}
