//! `POST /clients`: a name of its own for a program.

use crate::body::Fields;
use crate::clients::register;
use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(add))
}

/// A client's name, to be sent as `X-Loci-Client-Id`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registered {
    client_id: String,
}

/// Registers a client.
#[utoipa::path(
    post, path = "/clients", tag = "clients",
    request_body = Option<Object>,
    responses((status = 201, body = Registered))
)]
async fn add(State(daemon): State<Daemon>, _: Fields) -> Result<(StatusCode, Json<Registered>), Refusal> {
    Ok((StatusCode::CREATED, Json(Registered { client_id: register(&daemon).await? })))
}
