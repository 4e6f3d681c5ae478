//! `GET /memory/context`: exactly what an agent would be given.

use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::query::Asked;
use axum::Json;
use axum::extract::State;
use loci_memory::context::{Boundary, Context, Given};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(context))
}

/// For whom.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// The turn's question, for the recall block.
    query: Option<String>,
    /// Tokens for the whole.
    budget: Option<usize>,
    /// The session, which sees the same bytes until its next boundary.
    session: Option<String>,
    /// Whether a new segment of the session starts here.
    boundary: Option<bool>,
}

/// The context, whole and in parts.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextText {
    /// Exactly what is injected.
    text: String,
    /// Its estimated tokens.
    tokens: usize,
    parts: Vec<ContextPart>,
}

/// One part of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextPart {
    /// `guidance`, `index`, `hot`, `summary` or `recall`.
    name: String,
    tokens: usize,
    text: String,
}

/// Shows what an agent gets; that is no use of anything.
#[utoipa::path(get, path = "/memory/context", tag = "memory", params(Wanted),
    responses((status = 200, body = ContextText), (status = 400, body = ErrorBody)))]
async fn context(
    State(daemon): State<Daemon>,
    Mine(memory): Mine,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<ContextText>, Refusal> {
    let now = daemon.now()?;
    if !now.memory {
        return Ok(Json(Given { text: String::new(), tokens: 0, parts: Vec::new() }.into()));
    }
    let ask = Context {
        query: wanted.query.filter(|_| now.recall),
        budget: wanted.budget.unwrap_or(now.context.budget),
        session: wanted.session,
        boundary: if wanted.boundary == Some(true) { Boundary::Yes } else { Boundary::No },
        ..now.context
    };
    Ok(Json(memory.context(ask).await?.into()))
}

impl From<Given> for ContextText {
    fn from(given: Given) -> ContextText {
        let parts = given.parts.into_iter();
        let parts = parts.map(|part| ContextPart { name: part.name, tokens: part.tokens, text: part.text }).collect();
        ContextText { text: given.text, tokens: given.tokens, parts }
    }
}
