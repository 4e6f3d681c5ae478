//! `/accounts/me/workspaces/{id}/files`: the files of a workspace; without a path they are listed.

use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use crate::query::Asked;
use crate::routes::memory::{digest, expected};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_session::files::path;
use loci_store::Expect;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(workspace_files, write_file, rename_file, remove_file))
}

/// Which file; none = all of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WhichFile {
    /// Its path in the workspace.
    path: Option<String>,
}

/// Which file, in which version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FileVersion {
    /// Its path in the workspace.
    #[param(required, value_type = String)]
    path: Option<String>,
    /// Only this version.
    expected_sha256: Option<String>,
}

/// One file of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    path: String,
    bytes: u64,
    updated_at: Timestamp,
}

/// The files of a workspace by path.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileEntries {
    files: Vec<FileEntry>,
    /// Whether there are more than are listed.
    more: bool,
}

/// One file.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileText {
    path: String,
    content: String,
    /// Its version.
    sha256: String,
}

/// The files of a workspace, or one of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FilesOrText {
    /// Without a path.
    Files(FileEntries),
    /// With one.
    Text(FileText),
}

/// A file as it shall be.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct WriteFile {
    path: String,
    content: String,
    /// The version that is there; `null` = nothing is there.
    #[schema(required)]
    expected_sha256: Option<String>,
}

/// A file and its new path.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct RenameFile {
    path: String,
    new_path: String,
}

/// A file that was written or moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrittenFile {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

/// Lists files, or reads the one of `path`.
#[utoipa::path(get, path = "/accounts/me/workspaces/{id}/files", tag = "accounts",
    params(("id" = String, Path), WhichFile),
    responses((status = 200, body = FilesOrText), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn workspace_files(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(which): Asked<WhichFile>,
) -> Result<Json<FilesOrText>, Refusal> {
    let files = daemon.runtime().files(caller.account(), &id).await?;
    let Some(given) = which.path else {
        let (rows, complete) = files.list().await?;
        let entry =
            |row: loci_session::files::Row| FileEntry { path: row.path, bytes: row.bytes, updated_at: row.updated_at };
        let files = rows.into_iter().map(entry).collect();
        return Ok(Json(FilesOrText::Files(FileEntries { files, more: !complete })));
    };
    let path = path(&given)?;
    let text = files.read(&path).await?.ok_or_else(|| Refusal::missing("not_found", "there is no such file"))?;
    Ok(Json(FilesOrText::Text(FileText { path: given, content: text.content, sha256: text.digest.to_string() })))
}

/// Writes a file, if what is there is what is expected.
#[utoipa::path(put, path = "/accounts/me/workspaces/{id}/files", tag = "accounts", params(("id" = String, Path)),
    request_body = WriteFile,
    responses((status = 200, body = WrittenFile), (status = 201, body = WrittenFile), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn write_file(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Refusal> {
    let files = daemon.runtime().files(caller.account(), &id).await?;
    let fields = fields.required()?;
    let (given, path) = named(&fields, "path")?;
    let expected = expected(&fields)?;
    let content = fields.text("content")?;
    let content = content.ok_or_else(|| Refusal::invalid("invalid_content", "content is missing; give a text"))?;
    let expect = expected.map_or(Expect::Absent, Expect::Is);
    let sha256 = Some(files.write(&path, content, expect).await?.to_string());
    let status = if expected.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(WrittenFile { path: given, sha256 })).into_response())
}

/// Moves a file.
#[utoipa::path(patch, path = "/accounts/me/workspaces/{id}/files", tag = "accounts", params(("id" = String, Path)),
    request_body = RenameFile,
    responses((status = 200, body = WrittenFile), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn rename_file(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<WrittenFile>, Refusal> {
    let files = daemon.runtime().files(caller.account(), &id).await?;
    let fields = fields.required()?;
    let ((_, from), (given, to)) = (named(&fields, "path")?, named(&fields, "newPath")?);
    files.rename(&from, &to).await?;
    Ok(Json(WrittenFile { path: given, sha256: None }))
}

/// Removes a file.
#[utoipa::path(delete, path = "/accounts/me/workspaces/{id}/files", tag = "accounts",
    params(("id" = String, Path), FileVersion),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn remove_file(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(which): Asked<FileVersion>,
) -> Result<StatusCode, Refusal> {
    let files = daemon.runtime().files(caller.account(), &id).await?;
    let path = path(&which.path.ok_or_else(|| Refusal::invalid("invalid_path", "path is missing"))?)?;
    let expected = which.expected_sha256.as_deref().map(digest).transpose()?;
    files.remove(&path, expected).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn named(fields: &Fields, name: &str) -> Result<(String, loci_domain::path::EntryPath), Refusal> {
    let given = fields.text(name)?;
    let given = given
        .ok_or_else(|| Refusal::invalid("invalid_path", format!("{name} is missing; give a path as notes/a.md")))?;
    let path = path(&given)?;
    Ok((given, path))
}
