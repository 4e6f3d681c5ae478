//! The line to a service: one question there, one answer back.
//!
//! Owns the HTTP client, which comes into being with the first question; no answer is longer than [`MOST_BYTES`].
//! Never shows an address, a header or a body in an error.

use super::pause;
use crate::http;
use crate::provider::{Error, Result};
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use std::sync::OnceLock;
use std::time::Duration;

/// No answer is longer.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Where questions of one model go.
#[derive(Debug)]
pub(crate) struct Line {
    address: Url,
    headers: HeaderMap,
    client: OnceLock<Client>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Debug, PartialEq)]
pub(crate) enum Trouble {
    /// Nobody is there: another try would find nobody either.
    Absent,
    /// The line broke.
    Broken,
    /// What came is too long.
    Long,
    /// It can't even be tried.
    Setup,
}

impl Line {
    /// Only looks at the words.
    pub(crate) fn new(address: &str, headers: Vec<(&'static str, String)>) -> Result<Line> {
        let wrong = |what: &str| Error::Settings(what.to_owned());
        let address = Url::parse(address).map_err(|_| wrong("base_url is no address"))?;
        if !matches!(address.scheme(), "http" | "https") || !address.has_host() {
            return Err(wrong("base_url must begin with http:// or https://"));
        }
        if !address.username().is_empty() || address.password().is_some() {
            return Err(wrong(
                "base_url must not hold a password; name the variable that holds the key in api_key_env",
            ));
        }
        let mut all = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        for (name, value) in headers {
            let mut value = HeaderValue::from_str(&value).map_err(|_| wrong("the key has signs that no key has"))?;
            value.set_sensitive(true);
            all.insert(HeaderName::from_static(name), value);
        }
        Ok(Line { address, headers: all, client: OnceLock::new() })
    }

    /// Asks once.
    pub(crate) async fn post(&self, body: Vec<u8>) -> std::result::Result<Reply, Trouble> {
        let asked = self.client()?.post(self.address.clone()).headers(self.headers.clone()).body(body).send().await;
        let response = asked.map_err(|error| match () {
            () if error.is_connect() => Trouble::Absent,
            () if error.is_builder() => Trouble::Setup,
            () => Trouble::Broken,
        })?;
        let status = response.status().as_u16();
        let retry_after = pause::asked(response.headers(), Timestamp::now());
        Ok(Reply { status, retry_after, body: bounded(response).await? })
    }

    fn client(&self) -> std::result::Result<&Client, Trouble> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = http::client(&self.address).map_err(|_| Trouble::Setup)?;
        Ok(self.client.get_or_init(|| client))
    }
}

async fn bounded(mut response: Response) -> std::result::Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Trouble::Broken)? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(Trouble::Long);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
