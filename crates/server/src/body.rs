//! What a request carries: one JSON object of a bounded size, or nothing.
//!
//! Owns the order of checks (size, media type, JSON) and their words. Fields are checked by each route.

use crate::daemon::Daemon;
use crate::fault::Refusal;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::io::ErrorKind;

/// The fields of a JSON object; none for no body at all.
pub struct Fields {
    fields: Map<String, Value>,
    given: bool,
}

impl Fields {
    /// The field, unless it is absent or `null`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// The same, if there was a body at all.
    pub fn required(self) -> Result<Fields, Refusal> {
        if self.given { Ok(self) } else { Err(invalid("the request has no body; send a JSON object")) }
    }

    /// The field as it was sent, `null` too.
    pub fn raw(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// A text, unless it is absent.
    pub fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Refusal::invalid("invalid_field", format!("{name} is a text"))),
        }
    }

    /// Yes or no, which must be there.
    pub fn switch(&self, name: &str) -> Result<bool, Refusal> {
        let given = self.get(name).and_then(Value::as_bool);
        given.ok_or_else(|| Refusal::invalid("invalid_field", format!("{name} is true or false")))
    }

    /// The object itself.
    pub fn whole(self) -> Map<String, Value> {
        self.fields
    }

    /// All fields as one value; `null` is left as it is.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, Refusal> {
        serde_json::from_value(Value::Object(self.fields))
            .map_err(|error| Refusal::invalid("invalid_field", format!("the body does not fit: {error}")))
    }
}

impl FromRequest<Daemon> for Fields {
    type Rejection = Refusal;

    async fn from_request(request: Request, daemon: &Daemon) -> Result<Fields, Refusal> {
        let (parts, body) = request.into_parts();
        let bytes = bytes(&parts.headers, body, daemon.settings().body_bytes).await?;
        if bytes.is_empty() {
            return Ok(Fields { fields: Map::new(), given: false });
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(Fields { fields, given: true }),
            Ok(_) => Err(invalid("the body is JSON, but no object")),
            Err(error) => {
                Err(invalid(format!("the body is no JSON (line {}, column {})", error.line(), error.column())))
            }
        }
    }
}

async fn bytes(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let empty = length == Some(0) || (length.is_none() && !headers.contains_key(axum::http::header::TRANSFER_ENCODING));
    if !empty && !is_json(headers) {
        let text = "the body must be plain application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", text));
    }
    // What else can go wrong while a body is read is a client that went away.
    axum::body::to_bytes(body, limit).await.map_err(|error| match is_late(&error) {
        true => invalid("the body did not come to its end in time"),
        false => too_large(limit),
    })
}

/// True for a body that was broken off because it trickled.
fn is_late(error: &axum::Error) -> bool {
    let mut causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|cause| cause.kind() == ErrorKind::TimedOut))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let plain =
        headers.get(CONTENT_ENCODING).is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    essence.eq_ignore_ascii_case("application/json") && plain
}

fn too_large(limit: usize) -> Refusal {
    let text = format!("the body is larger than {limit} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", text)
}

fn invalid(text: impl Into<String>) -> Refusal {
    Refusal::invalid("invalid_json", text)
}
