//! The tools: one file each, and this list.
//!
//! Owns which tools a mode has, and that a call which is taken back leaves nothing behind.
//! Descriptions say what memory is for and what it is not; they never hold the index, for hosts keep them in the part of
//! a prompt that must not change.

mod context;
mod dream;
mod forget;
mod memory;
pub(crate) mod recall;
mod remember;

use crate::arguments::Arguments;
use crate::fault::Failure;
use loci_domain::access::{Mode, Want};
use loci_domain::change::GroupId;
use loci_domain::scope::Scope;
use loci_memory::now::Now;
use loci_memory::{Error, Memory};
use loci_store::store::fresh_id;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde::Serialize;
use serde_json::{Value, json};
use std::future::Future;
use std::sync::{Arc, LazyLock};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// What a tool answers.
pub(crate) type Answer = Result<CallToolResult, Failure>;

/// What every call is given.
pub(crate) struct Call<'a> {
    /// Memory.
    pub memory: &'a Memory,
    /// The settings as they are now.
    pub now: &'a Now,
    /// What the caller may do.
    pub mode: Mode,
    /// Told when the client takes the request back, or is gone.
    pub cancelled: CancellationToken,
    /// Why a model that is configured did not do it.
    pub degraded: Mutex<Option<String>>,
}

/// All tools, in the order in which hosts show them.
static ALL: LazyLock<[Tool; 6]> = LazyLock::new(|| {
    [memory::tool(), recall::tool(), remember::tool(), forget::tool(), dream::tool(), context::tool()]
});

/// Tools that only look, or that hold the mode themselves.
const LOOKING: [&str; 3] = [memory::NAME, recall::NAME, context::NAME];

/// The tools of a mode: what could only be refused is not offered.
pub(crate) fn list(mode: Mode) -> Vec<Tool> {
    ALL.iter().filter(|tool| is_offered(&tool.name, mode)).cloned().collect()
}

/// Whether a mode has the tool of this name.
pub(crate) fn is_offered(name: &str, mode: Mode) -> bool {
    mode != Mode::Explore || LOOKING.contains(&name)
}

/// Runs a call; `None` = there is no such tool.
pub(crate) async fn call(cx: &Call<'_>, name: &str, arguments: Option<JsonObject>) -> Option<Answer> {
    let tool = ALL.iter().find(|tool| tool.name == name)?;
    let arguments = Arguments::new(&tool.name, arguments);
    // The commands on files know more spellings than their schema tells, and say themselves what is wrong.
    if name == memory::NAME {
        return Some(memory::call(cx, arguments).await);
    }
    if let Err(failure) = arguments.fit(&tool.input_schema) {
        return Some(Err(failure));
    }
    Some(match name {
        recall::NAME => recall::call(cx, &arguments).await,
        remember::NAME => remember::call(cx, &arguments).await,
        forget::NAME => forget::call(cx, &arguments).await,
        dream::NAME => dream::call(cx, &arguments).await,
        context::NAME => context::call(cx, &arguments).await,
        _ => return None,
    })
}

impl Call<'_> {
    /// Refuses where the mode does not allow a change of this scope, or of all.
    fn may_change(&self, scope: Option<Scope>) -> Result<(), Failure> {
        let store = self.memory.store();
        let roots = match scope {
            Some(scope) => vec![store.root(Some(scope)).map_err(Error::from)?],
            None => store.roots(),
        };
        let allowed = |root| store.allow(root, self.mode, Want::Change);
        Ok(roots.into_iter().try_for_each(allowed).map_err(Error::from)?)
    }

    /// Runs a verb that changes files. A client that takes it back midway finds memory as it was.
    async fn change<T, F>(&self, verb: impl FnOnce(Memory) -> F) -> Result<T, Failure>
    where
        F: Future<Output = loci_memory::Result<T>>,
    {
        let group = GroupId(fresh_id());
        tokio::select! {
            done = verb(self.memory.clone().grouped(group.clone())) => Ok(done?),
            () = self.cancelled.cancelled() => {
                if let Err(error) = self.memory.withdraw(&group).await {
                    tracing::error!(%error, group = group.0, "a cancelled change stays; `loci undo` takes it back");
                }
                Err(Failure::Cancelled)
            }
        }
    }
}

/// Text for the model, and the same as CLI and HTTP answer for programs.
fn structured(text: String, answer: &impl Serialize) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::to_value(answer).ok();
    result
}

fn plain(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// A tool that does not reach beyond this machine's memory.
fn tool(name: &'static str, title: &str, description: String, input: Value) -> Tool {
    Tool::new(name, description, object(input)).with_title(title)
}

fn looks(tool: Tool) -> Tool {
    tool.with_annotations(ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false))
}

fn changes(tool: Tool, hints: Hints) -> Tool {
    let annotations = ToolAnnotations::new().read_only(false).open_world(false);
    tool.with_annotations(annotations.destructive(hints.destructive).idempotent(hints.idempotent))
}

/// What hosts may go by when they ask a person.
struct Hints {
    /// It may remove something.
    destructive: bool,
    /// The same call again changes nothing more.
    idempotent: bool,
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

fn scope_schema(what: &str) -> Value {
    json!({"type": "string", "enum": ["global", "project", "workspace"], "description": what})
}

fn texts(of: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": of})
}
