//! Who works with memory: models, other agents, the sandbox, a daemon that runs, and those who wrote before.

use crate::boot::{App, program};
use crate::commands::{account, connect, record};
use crate::fault::Failure;
use jiff::{SignedDuration, Timestamp};
use loci_memory::doctor::Examined;
use loci_session::sandbox::{Limits, Sandbox};
use loci_store::record::{Holding, LOCAL, Log};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long a daemon on this machine is waited for.
const PATIENCE: Duration = Duration::from_millis(300);

/// What a clock may be ahead of another one without harm.
const DRIFT: SignedDuration = SignedDuration::from_hours(1);

/// Looks at all of them.
pub async fn examine(app: &App, examined: &mut Examined) -> Result<(), Failure> {
    for trouble in &app.model_troubles {
        examined.advise("models", format!("{trouble}; until then everything is done without"));
    }
    agents(app, examined)?;
    sandbox(app, examined).await?;
    if let Some(other) = daemon(app).filter(|version| version != env!("CARGO_PKG_VERSION")) {
        let text = format!("loci {other} runs, and this is {}; restart loci serve", env!("CARGO_PKG_VERSION"));
        examined.advise("daemon", text);
    }
    // The journal as it is: another look at the files would write an index anew that was just told of.
    let places = app.memory.store().roots().into_iter().map(|root| root.key.place.clone()).collect();
    if let Some(last) = app.ledger.changes(&Log { places, path: None, limit: 1 }).await?.first()
        && last.at > Timestamp::now() + DRIFT
    {
        let text = format!(
            "the last change is of {}, which is to come: this clock or that one is wrong; compare it with another machine's",
            last.at
        );
        examined.advise("clock", text);
    }
    Ok(())
}

fn agents(app: &App, examined: &mut Examined) -> Result<(), Failure> {
    for agent in connect::standings(app)?.iter().map(connect::Row::told) {
        for level in &agent.levels {
            let flag = if level.level == "project" { " --in-project" } else { "" };
            if let Some(trouble) = &level.trouble {
                examined
                    .advise(&agent.agent, format!("{trouble}; mend that file, then loci connect shows how it stands"));
            } else if level.state == "partial" {
                let text =
                    format!("is connected in part, or to another loci; loci connect {}{flag} mends it", agent.agent);
                examined.advise(&agent.agent, text);
            }
        }
    }
    Ok(())
}

/// Whoever made a sandbox wants commands to run in it.
async fn sandbox(app: &App, examined: &mut Examined) -> Result<(), Failure> {
    if record::runtime(app).all(Holding::Sandbox, LOCAL).await.map_err(account::failure)?.is_empty() {
        return Ok(());
    }
    let bwrap = program("bwrap");
    let missing = bwrap.is_none();
    let limits = Limits { time: PATIENCE, output: 0, processes: 0 };
    if missing {
        examined
            .advise("sandbox", "agents have no bash, for bubblewrap is not installed; install the package bubblewrap");
    } else if !Sandbox::new(bwrap, limits).works().await {
        examined.advise("sandbox", "agents have no bash, for bubblewrap may not make namespaces here; allow user namespaces, or leave the container");
    }
    Ok(())
}

/// The version of the daemon at our address that knows our token, if one runs.
fn daemon(app: &App) -> Option<String> {
    let token = std::fs::read_to_string(app.places.home.join("token")).ok()?;
    let host: IpAddr = app.config.text("daemon.host")?.parse().ok()?;
    let host = if host.is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { host };
    let address = SocketAddr::new(host, u16::try_from(app.config.number("daemon.port")).ok()?);
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let head = format!(
        "GET /capabilities HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        token.trim()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.take(1 << 16).read_to_end(&mut answer).ok()?;
    version(&String::from_utf8_lossy(&answer))
}

fn version(answer: &str) -> Option<String> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return None;
    }
    let told: Value = serde_json::from_str(body).ok()?;
    Some(told["version"].as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_does_not_know_us_is_none() {
        assert_eq!(version("HTTP/1.1 200 OK\r\na: b\r\n\r\n{\"v\":1,\"version\":\"9.9.9\"}").as_deref(), Some("9.9.9"));
        assert_eq!(version("HTTP/1.1 401 Unauthorized\r\n\r\n{\"version\":\"9.9.9\"}"), None);
        assert_eq!(version("HTTP/1.1 200 OK\r\n\r\n<html>"), None);
    }
}
