//! What the path of a request names; one that cannot be read is no route, in the one shape of errors.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The names in a path.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Daemon> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, daemon: &Daemon) -> Result<Path<T>, Refusal> {
        let names = axum::extract::Path::from_request_parts(parts, daemon).await;
        names.map(|axum::extract::Path(names)| Path(names)).map_err(|_| Refusal::no_route())
    }
}
