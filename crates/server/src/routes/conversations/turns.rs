//! `/conversations/{key}/turns`: one turn from claim to release.

use super::shapes::{Duplicate, LeaseRow, MessageForm, TurnAnswer};
use super::tell;
use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use loci_session::tools::Called;
use loci_session::turn::{Started, Wanted};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(begin_turn))
        .routes(routes!(complete_turn))
        .routes(routes!(fail_turn))
        .routes(routes!(renew_turn))
        .routes(routes!(turn_tool))
}

/// A turn to begin.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct BeginTurn {
    /// The id of what happened; taken once in an account.
    event_id: String,
    agent_id: String,
    /// What happened.
    events: Vec<MessageForm>,
}

/// What was said in a turn.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct CompleteTurn {
    messages: Vec<MessageForm>,
}

/// Why a turn came to nothing; for the log.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct FailTurn {
    error: Option<String>,
}

/// A call of a workspace tool.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct ToolCall {
    name: String,
    #[schema(value_type = Object)]
    input: Value,
}

/// How a turn ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedTurn {
    turn_id: String,
    /// `completed` or `failed`.
    status: &'static str,
}

/// A lease that was prolonged.
#[derive(Debug, Serialize, ToSchema)]
pub struct RenewedTurn {
    lease: LeaseRow,
}

/// What came of a tool's call.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolOutcome {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

type TurnPath = Result<Path<(String, String)>, PathRejection>;

/// Begins a turn: the event is claimed, the conversation taken, the events kept, and what the model sees put together.
#[utoipa::path(post, path = "/conversations/{key}/turns", tag = "conversations", params(("key" = String, Path)),
    request_body = BeginTurn,
    responses((status = 200, body = TurnAnswer), (status = 201, body = TurnAnswer), (status = 409, body = ErrorBody)))]
async fn begin_turn(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Result<Path<String>, PathRejection>,
    fields: Fields,
) -> Result<(StatusCode, Json<TurnAnswer>), Refusal> {
    let Path(key) = path.map_err(|_| Refusal::no_route())?;
    let fields = fields.required()?;
    let wanted = Wanted {
        event: required(&fields, "eventId")?,
        agent: required(&fields, "agentId")?,
        events: list(&fields, "events")?,
    };
    let now = daemon.now()?;
    // On a task of its own: a caller that hangs up leaves a turn that is whole, not half of one.
    let (runtime, account, of) = (daemon.runtime().clone(), caller.account().to_owned(), key.clone());
    let begun = tokio::spawn(async move { runtime.begin(&account, &of, wanted, &now).await }).await;
    match begun.map_err(|_| Refusal::bug("internal"))?? {
        Started::Duplicate => Ok((StatusCode::OK, Json(TurnAnswer::Duplicate(Duplicate { duplicate: true })))),
        Started::Turn(context) => {
            tell(&daemon, &caller, &key, "turn_started", &context.turn.id).await;
            Ok((StatusCode::CREATED, Json(TurnAnswer::Turn(Box::new((*context).into())))))
        }
    }
}

/// Keeps what was said and ends the turn.
#[utoipa::path(post, path = "/conversations/{key}/turns/{turn_id}/complete", tag = "conversations",
    params(("key" = String, Path), ("turn_id" = String, Path)), request_body = CompleteTurn,
    responses((status = 200, body = EndedTurn), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn complete_turn(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: TurnPath,
    fields: Fields,
) -> Result<Json<EndedTurn>, Refusal> {
    let Path((key, turn_id)) = path.map_err(|_| Refusal::no_route())?;
    let messages = list(&fields.required()?, "messages")?;
    // On a task of its own, as its begin: a caller that hangs up leaves a turn that was copied and told of, too.
    let ended = tokio::spawn(async move {
        daemon.runtime().complete(caller.account(), &key, &turn_id, &messages).await?;
        tell(&daemon, &caller, &key, "turn_completed", &turn_id).await;
        Ok(Json(EndedTurn { turn_id, status: "completed" }))
    });
    ended.await.map_err(|_| Refusal::bug("internal"))?
}

/// Ends a turn that came to nothing; its event may be sent again.
#[utoipa::path(post, path = "/conversations/{key}/turns/{turn_id}/fail", tag = "conversations",
    params(("key" = String, Path), ("turn_id" = String, Path)), request_body = Option<FailTurn>,
    responses((status = 200, body = EndedTurn), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn fail_turn(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: TurnPath,
    _: Fields,
) -> Result<Json<EndedTurn>, Refusal> {
    let Path((key, turn_id)) = path.map_err(|_| Refusal::no_route())?;
    daemon.runtime().fail(caller.account(), &key, &turn_id).await?;
    tell(&daemon, &caller, &key, "turn_failed", &turn_id).await;
    Ok(Json(EndedTurn { turn_id, status: "failed" }))
}

/// Prolongs a turn.
#[utoipa::path(post, path = "/conversations/{key}/turns/{turn_id}/renew", tag = "conversations",
    params(("key" = String, Path), ("turn_id" = String, Path)), request_body = Option<Object>,
    responses((status = 200, body = RenewedTurn), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn renew_turn(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: TurnPath,
    _: Fields,
) -> Result<Json<RenewedTurn>, Refusal> {
    let Path((key, turn_id)) = path.map_err(|_| Refusal::no_route())?;
    let (turn, until) = daemon.runtime().renew(caller.account(), &key, &turn_id).await?;
    Ok(Json(RenewedTurn { lease: LeaseRow { token: turn.token.to_string(), expires_at: until } }))
}

/// Calls a tool of a bound workspace.
#[utoipa::path(post, path = "/conversations/{key}/turns/{turn_id}/tools", tag = "conversations",
    params(("key" = String, Path), ("turn_id" = String, Path)), request_body = ToolCall,
    responses((status = 200, body = ToolOutcome), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn turn_tool(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: TurnPath,
    fields: Fields,
) -> Result<Json<ToolOutcome>, Refusal> {
    let Path((key, turn_id)) = path.map_err(|_| Refusal::no_route())?;
    let fields = fields.required()?;
    let name = required(&fields, "name")?;
    let input: Map<String, Value> = match fields.get("input") {
        None => Map::new(),
        Some(Value::Object(input)) => input.clone(),
        Some(_) => return Err(Refusal::invalid("invalid_field", "input must be an object")),
    };
    Ok(Json(match daemon.runtime().tool(caller.account(), &key, &turn_id, &name, &input).await? {
        Called::Done(output) => ToolOutcome { success: true, output: Some(output), error: None },
        Called::Refused(error) => ToolOutcome { success: false, output: None, error: Some(error) },
    }))
}

fn required(fields: &Fields, name: &str) -> Result<String, Refusal> {
    let missing = || Refusal::invalid("invalid_field", format!("{name} is missing; give a text"));
    fields.text(name)?.ok_or_else(missing)
}

fn list(fields: &Fields, name: &str) -> Result<Vec<Value>, Refusal> {
    match fields.get(name) {
        Some(Value::Array(list)) => Ok(list.clone()),
        _ => Err(Refusal::invalid("invalid_field", format!("{name} must be a list of messages"))),
    }
}
