//! Port: what only the composition root can tell or change: status, settings, whether a model answers.

use crate::fault::Refusal;
use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// One setting.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SettingRow {
    /// Its dotted key.
    pub key: String,
    /// What holds; `null` = nothing is set.
    pub value: Value,
    /// What holds when nobody sets it.
    pub default: Value,
    /// Who set it.
    pub source: String,
}

/// Whether a model answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelTest {
    /// Whether it does.
    pub ok: bool,
    /// `provider/model`; none = no model is set.
    #[schema(required)]
    pub model: Option<String>,
    /// How long it took.
    pub duration_ms: u64,
    /// What is wrong, without any key.
    #[schema(required)]
    pub error: Option<String>,
}

/// How an agent stands to Loci.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Connection {
    /// How commands call it.
    pub agent: String,
    /// How people call it.
    pub name: String,
    /// Whether it is on this machine.
    pub found: bool,
    /// Whether it is connected at some level.
    pub connected: bool,
    /// The person's own configuration, and the project's if there is one.
    pub levels: Vec<ConnectionLevel>,
}

/// How an agent stands at one level.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ConnectionLevel {
    /// `user` or `project`.
    pub level: String,
    /// `none`, `partial` or `connected`.
    pub state: String,
    /// What it may do, if it is connected: `exec`, `plan` or `explore`.
    #[schema(required)]
    pub mode: Option<String>,
    /// The files that connect it, or would.
    pub files: Vec<String>,
    /// What keeps its files from being read.
    #[schema(required)]
    pub trouble: Option<String>,
}

/// What connecting or disconnecting did, or would do.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionChange {
    /// Which agent.
    pub agent: String,
    /// `user` or `project`.
    pub level: String,
    /// Nothing was changed.
    pub dry_run: bool,
    /// Its files.
    pub files: Vec<ConnectionFile>,
}

/// One file of an agent's configuration.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ConnectionFile {
    /// Which one, `~/…` below the person's home.
    pub path: String,
    /// `created`, `changed`, `removed` or `unchanged`.
    pub change: String,
    /// What of Loci is in it.
    pub what: String,
    /// Our lines and a little around them, without secrets.
    pub diff: String,
}

/// What is to be connected or disconnected, as it was asked for.
#[derive(Debug, Clone, Default)]
pub struct Connecting {
    /// `user`, unless it is said.
    pub level: Option<String>,
    /// What the agent may do; none = as it is, else `exec`.
    pub mode: Option<String>,
    /// Whether it is only told.
    pub dry_run: bool,
}

/// How a home is set up.
#[async_trait]
pub trait Setup: Send + Sync {
    /// What `loci status --json` says.
    async fn status(&self) -> Result<Value, Refusal>;

    /// Every setting as it holds now.
    fn settings(&self) -> Result<Vec<SettingRow>, Refusal>;

    /// Changes settings of the home, all of them or none; `null` = back to the default.
    async fn change(&self, changes: &Map<String, Value>) -> Result<(), Refusal>;

    /// Asks the model of a role for one word.
    async fn test_model(&self, role: &str) -> Result<ModelTest, Refusal>;

    /// Every agent that can be connected, and how it stands.
    async fn connections(&self) -> Result<Vec<Connection>, Refusal>;

    /// Puts Loci into an agent's configuration.
    async fn connect(&self, agent: &str, ask: Connecting) -> Result<ConnectionChange, Refusal>;

    /// Takes exactly that out again.
    async fn disconnect(&self, agent: &str, ask: Connecting) -> Result<ConnectionChange, Refusal>;
}
