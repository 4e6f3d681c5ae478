//! The daemon's end: starts the worker, asks it, and ends it.
//!
//! Owns the child process. It dies with this: dropped, it is killed, and when the daemon itself is killed, the end of the
//! pipe tells the worker to go.

use super::wire::{self, LARGEST, Message};
use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{Implementation, InitializeRequest};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// How long a worker may take to start.
const START: Duration = Duration::from_secs(30);

/// How a worker is started.
#[derive(Debug, Clone)]
pub struct Spawn {
    /// This binary.
    pub program: PathBuf,
    /// `acp` and the flags that the daemon was started with.
    pub args: Vec<OsString>,
    /// Variables that it has beside those of the daemon.
    pub environment: Vec<(&'static str, OsString)>,
    /// Where it works.
    pub cwd: PathBuf,
}

/// A worker that runs.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Which process it is, in its own words.
    pub owner: String,
    asked: u64,
}

/// The worker went away, or says what makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("the worker is gone: {0}")]
pub struct Gone(String);

impl From<std::io::Error> for Gone {
    fn from(error: std::io::Error) -> Gone {
        Gone(error.kind().to_string())
    }
}

impl Worker {
    /// Starts a worker and greets it.
    pub async fn start(spawn: &Spawn) -> Result<Worker, Gone> {
        let mut child = Command::new(&spawn.program)
            .args(&spawn.args)
            .current_dir(&spawn.cwd)
            // It needs no key to a door that it stands behind.
            .env_remove("LOCI_TOKEN")
            .envs(spawn.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Gone("it has no pipes".to_owned()));
        };
        let mut worker = Worker { child, stdin, stdout: BufReader::new(stdout), owner: String::new(), asked: 0 };
        let hello = InitializeRequest::new(ProtocolVersion::V1)
            .client_info(Implementation::new("loci-daemon", env!("CARGO_PKG_VERSION")));
        let hello = serde_json::to_value(hello).map_err(|error| Gone(error.to_string()))?;
        let answer = tokio::time::timeout(START, worker.ask("initialize", &hello)).await;
        let answer = answer.map_err(|_| Gone("it does not answer".to_owned()))??;
        worker.owner = answer.ok().and_then(|it| it["_meta"]["owner"].as_str().map(str::to_owned)).unwrap_or_default();
        Ok(worker)
    }

    /// Asks and waits for the answer: a result, or the error that the worker tells.
    pub async fn ask(&mut self, method: &str, params: &Value) -> Result<Result<Value, Value>, Gone> {
        self.asked += 1;
        let mut line = wire::request(self.asked, method, params).to_string();
        line.push('\n');
        self.stdin.write_all(line.as_bytes()).await?;
        self.stdin.flush().await?;
        loop {
            let message = self.hear().await?;
            if message.id != Some(json!(self.asked)) || message.method.is_some() {
                continue;
            }
            return match (message.result, message.error) {
                (Some(result), None) => Ok(Ok(result)),
                (_, Some(error)) => Ok(Err(error)),
                (None, None) => Ok(Ok(Value::Null)),
            };
        }
    }

    async fn hear(&mut self) -> Result<Message, Gone> {
        let mut line = Vec::new();
        let read = (&mut self.stdout).take(LARGEST as u64).read_until(b'\n', &mut line).await?;
        if read == 0 || line.last() != Some(&b'\n') {
            return Err(Gone("it hung up".to_owned()));
        }
        serde_json::from_slice(&line).map_err(|_| Gone("it speaks no JSON-RPC".to_owned()))
    }

    /// True when it ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it, whatever it does, and waits until it is gone: after this it changes nothing any more.
    pub async fn kill(mut self) {
        if let Err(error) = self.child.kill().await {
            tracing::debug!(%error, "the worker was gone already");
        }
    }

    /// Tells it to go, and ends it if it does not.
    pub async fn dismiss(self) {
        let Worker { mut child, stdin, stdout, .. } = self;
        drop((stdin, stdout));
        if tokio::time::timeout(Duration::from_secs(2), child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }
}
