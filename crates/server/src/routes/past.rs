//! `/sessions`, `/receipts`, `/costs`: what was said, why something was shown, what models cost.

use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use crate::query::Asked;
use axum::Json;
use jiff::Timestamp;
use loci_memory::recall::sessions::{Reach, RecallSessions, SessionHit};
use loci_memory::sessions::{Line, Row, Shown};
use loci_memory::spend::Day;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Days that are told at most.
const DAYS: u32 = 366;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(sessions))
        .routes(routes!(session))
        .routes(routes!(receipt))
        .routes(routes!(costs))
}

/// Messages that one search tells, unless it is said otherwise, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

/// Past sessions, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    sessions: Vec<SessionRow>,
    /// The messages that fit the query, best first; none without one.
    hits: Vec<SpokenHit>,
}

/// What is looked for in them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Sought {
    /// In any words and language.
    query: Option<String>,
    /// At most so many messages.
    #[param(minimum = 0, maximum = 100)]
    limit: Option<usize>,
}

/// One message that fits.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpokenHit {
    session: String,
    /// Which message of it.
    message: String,
    role: &'static str,
    at: Timestamp,
    /// Between 0 and 1.
    score: f64,
    /// Its words, where the query's stand.
    excerpt: String,
}

/// One session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    id: String,
    /// The project's identity; none for a session of no project.
    #[schema(required)]
    project: Option<String>,
    /// What it is about; empty when nobody knows.
    title: String,
    format: String,
    messages: u64,
    at: Timestamp,
    imported_at: Timestamp,
}

/// A session with what was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    id: String,
    #[schema(required)]
    project: Option<String>,
    at: Timestamp,
    messages: Vec<MessageRow>,
}

/// One message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageRow {
    id: String,
    role: &'static str,
    content: String,
    #[schema(required)]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Option<Vec<Object>>)]
    tool_calls: Value,
}

/// How far back.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Back {
    /// UTC days, today among them.
    #[param(minimum = 1, maximum = 366)]
    days: Option<u32>,
}

/// What models cost, day by day, today first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Costs {
    #[schema(value_type = Vec<Object>)]
    days: Vec<Day>,
}

/// Lists past sessions, and what was said in them about something.
#[utoipa::path(get, path = "/sessions", tag = "past", params(Sought),
    responses((status = 200, body = Sessions), (status = 400, body = ErrorBody)))]
async fn sessions(Mine(memory): Mine, Asked(sought): Asked<Sought>) -> Result<Json<Sessions>, Refusal> {
    let limit = sought.limit.unwrap_or(USUAL);
    if limit > MOST {
        return Err(Refusal::invalid("invalid_limit", format!("limit is at most {MOST}")));
    }
    let hits = match sought.query {
        Some(query) => {
            let ask = RecallSessions { query, limit, reach: Reach::Everywhere };
            memory.recall_sessions(ask).await?.hits
        }
        None => Vec::new(),
    };
    let sessions = memory.sessions().await?;
    Ok(Json(Sessions {
        sessions: sessions.into_iter().map(SessionRow::from).collect(),
        hits: hits.into_iter().map(SpokenHit::from).collect(),
    }))
}

/// Shows what was said in a session.
#[utoipa::path(get, path = "/sessions/{id}", tag = "past", params(("id" = String, Path)),
    responses((status = 200, body = Session), (status = 404, body = ErrorBody)))]
async fn session(Mine(memory): Mine, Path(id): Path<String>) -> Result<Json<Session>, Refusal> {
    Ok(Json(memory.show_session(&id).await?.into()))
}

/// Tells why something was shown.
#[utoipa::path(get, path = "/receipts/{id}", tag = "past", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
async fn receipt(Mine(memory): Mine, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let receipt = memory.why(&id).await?;
    Ok(Json(serde_json::to_value(receipt).unwrap_or_default()))
}

/// Tells what models cost.
#[utoipa::path(get, path = "/costs", tag = "past", params(Back),
    responses((status = 200, body = Costs), (status = 400, body = ErrorBody)))]
async fn costs(Mine(memory): Mine, Asked(back): Asked<Back>) -> Result<Json<Costs>, Refusal> {
    let days = back.days.unwrap_or(30);
    if !(1..=DAYS).contains(&days) {
        return Err(Refusal::invalid("invalid_days", format!("days is between 1 and {DAYS}")));
    }
    Ok(Json(Costs { days: memory.spend(days).await? }))
}

impl From<SessionHit> for SpokenHit {
    fn from(hit: SessionHit) -> SpokenHit {
        let SessionHit { session, message, role, at, score, excerpt, .. } = hit;
        SpokenHit { session, message, role, at, score, excerpt }
    }
}

impl From<Row> for SessionRow {
    fn from(row: Row) -> SessionRow {
        let Row { id, project, title, format, messages, at, imported_at } = row;
        SessionRow { id, project, title, format, messages, at, imported_at }
    }
}

impl From<Shown> for Session {
    fn from(shown: Shown) -> Session {
        let Shown { id, project, at, messages } = shown;
        Session { id, project, at, messages: messages.into_iter().map(MessageRow::from).collect() }
    }
}

impl From<Line> for MessageRow {
    fn from(line: Line) -> MessageRow {
        let Line { id, role, content, at, tool_calls } = line;
        MessageRow { id, role, content, at, tool_calls }
    }
}
