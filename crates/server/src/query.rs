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
        let bad = |rejection: QueryRejection| Refusal::invalid("invalid_query_string", told(&rejection.body_text()));
        Query::try_from_uri(&parts.uri).map(|Query(fields)| Asked(fields)).map_err(bad)
    }
}

/// Which field is to blame, in our words; `said` ends in a field and what is wrong with it, or in its name in ticks.
fn told(said: &str) -> String {
    let reason = said.split_once(": ").map_or(said, |(_, reason)| reason);
    match (reason.split_once(": "), reason.split('`').nth(1)) {
        (Some((field, _)), _) => format!("{field} in the query string is not what it may be; /openapi.json says what"),
        (None, Some(field)) => format!("{field} is missing or twice in the query string"),
        (None, None) => "the query string cannot be read; /openapi.json says what it may have".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn what_is_wrong_with_a_query_is_said_in_our_words() {
        let from = told("Failed to deserialize query string: from: invalid digit found in string");
        assert_eq!(from, "from in the query string is not what it may be; /openapi.json says what");
        let path = told("Failed to deserialize query string: missing field `path`");
        assert_eq!(path, "path is missing or twice in the query string");
        assert!(told("odd").starts_with("the query string cannot be read"));
    }
}
