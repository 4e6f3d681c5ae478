//! The connection: the user's own `ssh`, speaking SFTP over its pipes.
//!
//! Owns the child, its arguments, time limits, and the one new attempt after a connection broke off.
//! Never runs a shell on either side, never asks a person anything, and never talks to a host whose key is not known.
//! Connections live on threads of their own: so a lock can be given back while the caller's runtime is ending.

use super::Settings;
use super::address::Address;
use super::trouble::{self, Trouble, Work};
use loci_domain::fault::Fault;
use loci_store::{Error, Result};
use openssh_sftp_client::{Sftp, SftpOptions};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex as Shared, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long it may take to be connected.
const CONNECT: Duration = Duration::from_secs(20);
/// How long one piece of work may take.
const WORK: Duration = Duration::from_secs(60);

/// A way to one folder on another machine; connected when it is first used.
pub(super) struct Link {
    pub address: Address,
    options: Vec<String>,
    session: Mutex<Option<Arc<Session>>>,
}

/// One connection.
pub(super) struct Session {
    pub sftp: Sftp,
    /// The folder of the address, with all links resolved, once.
    pub anchor: PathBuf,
    _child: Child,
}

/// Which attempt at a piece of work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    First,
    /// After the connection broke off: it may have happened already.
    Again,
}

impl Link {
    pub fn new(address: Address, settings: &Settings) -> Result<Link> {
        let options = options(&address, settings)?;
        Ok(Link { address, options, session: Mutex::new(None) })
    }

