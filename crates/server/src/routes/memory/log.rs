//! `GET /memory/log`, `GET /memory/history`: what changed, newest first.

use super::path;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::query::Asked;
use axum::Json;
use jiff::Timestamp;
use loci_memory::Memory;
use loci_memory::log::Entry;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Changes in one answer, unless it is said otherwise, and at most.
const USUAL: usize = 100;
const MOST: usize = 1_000;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(log)).routes(routes!(history))
}

/// Which changes.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only those of this document.
    path: Option<String>,
    /// At most so many.
    #[param(minimum = 0, maximum = 1000)]
    limit: Option<usize>,
}

/// Changes, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Changes {
    pub(super) changes: Vec<ChangeRow>,
}

/// One change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRow {
    id: String,
    /// What it was made together with; one undo takes all of it back.
    group: String,
    at: Timestamp,
    /// By whom.
    actor: String,
    /// What.
    op: String,
    path: String,
    /// Where it went, for a rename.
    #[schema(required)]
    new_path: Option<String>,
}

impl From<Entry> for ChangeRow {
    fn from(entry: Entry) -> ChangeRow {
        ChangeRow {
            id: entry.id,
            group: entry.group,
            at: entry.at,
            actor: entry.actor.word().to_owned(),
            op: entry.op.word().to_owned(),
            path: entry.path,
            new_path: entry.new_path,
        }
    }
}

/// Lists changes of all scopes, or of one document.
#[utoipa::path(get, path = "/memory/log", tag = "memory", params(Which),
    responses((status = 200, body = Changes), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn log(Mine(memory): Mine, Asked(which): Asked<Which>) -> Result<Json<Changes>, Refusal> {
    changes(&memory, which.path.as_deref(), which.limit).await
}

/// Lists the changes of one document; each can be restored.
#[utoipa::path(get, path = "/memory/history", tag = "memory", params(super::file::Which),
    responses((status = 200, body = Changes), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn history(Mine(memory): Mine, Asked(which): Asked<super::file::Which>) -> Result<Json<Changes>, Refusal> {
    let path = path(which.path.as_deref())?;
    changes(&memory, Some(&path), None).await
}

async fn changes(memory: &Memory, of: Option<&str>, limit: Option<usize>) -> Result<Json<Changes>, Refusal> {
    let of = of.map(|given| path(Some(given))).transpose()?;
    let limit = limit.unwrap_or(USUAL);
    if limit > MOST {
        return Err(Refusal::invalid("invalid_limit", format!("limit is at most {MOST}")));
    }
    let changes = memory.log(of.as_deref(), limit).await?;
    Ok(Json(Changes { changes: changes.into_iter().map(ChangeRow::from).collect() }))
}
