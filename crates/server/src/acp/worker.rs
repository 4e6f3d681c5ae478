//! The worker's end: `loci acp`, an agent over stdin and stdout.
//!
//! Owns the protocol: greeting, sessions, prompts, and the daemon's tasks. Nothing but messages is written to stdout.
//! It ends with its stdin, so that no worker outlives who started it.
//! Start at [`work`].

use super::wire::{self, Ask, LARGEST, Message, Trouble};
use super::{prompt, verbs};
use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{
    AgentCapabilities, AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, ContentBlock, ContentChunk,
    Implementation, InitializeResponse, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse,
    SessionNotification, SessionUpdate, StopReason, TextContent, UnstructuredCommandInput,
};
use async_trait::async_trait;
use loci_memory::recall::Recall;
use loci_memory::{Memory, dream};
use loci_store::owner::Owner;
use loci_store::store::fresh_id;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// Sessions that a host may have at once.
const SESSIONS: usize = 1000;

/// How a virtual path is shown to a person.
pub type Display = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Memory and its limits, as settings say at this moment.
pub struct Opened {
    /// Memory.
    pub memory: Memory,
    /// `memory.enabled`.
    pub enabled: bool,
    /// `agent.turns`.
    pub turns: usize,
    /// `agent.seconds`.
    pub time: Duration,
    /// The limits of dreaming.
    pub dream: dream::Settings,
    /// `forget.api_max`.
    pub forget_max: usize,
    /// `forget.cli_max`, for slash commands.
    pub slash_max: usize,
    /// `recall.enabled`.
    pub recall: bool,
    /// A question without words, with the limits of the settings.
    pub question: Recall,
    /// How files are named in results.
    pub display: Display,
}

/// What the worker asks its binary for.
#[async_trait]
pub trait Desk: Send + Sync {
    /// Opens memory for a directory, or for the one that the process was started for; settings are read anew.
    async fn open(&self, directory: Option<&Path>) -> Result<Opened, String>;
}

struct Session {
    directory: PathBuf,
    cancel: Arc<Notify>,
}

struct Agent {
    desk: Arc<dyn Desk>,
    sessions: Mutex<HashMap<String, Session>>,
}

/// Answers until stdin ends.
pub async fn work(desk: Arc<dyn Desk>) {
    let agent = Arc::new(Agent { desk, sessions: Mutex::default() });
    let mut lines = stdin();
    while let Some(line) = lines.recv().await {
        match serde_json::from_slice::<Message>(&line) {
            Err(_) => say(&wire::refusal(&Value::Null, -32700, "the line is no JSON-RPC message")),
            Ok(Message { method: Some(method), id: Some(id), params, .. }) => {
                let agent = Arc::clone(&agent);
                tokio::spawn(async move { say(&agent.answer(&id, &method, params).await) });
            }
            Ok(Message { method: Some(method), id: None, params, .. }) => agent.notice(&method, &params),
            // An answer: this agent asks for nothing.
            Ok(_) => {}
        }
    }
}

impl Agent {
    async fn answer(&self, id: &Value, method: &str, params: Value) -> Value {
        match method {
            "initialize" => wire::answer(id, &hello()),
            "session/new" => match read::<NewSessionRequest>(params) {
                Some(ask) => self.new_session(id, ask.cwd),
                None => invalid(id),
            },
            "session/prompt" => match read::<PromptRequest>(params) {
                Some(ask) => self.prompt(id, ask).await,
                None => invalid(id),
            },
            wire::AVAILABILITY => match self.desk.open(None).await {
                Ok(opened) => wire::answer(id, &json!({"available": opened.enabled})),
                Err(_) => wire::troubled(id, &Trouble::new("remember_failed", "memory cannot be opened")),
            },
            method => match (wire::kind(method), read::<Ask>(params)) {
                (Some(kind), Some(ask)) => match self.task(kind, ask).await {
                    Ok(result) => wire::answer(id, &result),
                    Err(trouble) => wire::troubled(id, &trouble),
                },
                (Some(_), None) => invalid(id),
                (None, _) => wire::refusal(id, -32601, "there is no such method"),
            },
        }
    }

