//! The one shape of errors: `{"error": text, "code": stable_code}`, with a status.
//!
//! Owns the table from kinds of failure to statuses. Never tells what only the log should know: our own mistakes are
//! answered with a fixed sentence.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use loci_domain::fault::Fault;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use utoipa::ToSchema;

/// What every error looks like.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// For people.
    pub error: String,
    /// For programs; it never changes.
    pub code: String,
    /// What some errors tell beside it, as `sha256` of a conflict.
    #[serde(flatten)]
    #[schema(additional_properties, value_type = Object)]
    pub more: Map<String, Value>,
}

/// A request that is not done, and why.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: Cow<'static, str>,
    text: String,
    more: Option<Box<Map<String, Value>>>,
    retry_after: Option<u64>,
}

impl Refusal {
    /// A refusal with its status, code and words.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Refusal {
        Refusal { status, code: code.into(), text: text.into(), more: None, retry_after: None }
    }

    /// A refusal of a kind; our own mistakes go to the log.
    pub fn of(fault: Fault, code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Refusal {
        let (status, text) = (status(fault), text.into());
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(error = text, "a request came to grief");
            return Refusal::bug(code);
        }
        Refusal::new(status, code, text)
    }

    /// The request itself is wrong.
    pub fn invalid(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, code, text)
    }

    /// What was named is not there.
    pub fn missing(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, code, text)
    }

    /// There is no such route.
    pub fn no_route() -> Refusal {
        Refusal::missing("not_found", "there is no such route; /openapi.json lists them all")
    }

    /// Our own mistake; the log has the words.
    pub fn bug(code: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, code, "something went wrong here; the daemon's log tells more")
    }

    /// The home is set up so that nothing works; a person is told where to look, never what stands there.
    pub fn broken(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, code, text)
    }

    /// The same with another code.
    pub fn coded(self, code: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { code: code.into(), ..self }
    }

    /// The same with one more field.
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Refusal {
        self.more.get_or_insert_default().insert(field.to_owned(), value.into());
        self
    }

    /// The same with the seconds after which another try makes sense.
    pub fn retry_after(mut self, seconds: u64) -> Refusal {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The status of it.
    pub fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = ErrorBody {
            error: self.text,
            code: self.code.into_owned(),
            more: self.more.map(|more| *more).unwrap_or_default(),
        };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<loci_memory::Error> for Refusal {
    fn from(error: loci_memory::Error) -> Refusal {
        let refusal = Refusal::of(error.fault(), error.code(), error.to_string());
        use loci_memory::Error;
        use loci_store::Error as Store;
        match &error {
            Error::Store(Store::Secret(found)) => refusal.with("rule", found.rule).with("line", found.line),
            // It is the path that does not fit what is there.
            Error::NotAFile(_) | Error::Store(Store::Folder | Store::InTheWay | Store::IntoItself | Store::Odd) => {
                refusal.coded("invalid_path")
            }
            _ => refusal,
        }
    }
}

impl From<loci_store::Error> for Refusal {
    fn from(error: loci_store::Error) -> Refusal {
        loci_memory::Error::from(error).into()
    }
}

impl From<loci_store::record::Error> for Refusal {
    fn from(error: loci_store::record::Error) -> Refusal {
        loci_memory::Error::from(error).into()
    }
}

impl From<loci_session::Error> for Refusal {
    fn from(error: loci_session::Error) -> Refusal {
        use loci_session::Error;
        match error {
            Error::Memory(error) => error.into(),
            Error::Conflict { now } | Error::Occupied { now } => {
                let refusal = Refusal::of(Fault::Conflict, "conflict", error.to_string());
                refusal.with("sha256", now.map(|now| now.to_string()))
            }
            other => Refusal::of(other.fault(), other.code(), other.to_string()),
        }
    }
}

/// Which status a kind of failure has.
fn status(fault: Fault) -> StatusCode {
    match fault {
        Fault::Invalid => StatusCode::BAD_REQUEST,
        Fault::Missing => StatusCode::NOT_FOUND,
        Fault::Conflict => StatusCode::CONFLICT,
        Fault::Denied => StatusCode::FORBIDDEN,
        Fault::Secret => StatusCode::UNPROCESSABLE_ENTITY,
        Fault::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Fault::Limit => StatusCode::PAYLOAD_TOO_LARGE,
        Fault::Upstream => StatusCode::BAD_GATEWAY,
        Fault::Offline => StatusCode::CONFLICT,
        Fault::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
