//! `GET /capabilities`: what this daemon can do, as published clients expect to be told.

use crate::auth::Caller;
use crate::daemon::Daemon;
use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(capabilities))
}

const FEATURES: &[&str] = &[
    "workspace_memory",
    "workspace_memory_remember",
    "workspace_memory_forget",
    "workspace_memory_dream",
    "workspace_memory_remember_user_scope",
    "workspace_memory_remember_project_scope",
    "workspace_memory_forget_scope",
    "session_events",
];

/// What the daemon can do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    v: u32,
    mode: &'static str,
    features: &'static [&'static str],
    model_services: Vec<String>,
    /// The directory that the daemon works for; empty for another account than `local`.
    workspace_cwd: String,
    limits: Limits,
    modes: Modes,
    version: &'static str,
}

/// What a request may hold.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Bytes of a body.
    body_bytes: usize,
    /// Bytes of what is to be remembered, and of a query.
    content_bytes: usize,
    /// Requests a second.
    rate_per_second: u64,
}

/// The ways in which a feature can be used.
#[derive(Debug, Serialize, ToSchema)]
pub struct Modes {
    workspace_memory_remember: [&'static str; 2],
}

/// Says what the daemon can do.
#[utoipa::path(get, path = "/capabilities", tag = "daemon", responses((status = 200, body = Capabilities)))]
async fn capabilities(State(daemon): State<Daemon>, Extension(caller): Extension<Caller>) -> Json<Capabilities> {
    let settings = daemon.settings();
    Json(Capabilities {
        v: 1,
        mode: "http-bridge",
        features: FEATURES,
        model_services: Vec::new(),
        workspace_cwd: daemon.cwd_for(&caller),
        limits: Limits {
            body_bytes: settings.body_bytes,
            content_bytes: loci_memory::remember::LONGEST,
            rate_per_second: settings.rate_per_second,
        },
        modes: Modes { workspace_memory_remember: ["workspace", "clean"] },
        version: env!("CARGO_PKG_VERSION"),
    })
}
