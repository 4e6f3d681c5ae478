//! `remember`: a statement becomes memory, once.

use super::{Answer, Call, Hints, changes, object, scope_schema, structured, texts};
use crate::arguments::Arguments;
use loci_domain::secrets::Policy;
use loci_memory::prompts::NOT_MEMORY;
use loci_memory::remember::{ContextMode, Remember};
use rmcp::model::Tool;
use serde_json::json;

pub const NAME: &str = "remember";

const DESCRIPTION: &str = "Keep one durable fact for later sessions; what is known already is updated, not repeated. Use \
it when the person asks to remember something, corrects you or confirms a choice, states a preference, or when a decision, \
goal, deadline or incident will matter later. Say it as one self-contained statement with names and absolute dates; add \
why and how to apply where that helps.";

pub fn tool() -> Tool {
    let description = format!("{DESCRIPTION} {} Secrets are taken out.", NOT_MEMORY.trim_end());
    let input = json!({
        "type": "object",
        "properties": {
            "content": {"type": "string", "description": "The statement."},
            "scope": scope_schema("Only here; by default the fact's type decides."),
            "type": {"type": "string", "enum": ["user", "feedback", "project", "reference"], "description": "user: about the person. feedback: what to do or avoid. project: decisions, goals, people, dates. reference: where things are."},
        },
        "required": ["content"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "filesTouched": texts("Virtual paths."),
            "touchedScopes": texts("Scopes."),
        },
        "required": ["summary", "filesTouched", "touchedScopes"],
    });
    changes(super::tool(NAME, "Remember", description, input), Hints { destructive: false, idempotent: true })
        .with_raw_output_schema(object(output))
}

pub async fn call(cx: &Call<'_>, arguments: &Arguments<'_>) -> Answer {
    let ask = Remember {
        content: arguments.text("content")?,
        context: ContextMode::Workspace,
        scope: arguments.scope()?,
        kind: arguments.kind()?,
        secrets: Policy::Redact,
        turns: cx.now.turns,
        time: cx.now.time,
    };
    cx.may_change(ask.scope)?;
    let remembered = cx.change(|memory| async move { memory.remember(ask).await }).await?;
    *cx.degraded.lock().await = remembered.degraded.clone();
    let mut text = remembered.summary.clone();
    for path in remembered.files_touched.iter().filter(|path| !remembered.summary.contains(*path)) {
        text = format!("{text}\n{path}");
    }
    Ok(structured(text, &remembered))
}
