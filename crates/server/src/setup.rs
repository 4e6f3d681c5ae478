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

/// How a home is set up.
#[async_trait]
pub trait Setup: Send + Sync {
    /// What `loci status --json` says.
    async fn status(&self) -> Result<Value, Refusal>;

    /// Every setting as it holds now.
    fn settings(&self) -> Result<Vec<SettingRow>, Refusal>;

    /// Changes settings of the home, all of them or none; `null` = back to the default.
    fn change(&self, changes: &Map<String, Value>) -> Result<(), Refusal>;

    /// Asks the model of a role for one word.
    async fn test_model(&self, role: &str) -> Result<ModelTest, Refusal>;
}
