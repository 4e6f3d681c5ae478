//! `/workspace/memory/…`: memory tasks, from asking to their end.
//!
//! Owns the checks of fields and the shapes of tasks on the wire; the lane does the rest.

mod shapes;

pub(super) use shapes::{Accepted, ContextMode, Listed, Seen, seen};

use crate::auth::Caller;
use crate::body::Fields;
use crate::clients::{self, Client};
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::lane::{Lane, Wanted};
use crate::now::on;
use crate::path::Path;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use loci_ledger::{CancelledTask, Task, TaskKind};
use serde::Deserialize;
use serde_json::Value;
use shapes::{Forget, Remember, accepted};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The seconds that a client waits when the lane is full.
const FULL: u64 = 10;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(remember))
        .routes(routes!(forget))
        .routes(routes!(dream))
        .routes(routes!(list))
        .routes(routes!(task, cancel))
}

pub(super) type Posted = Result<(StatusCode, Json<Accepted>), Refusal>;

/// A kind of tasks in a path: one that is not known is no route, whoever asks for it.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Known(pub TaskKind);

impl TryFrom<String> for Known {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Known, &'static str> {
        TaskKind::from_word(&word).map(Known).ok_or("there is no such kind of tasks")
    }
}

/// Remembers a statement.
#[utoipa::path(
    post, path = "/workspace/memory/remember", tag = "tasks", request_body = Remember,
    responses((status = 202, body = Accepted), (status = 409, description = "Memory is switched off", body = ErrorBody))
)]
async fn remember(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    fields: Fields,
) -> Posted {
    wants_remember(&daemon, &lane(&daemon, &caller), &headers, fields, &["project"]).await
}

/// The same in whatever lane; `scopes` are those beside the person's own.
pub(super) async fn wants_remember(
    daemon: &Daemon,
    lane: &Lane,
    headers: &HeaderMap,
    fields: Fields,
    scopes: &[&str],
) -> Posted {
    let fields = fields.required()?;
    let client = clients::of(daemon, headers).await?;
    let words = text(&fields, "content", "invalid_content")?;
    let mode = match fields.get("contextMode") {
        None => "workspace",
        Some(mode) => mode
            .as_str()
            .filter(|mode| ["workspace", "clean"].contains(mode))
            .ok_or_else(|| Refusal::invalid("invalid_context_mode", "contextMode must be workspace or clean"))?,
    };
    let (mode, scope) = (Some(mode.to_owned()), scope(&fields, scopes)?);
    post(daemon, lane, Wanted { kind: TaskKind::Remember, client: client.0, words: Some(words), mode, scope }).await
}

/// Forgets what a query means.
#[utoipa::path(
    post, path = "/workspace/memory/forget", tag = "tasks", request_body = Forget,
    responses((status = 202, body = Accepted), (status = 409, description = "Memory is switched off", body = ErrorBody))
)]
async fn forget(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    fields: Fields,
) -> Posted {
    wants_forget(&daemon, &lane(&daemon, &caller), &headers, fields, &["project"]).await
}

/// The same in whatever lane.
pub(super) async fn wants_forget(
    daemon: &Daemon,
    lane: &Lane,
    headers: &HeaderMap,
    fields: Fields,
    scopes: &[&str],
) -> Posted {
    let fields = fields.required()?;
    let client = clients::of(daemon, headers).await?;
    let words = text(&fields, "query", "invalid_query")?;
    let scope = scope(&fields, scopes)?;
    post(daemon, lane, Wanted { kind: TaskKind::Forget, client: client.0, words: Some(words), mode: None, scope }).await
}

/// Tidies memory up.
#[utoipa::path(
    post, path = "/workspace/memory/dream", tag = "tasks", request_body = Option<Object>,
    responses((status = 202, body = Accepted), (status = 409, description = "Memory is switched off", body = ErrorBody))
)]
async fn dream(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    _: Fields,
) -> Posted {
    wants_dream(&daemon, &lane(&daemon, &caller), &headers).await
}

/// The same in whatever lane.
pub(super) async fn wants_dream(daemon: &Daemon, lane: &Lane, headers: &HeaderMap) -> Posted {
    let client = clients::of(daemon, headers).await?;
    post(daemon, lane, Wanted { kind: TaskKind::Dream, client: client.0, words: None, mode: None, scope: None }).await
}

/// Lists the caller's tasks.
#[utoipa::path(get, path = "/workspace/memory/tasks", operation_id = "tasks", tag = "tasks", responses((status = 200, body = Listed)))]
async fn list(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    client: Client,
) -> Result<Json<Listed>, Refusal> {
    listed(&lane(&daemon, &caller), &client).await
}

