//! A running `loci serve` with its rate limit raised, and what it holds.

use super::home::Home;
use super::http::Connection;
use super::process::resident;
use anyhow::{Context, Result};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// The process; it is killed when it is dropped.
pub struct Daemon {
    child: Child,
    address: String,
    token: String,
}

impl Daemon {
    /// Starts one in this home, on any free port. It has said where it listens.
    pub fn start(home: &Home) -> Result<Daemon> {
        let words = ["serve", "--port", "0", "--json", "--set", "daemon.rate_per_second=100000"];
        let mut command = home.loci(&words);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take().context("no pipe");
        // From here on an error ends the child, too.
        let mut daemon = Daemon { child, address: String::new(), token: String::new() };
        let mut line = String::new();
        BufReader::new(output?).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).with_context(|| format!("loci serve said {line:?}"))?;
        let url = said["url"].as_str().context("no url")?;
        daemon.address = url.trim_start_matches("http://").to_owned();
        daemon.token = std::fs::read_to_string(said["tokenFile"].as_str().context("no tokenFile")?)?;
        Ok(daemon)
    }

    /// Where it is asked.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its own token.
    pub fn token(&self) -> &str {
        self.token.trim()
    }

    /// A connection with the daemon's own token.
    pub fn connect(&self) -> Result<Connection> {
        Connection::open(&self.address, &self.token)
    }

    /// Megabytes that the daemon and its worker hold right now.
    pub fn resident(&self) -> Result<f64> {
        let own = self.child.id();
        // A child belongs to the thread that started it. One that has ended since holds nothing.
        let threads = std::fs::read_dir(format!("/proc/{own}/task"))?.flatten();
        let children = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let children: Vec<u32> = children
            .flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter_map(|id| id.parse().ok())
            .collect();
        Ok(resident(own)? + children.into_iter().filter_map(|child| resident(child).ok()).sum::<f64>())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // One that has ended ignores both.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
