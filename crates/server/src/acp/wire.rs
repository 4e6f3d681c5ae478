//! What both ends say: messages, method names, and the shapes of a task and its result.

use loci_store::record::TaskKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The largest message; a task is 64 KiB of text at most, a result somewhat more.
pub const LARGEST: usize = 16 << 20;

/// Asks whether memory is switched on.
pub const AVAILABILITY: &str = "_loci/workspace/memory/remember/availability";

/// The method of a task.
pub fn method(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Remember => "_loci/workspace/memory/remember",
        TaskKind::Forget => "_loci/workspace/memory/forget",
        TaskKind::Dream => "_loci/workspace/memory/dream",
    }
}

/// The task of a method.
pub fn kind(of: &str) -> Option<TaskKind> {
    TaskKind::ALL.into_iter().find(|kind| method(*kind) == of)
}

/// A task on its way to the worker.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Ask {
    /// What is to be remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What is to be forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// `workspace` or `clean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_mode: Option<String>,
    /// `user` or `project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The journal group that all changes belong to, so that they can be taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// When the worker gives up by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// Something that went wrong, in a form that tells no content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The stable word.
    pub code: String,
    /// The sentence.
    pub text: String,
}

impl Trouble {
    /// Trouble with a word and a sentence.
    pub fn new(code: impl Into<String>, text: impl Into<String>) -> Trouble {
        Trouble { code: code.into(), text: text.into() }
    }
}

/// A message as it came; which of the three kinds it is shows in what is there.
#[derive(Debug, Clone, Deserialize)]
pub struct Message {
    /// Requests and answers have one.
    #[serde(default)]
    pub id: Option<Value>,
    /// Requests and notifications have one.
    #[serde(default)]
    pub method: Option<String>,
    /// What is asked.
    #[serde(default)]
    pub params: Value,
    /// What is answered.
    #[serde(default)]
    pub result: Option<Value>,
    /// Why nothing is answered.
    #[serde(default)]
    pub error: Option<Value>,
}

/// A request.
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A notification.
pub fn notification(method: &str, params: &impl Serialize) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// An answer.
pub fn answer(id: &Value, result: &impl Serialize) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// A refusal by JSON-RPC's own numbers.
pub fn refusal(id: &Value, number: i64, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": number, "message": text}})
}

/// Trouble as an answer.
pub fn troubled(id: &Value, trouble: &Trouble) -> Value {
    let error = json!({"code": -32000, "message": trouble.text, "data": {"code": trouble.code}});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// Trouble read back from an answer.
pub fn trouble(error: &Value, kind: TaskKind) -> Trouble {
    let code = error["data"]["code"].as_str().map_or_else(|| format!("{}_failed", kind.word()), str::to_owned);
    Trouble::new(code, error["message"].as_str().unwrap_or("the task came to nothing"))
}
