//! `/` of the daemon: the web page and its assets, mounted behind the daemon's guard, and how a person gets in.
//!
//! Owns the headers of the page and the link that signs in. The token stands in the link's fragment, which no browser
//! sends, and is told to nobody but the person at the terminal.

use crate::fault::Failure;
use axum::Router;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use loci_server::{Daemon, Refusal};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// An asset's name changes with its bytes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Its routes.
pub fn mounted() -> Router<Daemon> {
    Router::new().route("/", get(page)).route("/assets/{name}", get(asset))
}

async fn page() -> Result<Response, Refusal> {
    let nonce = nonce().map_err(|_| Refusal::bug("no_random_numbers"))?;
    let policy = HeaderValue::from_str(&loci_page::policy(&nonce)).map_err(|_| Refusal::bug("policy"))?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, policy),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    ];
    Ok((headers, loci_page::html(&nonce)).into_response())
}

async fn asset(uri: Uri, asked: HeaderMap) -> Result<Response, Refusal> {
    let file = loci_page::file(uri.path()).ok_or_else(Refusal::no_route)?;
    let unpacks = asked.get_all(ACCEPT_ENCODING).iter().any(takes_gzip);
    let packed = file.gzip.filter(|_| unpacks);
    let mut response = Body::from(packed.unwrap_or(file.bytes)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind()));
    headers.insert(CACHE_CONTROL, FOR_EVER);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if packed.is_some() {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

/// Whether a browser names gzip, and not to refuse it.
fn takes_gzip(value: &HeaderValue) -> bool {
    let named = value.to_str().unwrap_or_default().split(',').map(|one| one.split(';').map(str::trim));
    named.into_iter().any(|mut one| one.next() == Some("gzip") && !matches!(one.next(), Some("q=0" | "q=0.0")))
}

/// 128 bits that are new with each answer.
fn nonce() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The link that signs in.
pub fn link(url: &str, token: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let quoted = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    format!("{url}/#token={}", token.bytes().map(quoted).collect::<String>())
}

/// Shows the page, where there is somebody to see it. The link goes through a file that only this person can read:
/// what stands on a command line can be read by everybody on the machine.
pub fn open(home: &Path, link: &str) -> Result<(), Failure> {
    let file = home.join("open.html");
    let _ = std::fs::remove_file(&file);
    let mut made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
    let link = link.replace('&', "&amp;").replace('"', "&quot;");
    writeln!(made, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={link}\"><a href=\"{link}\">Loci</a>")?;
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Stdio::null;
    if let Err(error) = Command::new(opener).arg(&file).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        tracing::warn!(%error, "no browser could be opened");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_in_the_fragment() {
        assert_eq!(link("http://127.0.0.1:1", "ab12"), "http://127.0.0.1:1/#token=ab12");
        assert_eq!(link("http://127.0.0.1:1", "a b&\"<"), "http://127.0.0.1:1/#token=a%20b%26%22%3C");
    }

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (given, takes) in
            [("gzip, deflate, br", true), ("br;q=1, gzip;q=0.8", true), ("br", false), ("gzip;q=0", false)]
        {
            assert_eq!(takes_gzip(&HeaderValue::from_static(given)), takes, "{given}");
        }
    }
}
