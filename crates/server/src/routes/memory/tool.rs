//! `POST /memory/tool`: one call of the six-command memory tool.

use crate::auth::{Caller, Rights};
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::now::on;
use axum::extract::State;
use axum::{Extension, Json};
use loci_domain::access::Mode;
use loci_domain::secrets::Policy;
use loci_memory::tool::Answer;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(tool))
}

/// What a call answers: words for the model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolAnswer {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs one call. `mode` is `exec`, `plan` or `explore`; without one nothing may change.
#[utoipa::path(post, path = "/memory/tool", tag = "memory", request_body = Object,
    responses((status = 200, body = ToolAnswer), (status = 409, body = ErrorBody)))]
async fn tool(
    State(daemon): State<Daemon>,
    Mine(memory): Mine,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<Json<ToolAnswer>, Refusal> {
    let fields = fields.required()?;
    let mode = mode(fields.get("mode"))?;
    // Who may only read looks around, whatever the call says.
    let mode = if caller.rights() == Rights::Read { Mode::Explore } else { mode };
    on(&daemon.now()?)?;
    let mut call = fields.whole();
    call.remove("mode");
    Ok(Json(match memory.tool(&Value::Object(call), mode, Policy::Refuse).await {
        Answer::Done { success, output } => ToolAnswer { success, output: Some(output), error: None },
        Answer::Failed { success, error } => ToolAnswer { success, output: None, error: Some(error) },
    }))
}

fn mode(given: Option<&Value>) -> Result<Mode, Refusal> {
    let Some(given) = given else { return Ok(Mode::Explore) };
    let known = given.as_str().and_then(|word| word.parse::<Mode>().ok());
    known.ok_or_else(|| Refusal::invalid("invalid_mode", "mode is exec, plan or explore"))
}
