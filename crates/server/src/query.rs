//! What the query string of a request carries; one that cannot be read is refused in the one shape of errors.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The fields of a query string.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Daemon> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Daemon) -> Result<Asked<T>, Refusal> {
        let bad = |rejection: QueryRejection| Refusal::invalid("invalid_query_string", rejection.body_text());
        Query::try_from_uri(&parts.uri).map(|Query(fields)| Asked(fields)).map_err(bad)
    }
}
