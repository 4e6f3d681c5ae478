//! `/accounts/me/…`: who asks, and the records of their account; one file per kind. `/accounts`: for the owner.

mod agents;
mod files;
mod sandboxes;
mod workspaces;

pub use agents::{AgentRow, AgentRows};
pub use sandboxes::{SandboxRow, SandboxRows};
pub use workspaces::WorkspaceRow;

use super::settings::owner;
use crate::auth::{Caller, fresh_key, hash};
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_ledger::LOCAL;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(accounts, add_account))
        .routes(routes!(remove_account))
        .merge(workspaces::router())
        .merge(files::router())
        .merge(agents::router())
        .merge(sandboxes::router())
}

/// Who asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    id: String,
    name: String,
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountRow {
    id: String,
    name: String,
    created_at: Timestamp,
}

/// All accounts but `local`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountRows {
    accounts: Vec<AccountRow>,
}

/// An account to make.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct NewAccount {
    name: String,
}

/// An account that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeAccount {
    id: String,
    /// Its bearer token; it is shown only now.
    key: String,
}

/// Tells whose token it is.
#[utoipa::path(get, path = "/accounts/me", tag = "accounts", responses((status = 200, body = Me)))]
async fn me(Extension(caller): Extension<Caller>) -> Json<Me> {
    let name = match &caller {
        Caller::Owner | Caller::Named { .. } => LOCAL.to_owned(),
        Caller::Account { name, .. } => name.clone(),
    };
    Json(Me { id: caller.account().to_owned(), name })
}

/// Lists all accounts but `local`; the owner's.
#[utoipa::path(get, path = "/accounts", tag = "accounts", responses((status = 200, body = AccountRows)))]
async fn accounts(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<AccountRows>, Refusal> {
    owner(&caller)?;
    let row = |account: loci_ledger::Account| AccountRow { id: account.id, name: account.name, created_at: account.at };
    let accounts = daemon.runtime().accounts().await?.into_iter().map(row).collect();
    Ok(Json(AccountRows { accounts }))
}

/// Makes an account; its key is shown once.
#[utoipa::path(post, path = "/accounts", tag = "accounts", request_body = NewAccount,
    responses((status = 201, body = MadeAccount), (status = 409, body = ErrorBody)))]
async fn add_account(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<(StatusCode, Json<MadeAccount>), Refusal> {
    owner(&caller)?;
    let name = fields.required()?.text("name")?.unwrap_or_default();
    let key = fresh_key().ok_or_else(|| Refusal::bug("internal"))?;
    let account = daemon.runtime().add_account(&name, hash(&key)).await?;
    Ok((StatusCode::CREATED, Json(MadeAccount { id: account.id, key })))
}

/// Removes an account with all that it has.
#[utoipa::path(delete, path = "/accounts/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove_account(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    owner(&caller)?;
    let account = daemon.runtime().account(&id).await?;
    let _closed = daemon.lanes().close_account(&account.id).await?;
    daemon.runtime().remove_account(&account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
