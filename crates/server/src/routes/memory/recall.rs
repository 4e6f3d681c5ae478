//! `POST /memory/recall`: the memories that matter for a question.

use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::words::{KindWord, ScopeWord, StrategyWord};
use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use loci_memory::recall::{Hit, Recall, Recalled, Strategy, Why};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Documents that one question may ask for.
const MOST: usize = 1_000;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(recall))
}

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// In any words and language.
    query: String,
    /// At most this many documents.
    #[schema(minimum = 0, maximum = 1000)]
    limit: Option<usize>,
    /// Only this scope.
    #[schema(value_type = Option<ScopeWord>)]
    scope: Option<String>,
    /// Leave out what this session has been shown, and note what it is shown now.
    session: Option<String>,
    /// `false` = no model is asked to choose.
    model: Option<bool>,
    /// `false` = a person looks around: nothing counts as used.
    count: Option<bool>,
}

/// What came to mind, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer {
    #[schema(value_type = StrategyWord)]
    strategy: Strategy,
    hits: Vec<Found>,
    /// The block for a prompt; empty when nothing fits.
    prompt: String,
    /// What `GET /receipts/{id}` takes.
    receipt: String,
}

/// One document that fits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    path: String,
    #[schema(value_type = ScopeWord)]
    scope: Scope,
    #[schema(value_type = KindWord)]
    r#type: Kind,
    name: String,
    description: String,
    /// Between 0 and 1.
    score: f64,
    why: Reasons,
    /// The entry that fits best.
    excerpt: String,
    updated_at: Timestamp,
    stale: bool,
}

/// What speaks for a document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reasons {
    /// Words of the question that it has, with the fields in which they stand.
    terms: BTreeMap<String, Vec<String>>,
    coverage: f64,
    similarity: f64,
    uses: u64,
    age_days: i64,
    /// What it names that has changed or gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<String>,
}

/// Asks memory; what is shown counts as used, unless it is only looked at.
#[utoipa::path(post, path = "/memory/recall", tag = "memory", request_body = Question,
    responses((status = 200, body = Answer), (status = 409, body = ErrorBody)))]
async fn recall(State(daemon): State<Daemon>, Mine(memory): Mine, fields: Fields) -> Result<Json<Answer>, Refusal> {
    let question = question(fields.required()?)?;
    let looks = question.count == Some(false);
    let ask = ask(&daemon, question)?;
    Ok(Json(match ask {
        Some(ask) if looks => memory.search(ask).await?.into(),
        Some(ask) => memory.recall(ask).await?.into(),
        None => Answer { strategy: Strategy::None, hits: Vec::new(), prompt: String::new(), receipt: String::new() },
    }))
}

/// The question that a request brings, in words of ours where it does not fit.
fn question(fields: Fields) -> Result<Question, Refusal> {
    if fields.text("query")?.is_none() {
        return Err(Refusal::invalid("invalid_query", "query is missing; give a text"));
    }
    if fields.get("limit").is_some_and(|limit| limit.as_u64().is_none()) {
        return Err(Refusal::invalid("invalid_limit", format!("limit is a whole number between 0 and {MOST}")));
    }
    for name in ["scope", "session"] {
        fields.text(name)?;
    }
    for name in ["model", "count"] {
        if fields.get(name).is_some() {
            fields.switch(name)?;
        }
    }
    fields.read()
}

/// The question with the limits of the settings; `None` = recall is off.
fn ask(daemon: &Daemon, question: Question) -> Result<Option<Recall>, Refusal> {
    let now = daemon.now()?;
    let limit = question.limit.unwrap_or(now.question.limit);
    if limit > MOST {
        return Err(Refusal::invalid("invalid_limit", format!("limit is at most {MOST}")));
    }
    let scope = question.scope.as_deref().map(|word| {
        word.parse::<Scope>().map_err(|_| Refusal::invalid("invalid_scope", "scope is global, project or workspace"))
    });
    let model = now.question.model.filter(|_| question.model != Some(false));
    let ask = Recall {
        query: question.query,
        scope: scope.transpose()?,
        limit,
        session: question.session,
        model,
        ..now.question
    };
    Ok((now.memory && now.recall).then_some(ask))
}

impl From<Recalled> for Answer {
    fn from(recalled: Recalled) -> Answer {
        let hits = recalled.hits.into_iter().map(Found::from).collect();
        Answer { strategy: recalled.strategy, hits, prompt: recalled.prompt, receipt: recalled.receipt }
    }
}

impl From<Hit> for Found {
    fn from(hit: Hit) -> Found {
        let Why { terms, coverage, similarity, uses, age_days, stale } = hit.why;
        Found {
            path: hit.path,
            scope: hit.scope,
            r#type: hit.r#type,
            name: hit.name,
            description: hit.description,
            score: hit.score,
            why: Reasons { terms, coverage, similarity, uses, age_days, stale },
            excerpt: hit.excerpt,
            updated_at: hit.updated_at,
            stale: hit.stale,
        }
    }
}
