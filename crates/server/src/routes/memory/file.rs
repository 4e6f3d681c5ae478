//! `/memory/file`: one document, read, saved and removed; never without saying what is expected to be there.

use super::{about, path};
use crate::body::Fields;
use crate::daemon::{Daemon, Mine};
use crate::fault::{ErrorBody, Refusal};
use crate::query::Asked;
use axum::Json;
use axum::http::StatusCode;
use loci_domain::digest::Digest;
use loci_domain::secrets::Policy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(read, save, remove))
}

/// Which document.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Its virtual path, as `/memories/global/user/tea.md`.
    #[param(required, value_type = String)]
    pub(super) path: Option<String>,
}

/// Which document, in which version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Version {
    /// Its virtual path.
    #[param(required, value_type = String)]
    path: Option<String>,
    /// The version that is meant.
    #[param(required, value_type = String)]
    expected_sha256: Option<String>,
}

/// Which document, as it is or as it was.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct When {
    /// Its virtual path, as `/memories/global/user/tea.md`.
    #[param(required, value_type = String)]
    path: Option<String>,
    /// As it was after this change; `GET /memory/history` lists them.
    at: Option<String>,
}

/// A document as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Document {
    path: String,
    content: String,
    /// Its version.
    sha256: String,
}

/// A document as it shall be.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct Save {
    path: String,
    content: String,
    /// The version that is there; `null` = nothing is there.
    #[schema(required)]
    expected_sha256: Option<String>,
}

/// The version that was saved.
#[derive(Debug, Serialize, ToSchema)]
pub struct Saved {
    sha256: String,
}

/// Reads a document, as it is or as a change left it; that is no use of it.
#[utoipa::path(get, path = "/memory/file", tag = "memory", params(When),
    responses((status = 200, body = Document), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody)))]
async fn read(Mine(memory): Mine, Asked(when): Asked<When>) -> Result<Json<Document>, Refusal> {
    let path = path(when.path.as_deref())?;
    let content = match when.at {
        Some(at) => memory.show_after(&path, &at).await?,
        None => memory.show(&path).await?.content,
    };
    let sha256 = Digest::of(content.as_bytes()).to_string();
    Ok(Json(Document { path, content, sha256 }))
}

/// Saves a document, if what is there is what is expected.
#[utoipa::path(put, path = "/memory/file", tag = "memory", request_body = Save,
    responses((status = 200, body = Saved), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn save(Mine(memory): Mine, fields: Fields) -> Result<Json<Saved>, Refusal> {
    let fields = fields.required()?;
    let path = path(fields.text("path")?.as_deref())?;
    let expected = expected(&fields)?;
    let content = content(&fields)?;
    match memory.save(&path, content, expected, Policy::Refuse).await {
        Ok(digest) => Ok(Json(Saved { sha256: digest.to_string() })),
        Err(error) => Err(about(&memory, &path, error).await),
    }
}

/// Removes a document, if it is the version that is expected; undo brings it back.
#[utoipa::path(delete, path = "/memory/file", tag = "memory", params(Version),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn remove(Mine(memory): Mine, Asked(version): Asked<Version>) -> Result<StatusCode, Refusal> {
    let path = path(version.path.as_deref())?;
    let expected = digest(&version.expected_sha256.ok_or_else(unconditional)?)?;
    match memory.remove_version(&path, expected).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(error) => Err(about(&memory, &path, error).await),
    }
}

/// The text that a request brings.
fn content(fields: &Fields) -> Result<String, Refusal> {
    match fields.get("content") {
        Some(Value::String(text)) if text.contains('\0') => {
            Err(Refusal::invalid("invalid_content", "content holds a NUL character; a memory is text"))
        }
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(Refusal::invalid("invalid_content", "content is a text")),
        None => Err(Refusal::invalid("invalid_content", "content is missing; give a text")),
    }
}

/// The version that a request expects; `None` = nothing is there. Not to say is refused.
pub fn expected(fields: &Fields) -> Result<Option<Digest>, Refusal> {
    match fields.raw("expectedSha256") {
        None => Err(unconditional()),
        Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => digest(text).map(Some),
        Some(_) => Err(Refusal::invalid("invalid_precondition", "expectedSha256 is a version or null")),
    }
}

/// A version as requests give it.
pub fn digest(text: &str) -> Result<Digest, Refusal> {
    let bad = || Refusal::invalid("invalid_precondition", "expectedSha256 has 64 hexadecimal digits");
    text.parse().map_err(|_| bad())
}

fn unconditional() -> Refusal {
    let text = "expectedSha256 is missing; give the version that you saw, or null for a new file";
    Refusal::invalid("invalid_precondition", text)
}