    fn notice(&self, method: &str, params: &Value) {
        if method == "session/cancel"
            && let Some(cancel) = params["sessionId"].as_str().and_then(|id| self.session(id)).map(|(_, cancel)| cancel)
        {
            cancel.notify_waiters();
        }
    }

    async fn task(&self, kind: loci_store::record::TaskKind, ask: Ask) -> Result<Value, Trouble> {
        let opened = self.desk.open(None).await.map_err(|error| {
            tracing::error!(error, "memory cannot be opened for a task");
            Trouble::new(format!("{}_failed", kind.word()), "memory cannot be opened")
        })?;
        verbs::perform(&opened, kind, ask).await
    }

    fn new_session(&self, id: &Value, directory: PathBuf) -> Value {
        let name = format!("loci-{}", fresh_id());
        let Ok(mut sessions) = self.sessions.lock() else { return invalid(id) };
        if sessions.len() >= SESSIONS {
            return wire::refusal(id, -32000, "there are too many sessions");
        }
        sessions.insert(name.clone(), Session { directory, cancel: Arc::new(Notify::new()) });
        drop(sessions);
        let update = SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands()));
        let told = wire::notification("session/update", &SessionNotification::new(name.clone(), update));
        // The session must be known to the host before anything is said about it.
        tokio::spawn(async move { say(&told) });
        wire::answer(id, &NewSessionResponse::new(name))
    }

    fn session(&self, id: &str) -> Option<(PathBuf, Arc<Notify>)> {
        let sessions = self.sessions.lock().ok()?;
        sessions.get(id).map(|session| (session.directory.clone(), Arc::clone(&session.cancel)))
    }

    async fn prompt(&self, id: &Value, ask: PromptRequest) -> Value {
        let name = ask.session_id.0.to_string();
        let Some((directory, cancel)) = self.session(&name) else {
            return wire::refusal(id, -32002, "there is no such session");
        };
        let text: Vec<String> = ask
            .prompt
            .into_iter()
            .filter_map(|block| match block {
                ContentBlock::Text(text) => Some(text.text),
                _ => None,
            })
            .collect();
        let answered = async {
            match self.desk.open(Some(&directory)).await {
                Ok(opened) => prompt::answer(&opened, &name, text.join("\n").trim()).await,
                Err(error) => format!("Memory cannot be opened: {error}"),
            }
        };
        let stopped = tokio::select! {
            said = answered => {
                let chunk = ContentChunk::new(ContentBlock::Text(TextContent::new(said)));
                let update = SessionUpdate::AgentMessageChunk(chunk);
                say(&wire::notification("session/update", &SessionNotification::new(name, update)));
                StopReason::EndTurn
            }
            () = cancel.notified() => StopReason::Cancelled,
        };
        wire::answer(id, &PromptResponse::new(stopped))
    }
}

fn hello() -> InitializeResponse {
    let meta = json!({"owner": Owner::this().to_string()});
    InitializeResponse::new(ProtocolVersion::V1)
        .agent_capabilities(AgentCapabilities::new())
        .agent_info(Implementation::new("loci", env!("CARGO_PKG_VERSION")).title("Loci".to_owned()))
        .meta(meta.as_object().cloned())
}

fn commands() -> Vec<AvailableCommand> {
    let typed = |hint: &str| AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(hint));
    vec![
        AvailableCommand::new("remember", "Keep a statement in memory").input(typed("what to remember")),
        AvailableCommand::new("forget", "Remove what matches from memory").input(typed("what to forget")),
        AvailableCommand::new("dream", "Tidy memory up"),
    ]
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params).ok()
}

fn invalid(id: &Value) -> Value {
    wire::refusal(id, -32602, "the parameters do not fit")
}

/// Lines of stdin, read on a thread of their own: work that keeps this one busy must not keep a cancel waiting.
fn stdin() -> mpsc::Receiver<Vec<u8>> {
    let (send, lines) = mpsc::channel(64);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = (&mut input).take(LARGEST as u64).read_until(b'\n', &mut line);
            // A line without an end is one that was cut off, or one that never ends.
            if read.is_err() || line.last() != Some(&b'\n') || send.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Writes one message; a host that went away ends stdin too.
fn say(message: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}
