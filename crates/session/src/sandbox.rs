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
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep_until, timeout};

/// How long the probe may take.
const PROBE: Duration = Duration::from_secs(10);
/// How often it is looked whether there are too many processes.
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
        // Bubblewrap itself stays outside of the namespace, and is one more.
        let group = Group::new(self.limits.processes + 1);
        let (mut child, mut pipe) = start(bwrap, group.as_ref(), folder, command)?;
        let mut printed = Printed { kept: Vec::new(), cut: 0, most: self.limits.output };
        let over = Instant::now() + self.limits.time;
        let limit = self.watch(&child, group.as_ref(), &mut pipe, &mut printed, over).await;
        let end = ended(&mut child, group.as_ref(), limit, over).await.map_err(loci_store::Error::io)?;
        Ok(Ran { output: String::from_utf8_lossy(&printed.kept).into_owned(), cut: printed.cut, end })
    }

    /// Takes what is printed until there is no more of it, or until a limit is passed: which one.
    async fn watch(
        &self,
        child: &Child,
        group: Option<&Group>,
        pipe: &mut pipe::Receiver,
        printed: &mut Printed,
        over: Instant,
    ) -> Option<End> {
        let (mut piece, mut counts) = (vec![0; PIECE], tokio::time::interval(COUNT));
        loop {
            tokio::select! {
                read = pipe.read(&mut piece) => match read {
                    Ok(0) | Err(_) => return None,
                    Ok(bytes) => printed.take(&piece[..bytes]),
                },
                _ = counts.tick() => if self.are_too_many(child.id(), group).await {
                    return Some(End::Processes);
                },
                () = sleep_until(over) => return Some(End::Time),
            }
        }
    }

    /// Whether the command has started too many processes. A group that it is in refuses them by itself; only without one
    /// are they counted, which is a look at every process of the machine.
    async fn are_too_many(&self, child: Option<u32>, group: Option<&Group>) -> bool {
        if let Some(group) = group
            && (group.refused() || group.is_joined())
        {
            return group.refused();
        }
        let (Some(id), most) = (child, self.limits.processes) else { return false };
        tokio::task::spawn_blocking(move || census::processes(id) > most).await.unwrap_or(false)
    }
}

/// What a command printed so far.
struct Printed {
    kept: Vec<u8>,
    cut: u64,
    most: usize,
}

impl Printed {
    fn take(&mut self, bytes: &[u8]) {
        let room = self.most.saturating_sub(self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        self.cut += (bytes.len() - room) as u64;
    }
}

/// Starts a command; what it prints comes through the pipe, which ends with it.
fn start(bwrap: &Path, group: Option<&Group>, folder: &Path, command: &str) -> Result<(Child, pipe::Receiver)> {
    let (reader, writer) = std::io::pipe().map_err(loci_store::Error::io)?;
    let both = writer.try_clone().map_err(loci_store::Error::io)?;
    let mut start = match group {
        Some(group) => {
            let mut start = Command::new("/bin/sh");
            start.args(["-c", group::JOIN]).arg(group.door()).arg(bwrap);
            start
        }
        None => Command::new(bwrap),
    };
    start.args(view::of(folder)).args(view::shell(command)).env_clear().current_dir("/");
    start.stdin(Stdio::null()).stdout(writer).stderr(both).kill_on_drop(true);
    // It is dropped here with its ends of the pipe.
    let child = start.spawn().map_err(loci_store::Error::io)?;
    Ok((child, pipe::Receiver::from_owned_fd(reader.into()).map_err(loci_store::Error::io)?))
}

/// Sees the end of a command, or makes one.
async fn ended(child: &mut Child, group: Option<&Group>, limit: Option<End>, over: Instant) -> std::io::Result<End> {
    if let Some(limit) = limit {
        // Its init dies with it, and with that every process of its namespace.
        child.kill().await?;
        return Ok(limit);
    }
    match tokio::time::timeout_at(over, child.wait()).await {
        // It may have gone on without what it was refused, and ended before anybody looked.
        Ok(_) if group.is_some_and(Group::refused) => Ok(End::Processes),
        Ok(status) => Ok(status?.code().map_or(End::Killed, End::Exit)),
        // It closed its outputs and went on.
        Err(_) => {
            child.kill().await?;
            Ok(End::Time)
        }
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
