//! Under which names the daemon may be asked, and by pages of which origins.
//!
//! A web page elsewhere can make a browser send requests to this machine, also under a name that it controls (DNS
//! rebinding). So only loopback names and configured ones are answered.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use std::net::IpAddr;

/// The names that are allowed.
#[derive(Debug, Clone, Default)]
pub struct Names {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    /// Loopback, the bound address, and what the settings name.
    pub fn new(bound: IpAddr, hosts: &[String], origins: &[String]) -> Names {
        let lower = |names: &[String]| names.iter().map(|name| name.trim().to_ascii_lowercase()).collect::<Vec<_>>();
        let mut hosts = lower(hosts);
        if !bound.is_unspecified() {
            hosts.push(bare(&bound.to_string()).to_owned());
        }
        let origins = lower(origins).into_iter().map(|origin| origin.trim_end_matches('/').to_owned()).collect();
        Names { hosts, origins }
    }

    /// Whether the request names this daemon, everywhere that it names one.
    pub fn knows_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut named = headers.get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else { return false };
        let fits = |authority: &str| split(authority).is_some_and(|(host, _)| self.is_own(&host));
        host.to_str().is_ok_and(fits) && uri.authority().is_none_or(|authority| fits(authority.as_str()))
    }

    /// Whether the request comes from no page, or from one that may ask.
    pub fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => true,
            (Some(origin), None) => origin.to_str().is_ok_and(|origin| self.is_local(origin) || self.is_chosen(origin)),
            (Some(_), Some(_)) => false,
        }
    }

    /// The origin, if the settings name it: only such a page may read answers across origins.
    pub fn chosen_origin<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        headers.get(ORIGIN)?.to_str().ok().filter(|origin| self.is_chosen(origin))
    }

    fn is_chosen(&self, origin: &str) -> bool {
        self.origins.contains(&origin.to_ascii_lowercase())
    }

    fn is_local(&self, origin: &str) -> bool {
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        rest.and_then(split).is_some_and(|(host, _)| self.is_own(&host))
    }

    fn is_own(&self, host: &str) -> bool {
        matches!(host, "localhost" | "127.0.0.1" | "::1") || self.hosts.iter().any(|own| own == host)
    }
}

/// Host and port of an authority; `None` for anything else.
fn split(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            (host, rest.strip_prefix(':').map_or_else(|| rest.is_empty().then_some(None), |port| Some(Some(port)))?)
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let port = port.map(|port| port.parse().ok()).map_or(Some(None), |port| port.map(Some))?;
    let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_' | ':');
    (!host.is_empty() && host.chars().all(plain)).then(|| (host.to_ascii_lowercase(), port))
}

fn bare(address: &str) -> &str {
    address.trim_start_matches('[').trim_end_matches(']')
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn names() -> Names {
        Names::new([127, 0, 0, 1].into(), &["loci.internal".to_owned()], &["https://ui.example".to_owned()])
    }

    fn with(name: axum::http::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn hosts() {
        let uri = Uri::from_static("/");
        for good in ["127.0.0.1", "127.0.0.1:7676", "localhost:1", "LOCALHOST", "[::1]", "[::1]:80", "loci.internal:9"]
        {
            assert!(names().knows_host(&with(HOST, good), &uri), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:80",
            "169.254.169.254",
            "localhost:80@evil.example",
            "evil.example#localhost",
            "localhost:99999",
            "[::1",
            "localhost:",
        ] {
            assert!(!names().knows_host(&with(HOST, bad), &uri), "{bad}");
        }
        assert!(!names().knows_host(&HeaderMap::new(), &uri));
        assert!(!names().knows_host(&with(HOST, "localhost"), &Uri::from_static("http://evil.example/")));
        let mut twice = with(HOST, "localhost");
        twice.append(HOST, HeaderValue::from_static("localhost"));
        assert!(!names().knows_host(&twice, &uri));
    }

    #[test]
    fn origins() {
        assert!(names().knows_origin(&HeaderMap::new()));
        for good in
            ["http://127.0.0.1:7676", "http://localhost:1", "https://localhost", "http://[::1]:3", "https://ui.example"]
        {
            assert!(names().knows_origin(&with(ORIGIN, good)), "{good}");
        }
        for bad in [
            "null",
            "file://",
            "http://evil.example",
            "http://localhost.evil.com",
            "http://127.0.0.1.evil.example:1",
            "https://ui.example.evil.example",
            "http://ui.example",
            "http://localhost/path",
            "http://evil@localhost",
            "localhost",
        ] {
            assert!(!names().knows_origin(&with(ORIGIN, bad)), "{bad}");
        }
        assert_eq!(names().chosen_origin(&with(ORIGIN, "https://ui.example")), Some("https://ui.example"));
        assert_eq!(names().chosen_origin(&with(ORIGIN, "http://localhost:1")), None);
    }
}
