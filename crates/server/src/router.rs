//! All routes, their documents, and the guard around them.
//!
//! Owns the list: a route is a handler with `#[utoipa::path]` in `routes/<word>.rs`, and one line here registers it for
//! requests and for `/openapi.json` alike, so that the two cannot drift apart.
//! Start at [`routes`].

use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::guard::{guard, note_route};
use crate::routes;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa::OpenApi as _;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{Schema, SchemaType};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, Type};
use utoipa_axum::router::OpenApiRouter;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Loci", description = "Durable memory for AI agents", license(name = "Apache-2.0", identifier = "Apache-2.0")),
    components(schemas(ErrorBody)),
    security(("token" = []))
)]
struct Head;

/// One line a word.
fn routes() -> OpenApiRouter<Daemon> {
    OpenApiRouter::with_openapi(Head::openapi())
        .merge(routes::health::router())
        .merge(routes::capabilities::router())
        .merge(routes::openapi::router())
        .merge(routes::metrics::router())
        .merge(routes::clients::router())
        .merge(routes::memory::router())
        .merge(routes::past::router())
        .merge(routes::pipeline::router())
        .merge(routes::settings::router())
        .merge(routes::agents::router())
        .merge(routes::session::router())
        .merge(routes::tasks::router())
        .merge(routes::workspaces::router())
        .merge(routes::accounts::router())
        .merge(routes::conversations::router())
}

/// The document of all routes.
pub fn openapi() -> OpenApi {
    let mut document = routes().into_openapi();
    if let Some(components) = &mut document.components {
        components
            .security_schemes
            .insert("token".to_owned(), RefOr::T(SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer))));
    }
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in operations.into_iter().flatten() {
            let sends = operation.request_body.is_some();
            operation.request_body.iter_mut().for_each(never_null);
            let asks = |it: &RefOr<Parameter>| matches!(it, RefOr::T(it) if it.parameter_in == ParameterIn::Query);
            let asks = operation.parameters.iter().flatten().any(asks);
            let everywhere = [
                (400, sends || asks),
                (401, true),
                (403, true),
                (405, false),
                (413, sends),
                (415, sends),
                (429, true),
                (500, true),
            ];
            for (status, _) in everywhere.into_iter().filter(|(_, there)| *there) {
                let known = &mut operation.responses.responses;
                known.entry(status.to_string()).or_insert_with(|| RefOr::T(error()));
            }
        }
    }
    document
}

/// A body that may be left out is left out; it is never `null`.
fn never_null(body: &mut RefOr<RequestBody>) {
    let RefOr::T(body) = body else { return };
    for content in body.content.values_mut() {
        let RefOr::T(Content { schema: Some(schema), .. }) = content else { continue };
        match schema {
            RefOr::T(Schema::Object(object)) if is_nullable(&object.schema_type) => {
                object.schema_type = SchemaType::Type(Type::Object);
            }
            RefOr::T(Schema::OneOf(one)) => {
                one.items.retain(|item| !is_null(item));
                if let [only] = &one.items[..] {
                    *schema = only.clone();
                }
            }
            _ => {}
        }
    }
}

fn is_nullable(kind: &SchemaType) -> bool {
    matches!(kind, SchemaType::Array(kinds) if kinds.contains(&Type::Object) && kinds.contains(&Type::Null))
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null))
}

fn error() -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    ResponseBuilder::new().description("What is wrong").content("application/json", body).build()
}

/// Everything that the daemon answers; `mounted` is what other surfaces add behind the same guard.
pub fn router(daemon: Daemon, mounted: Router<Daemon>) -> Router {
    let (ours, _) = routes().split_for_parts();
    let inside = ours
        .merge(mounted)
        .method_not_allowed_fallback(wrong_method)
        .route_layer(from_fn(note_route))
        .fallback(async || Refusal::no_route())
        .with_state(daemon.clone());
    // The guard wraps a router that has nothing but a fallback: whatever is inside, it is behind the guard.
    Router::new().fallback_service(inside).layer(from_fn_with_state(daemon, guard))
}

async fn wrong_method() -> Refusal {
    let text = "this route does not know that method; /openapi.json lists what it knows";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", text)
}