/// The same in whatever lane.
pub(super) async fn listed(lane: &Lane, client: &Client) -> Result<Json<Listed>, Refusal> {
    let tasks = lane.tasks(client.0.as_deref()).await?;
    Ok(Json(Listed { tasks: tasks.into_iter().map(seen).collect() }))
}

/// Shows a task.
#[utoipa::path(
    get, path = "/workspace/memory/{kind}/{task_id}", tag = "tasks",
    params(("kind" = String, Path, description = "remember, forget or dream"), ("task_id" = String, Path, description = "A task")),
    responses((status = 200, body = Seen), (status = 404, description = "No such task of yours", body = ErrorBody))
)]
async fn task(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Path<(Known, String)>,
    client: Client,
) -> Result<Json<Seen>, Refusal> {
    let Path((Known(kind), id)) = path;
    shown(&lane(&daemon, &caller), kind, &id, &client).await
}

/// The same in whatever lane.
pub(super) async fn shown(lane: &Lane, kind: TaskKind, id: &str, client: &Client) -> Result<Json<Seen>, Refusal> {
    Ok(Json(seen(find(lane, kind, id, client).await?)))
}

/// Cancels a task that waits or runs.
#[utoipa::path(
    delete, path = "/workspace/memory/{kind}/{task_id}", tag = "tasks",
    params(("kind" = String, Path, description = "remember, forget or dream"), ("task_id" = String, Path, description = "A task")),
    responses(
        (status = 200, body = Seen),
        (status = 404, description = "No such task of yours", body = ErrorBody),
        (status = 409, description = "It is over", body = ErrorBody)
    )
)]
async fn cancel(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    path: Path<(Known, String)>,
    client: Client,
) -> Result<Json<Seen>, Refusal> {
    let Path((Known(kind), id)) = path;
    cancelled(&lane(&daemon, &caller), kind, &id, &client).await
}

/// The same in whatever lane.
pub(super) async fn cancelled(lane: &Lane, kind: TaskKind, id: &str, client: &Client) -> Result<Json<Seen>, Refusal> {
    find(lane, kind, id, client).await?;
    match lane.cancel(id).await? {
        CancelledTask::Now(task) => Ok(Json(seen(task))),
        CancelledTask::Over(_) => {
            Err(Refusal::new(StatusCode::CONFLICT, "task_finished", "the task is over; there is nothing to cancel"))
        }
        CancelledTask::Missing => Err(no_task(kind)),
    }
}

/// The lane of whoever asks.
fn lane(daemon: &Daemon, caller: &Caller) -> Arc<Lane> {
    match caller {
        Caller::Owner | Caller::Named { .. } => Arc::clone(daemon.lanes().own()),
        Caller::Account { id, .. } => daemon.lanes().of_account(id),
    }
}

async fn post(daemon: &Daemon, lane: &Lane, wanted: Wanted) -> Posted {
    let kind = wanted.kind;
    let failed = |refusal: Refusal| refusal.coded(format!("{}_failed", kind.word()));
    on(&daemon.now().map_err(failed)?)?;
    match lane.post(wanted).await? {
        Some(task) => Ok((StatusCode::ACCEPTED, Json(accepted(&task)))),
        None => {
            let text = "too many tasks wait already; try again when some are done";
            Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, "remember_queue_full", text).retry_after(FULL))
        }
    }
}

async fn find(lane: &Lane, kind: TaskKind, id: &str, client: &Client) -> Result<Task, Refusal> {
    lane.task(kind, id, client.0.as_deref()).await?.ok_or_else(|| no_task(kind))
}

/// The same words whether it never was, went, or is somebody else's.
fn no_task(kind: TaskKind) -> Refusal {
    Refusal::missing(format!("{}_task_not_found", kind.word()), "there is no such task")
}

fn text(fields: &Fields, name: &str, code: &'static str) -> Result<String, Refusal> {
    let longest = loci_memory::remember::LONGEST;
    let text = fields.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if text.is_empty() || text.len() > longest {
        return Err(Refusal::invalid(code, format!("{name} must be a text of 1 to {longest} bytes")));
    }
    Ok(text.to_owned())
}

fn scope(fields: &Fields, others: &[&str]) -> Result<Option<String>, Refusal> {
    match fields.get("scope") {
        None => Ok(None),
        Some(scope) => match scope.as_str() {
            Some("user" | "global") => Ok(Some("user".to_owned())),
            Some(scope) if others.contains(&scope) => Ok(Some(scope.to_owned())),
            _ => Err(Refusal::invalid("invalid_scope", format!("scope must be user or {}", others.join(" or ")))),
        },
    }
}
