//! `/agents/connections`: which agents use this memory. Only the owner changes that.

use super::settings::owner;
use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use crate::query::Asked;
use crate::setup::{Connecting, Connection, ConnectionChange};
use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(connect, disconnect))
}

/// Every agent that can be connected.
#[derive(Debug, Serialize, ToSchema)]
pub struct Connections {
    agents: Vec<Connection>,
}

/// How an agent is to be connected.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct ConnectBody {
    /// `user` (the default) or `project`.
    level: Option<String>,
    /// `exec`, `plan` or `explore`; as it is, else `exec`.
    mode: Option<String>,
    /// Only tell what would change.
    dry_run: Option<bool>,
}

/// From where an agent is to be disconnected.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Away {
    /// `user` (the default) or `project`.
    level: Option<String>,
    /// Only tell what would change.
    #[serde(default)]
    dry_run: bool,
}

/// Lists every agent that can be connected, and how it stands.
#[utoipa::path(get, path = "/agents/connections", operation_id = "connections", tag = "agents", responses((status = 200, body = Connections)))]
async fn list(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Connections>, Refusal> {
    owner(&caller)?;
    Ok(Json(Connections { agents: daemon.setup().connections().await? }))
}

/// Puts the MCP server and the hooks of Loci into an agent's configuration; all else in it stays.
#[utoipa::path(post, path = "/agents/connections/{agent}", tag = "agents",
    params(("agent" = String, Path, description = "An agent, as `claude-code`")), request_body = Option<ConnectBody>,
    responses((status = 200, body = ConnectionChange), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn connect(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(agent): Path<String>,
    fields: Fields,
) -> Result<Json<ConnectionChange>, Refusal> {
    owner(&caller)?;
    let dry_run = fields.get("dryRun").is_some() && fields.switch("dryRun")?;
    let ask = Connecting { level: fields.text("level")?, mode: fields.text("mode")?, dry_run };
    Ok(Json(daemon.setup().connect(&agent, ask).await?))
}

/// Takes exactly that out again.
#[utoipa::path(delete, path = "/agents/connections/{agent}", tag = "agents",
    params(("agent" = String, Path, description = "An agent, as `claude-code`"), Away),
    responses((status = 200, body = ConnectionChange), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn disconnect(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(agent): Path<String>,
    Asked(away): Asked<Away>,
) -> Result<Json<ConnectionChange>, Refusal> {
    owner(&caller)?;
    let ask = Connecting { level: away.level, mode: None, dry_run: away.dry_run };
    Ok(Json(daemon.setup().disconnect(&agent, ask).await?))
}
