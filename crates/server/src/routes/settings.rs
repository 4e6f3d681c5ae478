//! `/settings`, `/status`, `/models/test`: how this home is set up. Only its owner changes that.

use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::setup::{ModelTest, SettingRow};
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(settings, change)).routes(routes!(status)).routes(routes!(test_model))
}

/// Every setting.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingRows {
    settings: Vec<SettingRow>,
}

/// Which model.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it documents what the fields of a request are; they are read one by one")]
pub struct Role {
    /// `default`, `fast` or `smol`.
    role: Option<String>,
}

/// Lists every setting: its value, its default, and who set it.
#[utoipa::path(get, path = "/settings", tag = "daemon", responses((status = 200, body = SettingRows)))]
async fn settings(State(daemon): State<Daemon>) -> Result<Json<SettingRows>, Refusal> {
    Ok(Json(SettingRows { settings: daemon.setup().settings()? }))
}

/// Changes settings by their dotted keys, all of them or none; `null` = back to the default.
#[utoipa::path(patch, path = "/settings", tag = "daemon", request_body = Object, responses((status = 200, body = SettingRows)))]
async fn change(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<Json<SettingRows>, Refusal> {
    owner(&caller)?;
    daemon.setup().change(&fields.required()?.whole()).await?;
    Ok(Json(SettingRows { settings: daemon.setup().settings()? }))
}

/// Tells what `loci status` tells.
#[utoipa::path(get, path = "/status", tag = "daemon", responses((status = 200, body = Object)))]
async fn status(State(daemon): State<Daemon>) -> Result<Json<Value>, Refusal> {
    Ok(Json(daemon.setup().status().await?))
}

/// Asks a model for one word.
#[utoipa::path(post, path = "/models/test", tag = "daemon", request_body = Option<Role>,
    responses((status = 200, body = ModelTest), (status = 400, body = ErrorBody)))]
async fn test_model(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    fields: Fields,
) -> Result<Json<ModelTest>, Refusal> {
    owner(&caller)?;
    let role = fields.text("role")?.unwrap_or_else(|| "default".to_owned());
    Ok(Json(daemon.setup().test_model(&role).await?))
}

/// Refuses whoever does not hold the daemon's own token.
pub(super) fn owner(caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Owner => Ok(()),
        Caller::Named { .. } | Caller::Account { .. } => {
            let text = "only the daemon's own token may do that";
            Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden", text))
        }
    }
}
