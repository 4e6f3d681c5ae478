//! The HTTP client that everything here uses, and what the network may not do: no redirect is followed, and no proxy
//! stands before a loopback address.

use reqwest::{Client, Result, Url, redirect};
use std::net::IpAddr;
use std::time::Duration;

const CONNECT: Duration = Duration::from_secs(10);

/// A client for one address.
pub fn client(address: &Url) -> Result<Client> {
    // Fails when somebody was first, with the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT)
        .user_agent(concat!("loci/", env!("CARGO_PKG_VERSION")));
    if is_loopback(address) { builder.no_proxy().build() } else { builder.build() }
}

/// Whether an address never leaves this machine.
fn is_loopback(address: &Url) -> bool {
    let host = address.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
