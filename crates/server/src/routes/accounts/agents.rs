//! `/accounts/me/agents`: who works in workspaces.

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
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(agents, add_agent)).routes(routes!(agent, change_agent, remove_agent))
}

/// An agent as it shall be.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; `domain` reads them")]
pub struct AgentForm {
    /// What it is told first.
    system: Option<String>,
    /// The sandbox of every workspace that names none.
    sandbox: Option<String>,
    /// Its workspaces; the first is the default one.
    workspaces: Option<Vec<AgentWorkspace>>,
    /// `default`, `fast` or `smol`.
    model: Option<String>,
    session: Option<AgentSession>,
}

/// A workspace under the name that the model sees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentWorkspace {
    name: String,
    workspace_id: String,
    /// Absent = the agent's sandbox; `null` = read-only.
    sandbox: Option<String>,
}

/// How its conversations are kept short.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentSession {
    pruning: Option<AgentPruning>,
    compaction: Option<AgentCompaction>,
}

/// Whether older clutter is left out of what the model sees; on unless switched off.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentPruning {
    enabled: Option<bool>,
}

/// Whether older messages are summarised; off unless switched on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentCompaction {
    enabled: Option<bool>,
    /// Characters, at most 500,000.
    #[schema(minimum = 1, maximum = 500_000)]
    max_context_length: Option<u64>,
}

/// An agent: its id and times, and what it was made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentRow {
    id: String,
    /// `system`, `sandbox`, `workspaces`, `model` and `session`, as they were given.
    #[serde(flatten)]
    #[schema(value_type = AgentForm, inline)]
    body: Map<String, Value>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Agents in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentRows {
    agents: Vec<AgentRow>,
}

/// Lists the account's agents.
#[utoipa::path(get, path = "/accounts/me/agents", tag = "accounts", responses((status = 200, body = AgentRows)))]
async fn agents(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<AgentRows>, Refusal> {
    let all = daemon.runtime().all(Holding::Agent, caller.account()).await?;
    Ok(Json(all.into()))
}

/// Makes an agent.
#[utoipa::path(post, path = "/accounts/me/agents", tag = "accounts", request_body = AgentForm,
    responses((status = 201, body = AgentRow)))]
async fn add_agent(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<(StatusCode, Json<AgentRow>), Refusal> {
    let body = Value::Object(fields.required()?.whole());
    let made = daemon.runtime().add(Holding::Agent, caller.account(), body).await?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

/// Shows an agent.
#[utoipa::path(get, path = "/accounts/me/agents/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 200, body = AgentRow), (status = 404, body = ErrorBody)))]
async fn agent(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<AgentRow>, Refusal> {
    Ok(Json(AgentRow::from(daemon.runtime().get(Holding::Agent, caller.account(), &id).await?)))
}

/// Changes an agent; what is not named stays, and lists are replaced as a whole.
#[utoipa::path(patch, path = "/accounts/me/agents/{id}", tag = "accounts", params(("id" = String, Path)),
    request_body = Object, responses((status = 200, body = AgentRow), (status = 404, body = ErrorBody)))]
async fn change_agent(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<AgentRow>, Refusal> {
    let change = Value::Object(fields.required()?.whole());
    Ok(Json(AgentRow::from(daemon.runtime().change(Holding::Agent, caller.account(), &id, &change).await?)))
}

/// Removes an agent; its conversations and workspaces stay.
#[utoipa::path(delete, path = "/accounts/me/agents/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove_agent(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    daemon.runtime().remove(Holding::Agent, caller.account(), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Held> for AgentRow {
    fn from(held: Held) -> AgentRow {
        let body = match held.body {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        AgentRow { id: held.id, body, created_at: held.created_at, updated_at: held.updated_at }
    }
}

impl From<Vec<Held>> for AgentRows {
    fn from(all: Vec<Held>) -> AgentRows {
        AgentRows { agents: all.into_iter().map(AgentRow::from).collect() }
    }
}
