//! `/memory/proposals`: what a dream would do, and waits for a person's word.

use super::changed;
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use crate::words::ScopeWord;
use axum::Json;
use jiff::Timestamp;
use loci_domain::scope::Scope;
use loci_memory::dream::{Dreamt, Proposed};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(proposals)).routes(routes!(apply)).routes(routes!(discard))
}

/// The proposals that wait, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Proposals {
    proposals: Vec<ProposalRow>,
}

/// One proposal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProposalRow {
    id: String,
    at: Timestamp,
    summary: String,
    /// The files that it would change.
    paths: Vec<String>,
    /// What it would change, as a unified diff.
    diff: String,
}

/// What became of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    status: &'static str,
    summary: String,
    #[schema(value_type = Vec<ScopeWord>)]
    touched_scopes: Vec<Scope>,
}

/// Lists the proposals that wait.
#[utoipa::path(get, path = "/memory/proposals", tag = "memory", responses((status = 200, body = Proposals)))]
async fn proposals(Mine(memory): Mine) -> Result<Json<Proposals>, Refusal> {
    let waiting = memory.proposals().await?.proposals;
    Ok(Json(Proposals { proposals: waiting.into_iter().map(ProposalRow::from).collect() }))
}

/// Does what a proposal says, if its files still are what it saw.
#[utoipa::path(post, path = "/memory/proposals/{id}/apply", tag = "memory", params(("id" = String, Path)),
    responses((status = 200, body = Settled), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn apply(Mine(memory): Mine, Path(id): Path<String>, _: Fields) -> Result<Json<Settled>, Refusal> {
    match memory.apply_proposal(&id).await {
        Ok(dreamt) => Ok(Json(dreamt.into())),
        Err(error) => Err(changed(&memory, error).await),
    }
}

/// Drops a proposal.
#[utoipa::path(post, path = "/memory/proposals/{id}/discard", tag = "memory", params(("id" = String, Path)),
    responses((status = 200, body = Settled), (status = 404, body = ErrorBody)))]
async fn discard(Mine(memory): Mine, Path(id): Path<String>, _: Fields) -> Result<Json<Settled>, Refusal> {
    Ok(Json(memory.discard_proposal(&id).await?.into()))
}

impl From<Proposed> for ProposalRow {
    fn from(proposed: Proposed) -> ProposalRow {
        let Proposed { id, at, summary, paths, diff } = proposed;
        ProposalRow { id, at, summary, paths, diff }
    }
}

impl From<Dreamt> for Settled {
    fn from(dreamt: Dreamt) -> Settled {
        Settled { status: dreamt.status.word(), summary: dreamt.summary, touched_scopes: dreamt.touched_scopes }
    }
}
