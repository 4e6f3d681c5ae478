//! Where an object store is, and who asks it.
//!
//! Owns the URL form, the variables that are read, and the client that comes of them.
//! Never takes a key or a secret from anywhere but the environment.

use super::fault;
use loci_domain::fault::Fault;
use loci_store::{Error, Result};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use std::time::Duration;

/// How a URL of this kind starts.
pub const SCHEME: &str = "s3://";

/// The standard variables that count. Others that the library knows are left out: they could switch conditions off.
const TAKEN: [&str; 16] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL_STS",
    "AWS_ALLOW_HTTP",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
];
/// Says that there is no machine to ask for credentials.
const NO_MACHINE: &str = "AWS_EC2_METADATA_DISABLED";
/// Allows plain http.
const PLAIN: &str = "AWS_ALLOW_HTTP";
/// Any of them is a way to credentials.
const WAYS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// A place in a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The bucket, which must be there.
    pub bucket: String,
    /// Below which all keys lie, without slashes at its ends; may be empty.
    pub prefix: String,
    /// Another server than the cloud's own.
    pub endpoint: Option<String>,
    /// Where the bucket is, if the environment does not say it.
    pub region: Option<String>,
}

impl Settings {
    /// Reads `s3://bucket/prefix`.
    pub fn parse(url: &str) -> Result<Settings> {
        let rest = url.strip_prefix(SCHEME).ok_or_else(|| invalid("it is written s3://bucket/prefix"))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let settings = Settings { bucket: bucket.to_owned(), prefix: prefix.to_owned(), endpoint: None, region: None };
        settings.checked()
    }

    /// The same with a tidy prefix, if bucket and prefix can be used.
    pub fn checked(mut self) -> Result<Settings> {
        let fine = |sign: char| sign.is_ascii_alphanumeric() || "-._".contains(sign);
        if !(3..=63).contains(&self.bucket.len()) || !self.bucket.chars().all(fine) || self.bucket.starts_with('-') {
            return Err(invalid("a bucket's name has 3 to 63 letters, digits, dots and dashes"));
        }
        self.prefix = self.prefix.trim_matches('/').to_owned();
        let odd = |segment: &str| matches!(segment, "" | "." | "..") || segment.contains(char::is_control);
        if !self.prefix.is_empty() && self.prefix.split('/').any(odd) {
            return Err(invalid("its prefix has an empty, dotted or unprintable part"));
        }
        Ok(self)
    }

    /// Whether its endpoint may be asked: https, or plain http where the environment allows that.
    pub fn may_be_asked(&self, environment: &[(String, String)]) -> bool {
        let set = |wanted: &str| value(environment, wanted);
        let endpoint =
            self.endpoint.as_deref().or_else(|| set("AWS_ENDPOINT_URL_S3")).or_else(|| set("AWS_ENDPOINT_URL"));
        endpoint.is_none_or(|endpoint| endpoint.starts_with("https://")) || is_on(environment, PLAIN)
    }
}

/// The variables of this process that count here.
pub fn environment() -> Vec<(String, String)> {
    let counts = |name: &str| TAKEN.contains(&name) || name == NO_MACHINE;
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, value)| counts(name) && !value.is_empty())
        .collect()
}

pub(super) fn client(settings: &Settings, environment: &[(String, String)]) -> Result<AmazonS3> {
    // Fails when somebody was first, with the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if is_on(environment, NO_MACHINE) && !WAYS.iter().any(|way| value(environment, way).is_some()) {
        return Err(invalid("no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"));
    }
    if !settings.may_be_asked(environment) {
        return Err(invalid("its endpoint is not https; AWS_ALLOW_HTTP=true allows that"));
    }
    let mut builder = AmazonS3Builder::new();
    for (name, value) in environment.iter().filter(|(name, _)| TAKEN.contains(&name.as_str())) {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    if let Some(region) = &settings.region {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = &settings.endpoint {
        // By this name it goes before any endpoint of the environment.
        builder = builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint);
    }
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    let options = ClientOptions::new()
        .with_allow_http(is_on(environment, PLAIN))
        .with_connect_timeout(Duration::from_secs(5))
        .with_timeout(Duration::from_secs(20));
    builder
        .with_bucket_name(&settings.bucket)
        .with_checksum_algorithm(Checksum::SHA256)
        .with_retry(RetryConfig { backoff, max_retries: 5, retry_timeout: Duration::from_secs(15) })
        .with_client_options(options)
        .build()
        .map_err(fault::told)
}

fn value<'a>(environment: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

fn is_on(environment: &[(String, String)], name: &str) -> bool {
    value(environment, name).is_some_and(|value| value.eq_ignore_ascii_case("true") || value == "1")
}

fn invalid(reason: &str) -> Error {
    Error::refused(Fault::Invalid, format!("this object storage cannot be used: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_bucket_and_prefix() {
        for (url, bucket, prefix) in
            [("s3://abc", "abc", ""), ("s3://abc/", "abc", ""), ("s3://a.b-c/x/y/", "a.b-c", "x/y")]
        {
            let settings = Settings::parse(url).unwrap();
            assert_eq!((settings.bucket.as_str(), settings.prefix.as_str()), (bucket, prefix), "{url}");
        }
        for url in ["s3://", "s3:///x", "s3://a b/x", "s3://-ab", "s3://abc/../x", "s3://abc/x//y", "s3://abc/x\ny"] {
            assert!(Settings::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn plain_http_is_a_choice() {
        let settings = Settings { endpoint: Some("http://127.0.0.1:1".into()), ..Settings::parse("s3://abc").unwrap() };
        let key = |name: &str| (name.to_owned(), "x".to_owned());
        let mut set = vec![key("AWS_ACCESS_KEY_ID"), key("AWS_SECRET_ACCESS_KEY")];
        assert!(client(&settings, &set).unwrap_err().to_string().contains("AWS_ALLOW_HTTP"));
        set.push(("AWS_ALLOW_HTTP".into(), "true".into()));
        assert!(client(&settings, &set).is_ok());
    }

    #[test]
    fn nobody_is_asked_without_credentials() {
        let set = [(NO_MACHINE.to_owned(), "true".to_owned())];
        let refused = client(&Settings::parse("s3://abc").unwrap(), &set).unwrap_err();
        assert!(refused.to_string().contains("AWS_ACCESS_KEY_ID"), "{refused}");
    }
}
