//! Where commands of agents run: bubblewrap, or nowhere.
//!
//! Owns what a command sees (its workspace, programs read-only, nothing else of the machine, no network, an empty
//! environment) and its limits on time, output and processes. A command that passes a limit ends with all that it started.
//! Never runs anything without bubblewrap. Start at [`Sandbox::run`].

mod census;
mod group;
mod view;

use crate::{Error, Result};
use group::Group;
use loci_store::lock::private_dirs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep_until, timeout};

/// How long the probe may take.
const PROBE: Duration = Duration::from_secs(10);
/// How often processes are counted.
const COUNT: Duration = Duration::from_millis(50);
/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

/// The limits of a command.
#[derive(Debug, Clone)]
pub struct Limits {
    /// `sandbox.time_limit_seconds`.
    pub time: Duration,
    /// `sandbox.output_limit_bytes`.
    pub output: usize,
    /// `sandbox.processes`.
    pub processes: usize,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exit(i32),
    /// Somebody else ended it.
    Killed,
    /// It took too long.
    Time,
    /// It started too many processes.
    Processes,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// What it printed, to both outputs as they came, cut at the limit.
    pub output: String,
    /// How many bytes were cut off.
    pub cut: u64,
    /// How it ended.
    pub end: End,
}

/// The sandbox of this machine.
pub struct Sandbox {
    bwrap: Option<PathBuf>,
    limits: Limits,
    works: OnceCell<bool>,
}

impl Sandbox {
    /// A sandbox by this program, if there is one.
    pub fn new(bwrap: Option<PathBuf>, limits: Limits) -> Sandbox {
        Sandbox { bwrap, limits, works: OnceCell::new() }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether commands can run here: a trial run with the same view succeeded.
    pub async fn works(&self) -> bool {
        let Some(bwrap) = &self.bwrap else { return false };
        *self.works.get_or_init(|| probe(bwrap)).await
    }

    /// Runs a command in a folder.
    pub async fn run(&self, folder: &Path, command: &str) -> Result<Ran> {
        let (Some(bwrap), true) = (&self.bwrap, self.works().await) else {
            return Err(Error::File("there is no bubblewrap on this machine, so no command runs".to_owned()));
        };
        private_dirs(folder).map_err(loci_store::Error::io)?;
        // Only a folder that is there can be shown read-only; a command must not be the one to make it.
        let memory = folder.join("memory");
        if memory.symlink_metadata().is_err() {
            private_dirs(&memory).map_err(loci_store::Error::io)?;
        }
        let (reader, writer) = std::io::pipe().map_err(loci_store::Error::io)?;
        let both = writer.try_clone().map_err(loci_store::Error::io)?;
        // Bubblewrap itself stays outside of the namespace, and is one more.
        let group = Group::new(self.limits.processes + 1);
        let mut child = {
            let mut start = match &group {
                Some(group) => {
                    let mut start = Command::new("/bin/sh");
                    start.args(["-c", group::JOIN]).arg(group.door()).arg(bwrap);
                    start
                }
                None => Command::new(bwrap),
            };
            start.args(view::of(folder)).args(view::shell(command)).env_clear().current_dir("/");
            start.stdin(Stdio::null()).stdout(writer).stderr(both).kill_on_drop(true);
            // Dropped with its ends of the pipe, so that the pipe ends with the command.
            start.spawn().map_err(loci_store::Error::io)?
        };
        let mut pipe = pipe::Receiver::from_owned_fd(reader.into()).map_err(loci_store::Error::io)?;
        let (mut kept, mut cut, mut piece) = (Vec::new(), 0_u64, vec![0; PIECE]);
        let over = Instant::now() + self.limits.time;
        let mut counts = tokio::time::interval(COUNT);
        let limit = loop {
            tokio::select! {
                read = pipe.read(&mut piece) => match read {
                    Ok(0) | Err(_) => break None,
                    Ok(bytes) => {
                        let room = self.limits.output.saturating_sub(kept.len()).min(bytes);
                        kept.extend_from_slice(&piece[..room]);
                        cut += (bytes - room) as u64;
                    }
                },
                _ = counts.tick() => {
                    let refused = group.as_ref().is_some_and(Group::refused);
                    if refused || child.id().is_some_and(|id| census::processes(id) > self.limits.processes) {
                        break Some(End::Processes);
                    }
                }
                () = sleep_until(over) => break Some(End::Time),
            }
        };
        let end = match limit {
            Some(limit) => {
                // Its init dies with it, and with that every process of its namespace.
                child.kill().await.map_err(loci_store::Error::io)?;
                limit
            }
            None => match tokio::time::timeout_at(over, child.wait()).await {
                // It may have gone on without what it was refused, and ended before anybody looked.
                Ok(_) if group.as_ref().is_some_and(Group::refused) => End::Processes,
                Ok(status) => status.map_err(loci_store::Error::io)?.code().map_or(End::Killed, End::Exit),
                // It closed its outputs and went on.
                Err(_) => {
                    child.kill().await.map_err(loci_store::Error::io)?;
                    End::Time
                }
            },
        };
        Ok(Ran { output: String::from_utf8_lossy(&kept).into_owned(), cut, end })
    }
}

async fn probe(bwrap: &Path) -> bool {
    let mut trial = Command::new(bwrap);
    trial.args(view::of(Path::new("/usr"))).args(view::shell("true")).env_clear().current_dir("/");
    trial.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let works = matches!(timeout(PROBE, trial.status()).await, Ok(Ok(status)) if status.success());
    if !works {
        tracing::warn!("bubblewrap does not work on this machine; agents are offered no bash");
    }
    works
}

#[cfg(test)]
mod tests;
