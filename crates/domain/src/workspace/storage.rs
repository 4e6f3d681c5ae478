//! Where the files of a workspace lie: what a record may say about it.
//!
//! Owns which field belongs to which provider, and the grammar of their values. Nothing here holds a credential.
//! Never knows whether a place is there: whoever opens it does.

use crate::form::{Bad, Form};
use crate::path::EntryPath;
use crate::sign::is_hidden;
use std::fmt;

const KNOWN: [&str; 6] = ["provider", "bucket", "prefix", "endpoint", "region", "url"];
/// Bytes of an address.
const LONGEST: usize = 1024;

/// Where the files of a workspace lie.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Storage {
    /// In the home.
    Local,
    /// In object storage.
    S3 {
        /// `None` = where the daemon keeps its own files.
        bucket: Option<String>,
        /// Below which the workspace's namespace lies, without slashes at its ends.
        prefix: Option<String>,
        /// Another server than the environment names.
        endpoint: Option<String>,
        /// Another region than the environment names.
        region: Option<String>,
    },
    /// On another machine.
    Ssh {
        /// `ssh://[user@]host[:port]/path`.
        url: String,
    },
}

impl Storage {
    /// Reads `config.storage`.
    pub(super) fn read(config: &Form<'_>) -> Result<Storage, Bad> {
        let form = config.inside("storage", &KNOWN)?;
        let form = form.ok_or_else(|| config.bad("storage", "is missing; give {\"provider\": \"local\"}"))?;
        let provider =
            form.text("provider")?.ok_or_else(|| form.bad("provider", "is missing; give local, s3 or ssh"))?;
        let own: &[&str] = match provider {
            "local" => &[],
            "s3" => &["bucket", "prefix", "endpoint", "region"],
            "ssh" => &["url"],
            _ => return Err(form.bad("provider", "must be local, s3 or ssh")),
        };
        if let Some(foreign) = KNOWN[1..].iter().find(|name| form.get(name).is_some() && !own.contains(name)) {
            return Err(form.bad(foreign, format!("is not for the provider {provider}")));
        }
        match provider {
            "s3" => s3(&form),
            "ssh" => ssh(&form),
            _ => Ok(Storage::Local),
        }
    }

    /// Whether it is the same place, perhaps reached another way: then the files are still there.
    pub fn is_same_place(&self, other: &Storage) -> bool {
        match (self, other) {
            (Storage::S3 { bucket, prefix, .. }, Storage::S3 { bucket: other, prefix: below, .. }) => {
                (bucket, prefix) == (other, below)
            }
            // The machine may have got another name; the folder is what has the files.
            (Storage::Ssh { url }, Storage::Ssh { url: other }) => folder(url) == folder(other),
            _ => self == other,
        }
    }
}

/// For a person: which place it is, without how it is reached.
impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Storage::Local => f.write_str("local"),
            Storage::S3 { bucket, prefix, .. } => {
                let parts = [bucket.as_deref(), prefix.as_deref()];
                write!(f, "s3://{}", parts.into_iter().flatten().collect::<Vec<_>>().join("/"))
            }
            Storage::Ssh { url } => f.write_str(url),
        }
    }
}

fn s3(form: &Form<'_>) -> Result<Storage, Bad> {
    let bucket = form.text("bucket")?.map(|bucket| checked_bucket(form, bucket)).transpose()?;
    let prefix = form.text("prefix")?.map(|prefix| prefix.trim_matches('/')).filter(|prefix| !prefix.is_empty());
    if prefix.is_some_and(|prefix| EntryPath::parse(prefix).is_err()) {
        let reason = "must be segments with a slash between them, none of them empty, dotted or with signs nobody sees";
        return Err(form.bad("prefix", reason));
    }
    let endpoint = form.text("endpoint")?;
    if let Some(wrong) = endpoint.and_then(endpoint_is_wrong) {
        return Err(form.bad("endpoint", wrong));
    }
    let region = form.text("region")?;
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
    if region.is_some_and(|region| !(1..=64).contains(&region.len()) || !region.chars().all(plain)) {
        return Err(form.bad("region", "must be a name as eu-central-1"));
    }
    if bucket.is_none() && (endpoint.is_some() || region.is_some()) {
        return Err(form.bad("bucket", "is missing; an endpoint or a region is that of a bucket"));
    }
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Ok(Storage::S3 { bucket, prefix: owned(prefix), endpoint: owned(endpoint), region: owned(region) })
}

fn checked_bucket(form: &Form<'_>, bucket: &str) -> Result<String, Bad> {
    let plain = |sign: char| sign.is_ascii_alphanumeric();
    let fits = (3..=63).contains(&bucket.len())
        && bucket.chars().all(|sign| plain(sign) || "-._".contains(sign))
        && bucket.starts_with(plain)
        && bucket.ends_with(plain)
        && !bucket.contains("..");
    fits.then(|| bucket.to_owned())
        .ok_or_else(|| form.bad("bucket", "must be a name of 3 to 63 letters, digits, dots and dashes"))
}

fn endpoint_is_wrong(endpoint: &str) -> Option<&'static str> {
    let rest = endpoint.strip_prefix("https://").or_else(|| endpoint.strip_prefix("http://"));
    let Some(rest) = rest.filter(|_| is_line(endpoint) && !endpoint.contains(char::is_whitespace)) else {
        return Some("must be an address as https://host:port");
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.contains('@') || endpoint.contains(['?', '#']) {
        return Some("holds more than an address; credentials come from the daemon's environment only");
    }
    host.is_empty().then_some("names no host")
}

fn ssh(form: &Form<'_>) -> Result<Storage, Bad> {
    const SHAPE: &str = "ssh://user@host:port/path";
    let url = form.text("url")?.ok_or_else(|| form.bad("url", format!("is missing; give {SHAPE}")))?;
    let parts = url.strip_prefix("ssh://").filter(|_| is_line(url)).and_then(|rest| rest.split_once('/'));
    let (machine, path) = parts.ok_or_else(|| form.bad("url", format!("must be {SHAPE}")))?;
    if machine.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')) {
        return Err(form.bad("url", "holds a password; use a key"));
    }
    if machine.is_empty() || path.trim_matches('/').is_empty() || path.split('/').any(|part| part == "..") {
        return Err(form.bad("url", format!("must name a host and a folder, as {SHAPE}")));
    }
    Ok(Storage::Ssh { url: url.trim_end_matches('/').to_owned() })
}

/// The folder of an `ssh://` address.
fn folder(url: &str) -> Option<&str> {
    url.strip_prefix("ssh://")?.split_once('/').map(|(_, path)| path)
}

fn is_line(text: &str) -> bool {
    text.len() <= LONGEST && !text.contains(is_hidden)
}

#[cfg(test)]
mod tests;
