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
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// Sessions that are known at once; the oldest gives way, for a host never says that one is over.
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
    /// Changes with every cancel.
    cancel: watch::Sender<()>,
}

/// The session of a prompt, taken when the prompt is read: a cancel right behind it comes later than this.
struct Asked {
    directory: PathBuf,
    cancelled: watch::Receiver<()>,
}

struct Agent {
    desk: Arc<dyn Desk>,
    /// By name, and names are in the order in which they were made.
    sessions: Mutex<BTreeMap<String, Session>>,
}

/// Answers until stdin ends.
pub async fn work(desk: Arc<dyn Desk>) {
    let agent = Arc::new(Agent { desk, sessions: Mutex::default() });
    let mut lines = stdin();
    while let Some(line) = lines.recv().await {
        match serde_json::from_slice::<Message>(&line) {
            Err(_) => say(&wire::refusal(&Value::Null, -32700, "the line is no JSON-RPC message")),
            Ok(Message { method: Some(method), id: Some(id), params, .. }) => {
                let (agent, asked) = (Arc::clone(&agent), agent.asked(&params));
                tokio::spawn(async move { say(&agent.answer(&id, &method, params, asked).await) });
            }
            Ok(Message { method: Some(method), id: None, params, .. }) => agent.notice(&method, &params),
            // An answer: this agent asks for nothing.
            Ok(_) => {}
        }
    }
}

impl Agent {
    async fn answer(&self, id: &Value, method: &str, params: Value, asked: Option<Asked>) -> Value {
        match method {
            "initialize" => wire::answer(id, &hello()),
            "session/new" => match read::<NewSessionRequest>(params) {
                Some(ask) if ask.cwd.is_absolute() => self.new_session(id, ask.cwd),
                Some(_) => wire::refusal(id, -32602, "cwd must be an absolute path"),
                None => invalid(id),
            },
            "session/prompt" => match read::<PromptRequest>(params) {
                Some(ask) => self.prompt(id, ask, asked).await,
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
            && let (Some(id), Ok(sessions)) = (params["sessionId"].as_str(), self.sessions.lock())
            && let Some(session) = sessions.get(id)
        {
            session.cancel.send_replace(());
        }
    }

    /// The session that is asked, if there is one.
    fn asked(&self, params: &Value) -> Option<Asked> {
        let sessions = self.sessions.lock().ok()?;
        let session = sessions.get(params["sessionId"].as_str()?)?;
        Some(Asked { directory: session.directory.clone(), cancelled: session.cancel.subscribe() })
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
            sessions.pop_first();
        }
        sessions.insert(name.clone(), Session { directory, cancel: watch::Sender::new(()) });
        drop(sessions);
        let update = SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands()));
        let told = wire::notification("session/update", &SessionNotification::new(name.clone(), update));
        // The session must be known to the host before anything is said about it.
        tokio::spawn(async move { say(&told) });
        wire::answer(id, &NewSessionResponse::new(name))
    }

    async fn prompt(&self, id: &Value, ask: PromptRequest, asked: Option<Asked>) -> Value {
        let name = ask.session_id.0.to_string();
        let Some(Asked { directory, mut cancelled }) = asked else {
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
            // A session that gave way cannot be cancelled any more.
            Ok(()) = cancelled.changed() => StopReason::Cancelled,
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
