//! Tasks on the wire.

use loci_ledger::{Task, TaskEnd};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Something to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "for the document; fields are checked one by one, each with its own code")]
pub struct Remember {
    /// At most 65,536 bytes after trimming.
    #[schema(min_length = 1, max_length = 65536, pattern = r"\S")]
    content: String,
    context_mode: Option<ContextMode>,
    scope: Option<TaskScope>,
}

/// Something to forget.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "for the document")]
pub struct Forget {
    /// At most 65,536 bytes after trimming.
    #[schema(min_length = 1, max_length = 65536, pattern = r"\S")]
    query: String,
    scope: Option<TaskScope>,
}

/// What may be seen of prior memory.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "for the document")]
pub enum ContextMode {
    Workspace,
    Clean,
}

/// Whose memory: the person's or the project's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "for the document")]
pub enum TaskScope {
    User,
    Global,
    Project,
}

/// A task that was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    task_id: String,
    /// `queued`, `running`, `completed`, `failed` or `cancelled`.
    status: &'static str,
    /// Of remember tasks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_mode: Option<String>,
    created_at: String,
    updated_at: String,
}

/// A task and what became of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    #[serde(flatten)]
    task: Accepted,
    /// What it came to, once it is completed.
    #[schema(value_type = Option<Object>)]
    result: Option<Value>,
    /// Why it failed.
    error: Option<TaskError>,
}

/// Why a task failed; never with content.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskError {
    code: String,
    message: String,
}

/// Tasks, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Listed {
    pub tasks: Vec<Seen>,
}

pub fn accepted(task: &Task) -> Accepted {
    Accepted {
        task_id: task.id.clone(),
        status: task.status.word(),
        context_mode: task.mode.clone(),
        created_at: task.created_at.to_string(),
        updated_at: task.updated_at.to_string(),
    }
}

pub fn seen(task: Task) -> Seen {
    let shown = accepted(&task);
    let (result, error) = match task.end {
        Some(TaskEnd::Completed(result)) => (serde_json::from_str(&result).ok(), None),
        Some(TaskEnd::Failed(code, message)) => (None, Some(TaskError { code, message })),
        None => (None, None),
    };
    Seen { task: shown, result, error }
}