    /// Does a piece of work, once more if the connection breaks off in it.
    pub async fn run<T, F, R>(self: &Arc<Self>, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(Arc<Session>, Attempt) -> R + Send + Sync + 'static,
        R: Future<Output = Work<T>> + Send + 'static,
    {
        let link = Arc::clone(self);
        let task = runtime()?.spawn(async move {
            for attempt in [Attempt::First, Attempt::Again] {
                let session = link.session().await?;
                match timeout(WORK, work(Arc::clone(&session), attempt)).await {
                    Ok(Ok(done)) => return Ok(done),
                    Ok(Err(Trouble::Told(error))) => return Err(error),
                    Ok(Err(Trouble::Lost)) => link.forget(&session).await,
                    Err(_) => {
                        link.forget(&session).await;
                        return Err(trouble::silent(&link.address.host));
                    }
                }
            }
            Err(trouble::gone(&link.address.host))
        });
        task.await.map_err(|_| Error::Io("a task was stopped".to_owned()))?
    }

    async fn session(&self) -> Result<Arc<Session>> {
        let mut session = self.session.lock().await;
        if let Some(session) = &*session {
            return Ok(Arc::clone(session));
        }
        let fresh = Arc::new(self.connect().await?);
        *session = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    async fn forget(&self, broken: &Arc<Session>) {
        let mut session = self.session.lock().await;
        if session.as_ref().is_some_and(|session| Arc::ptr_eq(session, broken)) {
            *session = None;
        }
    }

    async fn connect(&self) -> Result<Session> {
        let host = &self.address.host;
        let mut command = Command::new("ssh");
        command.args(&self.options).arg("-s").arg("--").arg(host).arg("sftp");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|_| {
            Error::refused(Fault::Offline, "there is no program ssh on this machine; install OpenSSH's client")
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(trouble::silent(host));
        };
        let printed = Arc::new(Shared::new(String::new()));
        let listening = tokio::spawn(listen(stderr, Arc::clone(&printed)));
        let sftp = match timeout(CONNECT, Sftp::new(stdin, stdout, SftpOptions::new())).await {
            Err(_) => return Err(trouble::silent(host)),
            Ok(Err(_)) => {
                // Its last words may come after its end.
                let _ = timeout(Duration::from_secs(2), listening).await;
                return Err(trouble::why(host, &printed.lock().unwrap_or_else(PoisonError::into_inner)));
            }
            Ok(Ok(sftp)) => sftp,
        };
        if !sftp.support_posix_rename() {
            let text = format!("{host} cannot be used: its SFTP server cannot replace a file in one step");
            return Err(Error::refused(Fault::Offline, text));
        }
        let anchor = timeout(CONNECT, anchor(&sftp, &self.address)).await.map_err(|_| trouble::silent(host))?;
        let anchor = anchor.map_err(|trouble| match trouble {
            Trouble::Told(error) => error,
            Trouble::Lost => trouble::gone(host),
        })?;
        Ok(Session { sftp, anchor, _child: child })
    }
}

/// The folder that everything lies in. It may be a link and is resolved here; nothing below it may be one.
async fn anchor(sftp: &Sftp, address: &Address) -> Work<PathBuf> {
    let missing = || {
        let text = format!("{} cannot be used: the folder of the address is not there", address.host);
        Trouble::Told(Error::refused(Fault::Offline, text))
    };
    let mut fs = sftp.fs();
    let path = trouble::or_missing(fs.canonicalize(Path::new(&address.path)).await)?.ok_or_else(missing)?;
    let found = trouble::or_missing(fs.metadata(&path).await)?.ok_or_else(missing)?;
    if found.file_type().is_some_and(|kind| kind.is_dir()) { Ok(path) } else { Err(missing()) }
}

/// Keeps the first words and reads on, so that the other side is never stuck.
async fn listen(mut stderr: ChildStderr, printed: Arc<Shared<String>>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        if printed.len() < 8192 {
            printed.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
    }
}

/// What goes before the user's own configuration: the first value of an option counts.
fn options(address: &Address, settings: &Settings) -> Result<Vec<String>> {
    let mut options: Vec<String> = [
        "BatchMode=yes",
        // Host keys are checked, whatever the configuration says, and none is learnt on the way.
        "StrictHostKeyChecking=yes",
        "NoHostAuthenticationForLocalhost=no",
        "UpdateHostKeys=no",
        // A connection that somebody else opened may have been opened without that check.
        "ControlMaster=no",
        "ControlPath=none",
        "ClearAllForwardings=yes",
        "ForwardAgent=no",
        "ForwardX11=no",
        "PermitLocalCommand=no",
        "RequestTTY=no",
        "LogLevel=ERROR",
        "ConnectTimeout=10",
        "ServerAliveInterval=10",
        "ServerAliveCountMax=2",
    ]
    .map(|option| format!("-o{option}"))
    .to_vec();
    if let Some(identity) = &settings.identity {
        options.push(format!("-oIdentityFile={}", quoted(identity)?));
        options.push("-oIdentitiesOnly=yes".to_owned());
    }
    if let Some(known) = &settings.known_hosts {
        options.push(format!("-oUserKnownHostsFile={}", quoted(known)?));
    }
    if let Some(user) = &address.user {
        options.push(format!("-oUser={user}"));
    }
    if let Some(port) = address.port {
        options.push(format!("-oPort={port}"));
    }
    Ok(options)
}

/// A path as a value of ssh's configuration, where blanks part and some signs stand for something else.
fn quoted(path: &Path) -> Result<String> {
    match path.to_str().filter(|path| !path.contains(['"', '\\', '$']) && !path.contains(char::is_control)) {
        Some(path) => Ok(format!("\"{}\"", path.replace('%', "%%"))),
        None => Err(Error::refused(
            Fault::Invalid,
            "ssh.identity and ssh.known_hosts take no path with quotes, backslashes, $ or control characters",
        )),
    }
}

/// Two threads for all connections: one may wait for a lock to be given back by the other.
fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("loci-ssh").enable_all().build().ok()
    });
    made.as_ref().ok_or_else(|| Error::Io("no thread can be started".to_owned()))
}

/// Starts something that nobody waits for.
pub(super) fn start(work: impl Future<Output = ()> + Send + 'static) -> Option<tokio::task::JoinHandle<()>> {
    Some(runtime().ok()?.spawn(work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_configuration_cannot_switch_the_check_off() {
        let address = Address::parse("ssh://me@host:2222/a").unwrap();
        let settings = Settings { identity: Some("/a b/100%/key".into()), known_hosts: Some("/k".into()) };
        let options = options(&address, &settings).unwrap();
        for option in [
            "-oBatchMode=yes",
            "-oStrictHostKeyChecking=yes",
            "-oIdentityFile=\"/a b/100%%/key\"",
            "-oUserKnownHostsFile=\"/k\"",
            "-oUser=me",
            "-oPort=2222",
        ] {
            assert!(options.iter().any(|given| given == option), "{option}: {options:?}");
        }
        assert!(options.iter().all(|option| option.starts_with("-o")));
    }

    #[test]
    fn paths_that_ssh_would_read_otherwise_are_refused() {
        for path in ["/a\"b", "/${HOME}/k", "/a\nb", "/a\\b"] {
            assert!(quoted(Path::new(path)).is_err(), "{path}");
        }
    }
}
