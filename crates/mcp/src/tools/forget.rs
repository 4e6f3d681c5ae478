//! `forget`: entries go, and do not come back by themselves.

use super::{Answer, Call, Hints, changes, object, scope_schema, structured, texts};
use crate::arguments::Arguments;
use loci_memory::draft::Hand;
use loci_memory::forget::{Extent, Forget};
use rmcp::model::Tool;
use serde_json::json;

pub const NAME: &str = "forget";

const DESCRIPTION: &str = "Forget remembered facts that match the words, a few at most, when the person asks for it or a \
fact has proven wrong. dryRun shows what would go. The person can undo it; what is pinned stays.";

pub fn tool() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to forget: all its words must match."},
            "scope": scope_schema("Only in this scope."),
            "dryRun": {"type": "boolean", "description": "Only tell."},
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "removedEntries": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "topic": {"type": "string"},
                    "summary": {"type": "string"},
                    "filePath": {"type": "string"},
                },
                "required": ["id", "summary", "filePath"],
            }},
            "touchedTopics": texts("Types."),
            "touchedScopes": texts("Scopes."),
            "removedFrom": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["summary", "removedEntries", "touchedTopics"],
    });
    changes(super::tool(NAME, "Forget", DESCRIPTION.to_owned(), input), Hints { destructive: true, idempotent: true })
        .with_raw_output_schema(object(output))
}

pub async fn call(cx: &Call<'_>, arguments: &Arguments<'_>) -> Answer {
    let dry = arguments.is_dry()?;
    let ask = Forget {
        query: arguments.text("query")?,
        scope: arguments.scope()?,
        limit: Some(cx.now.forget_max),
        extent: if dry { Extent::DryRun } else { Extent::Memory },
        // A pin says: never removed by a machine.
        hand: Hand::Machine,
    };
    if !dry {
        cx.may_change(ask.scope)?;
    }
    let forgotten = cx.change(|memory| async move { memory.forget(ask).await }).await?;
    let forgotten = forgotten.with_more(Some("call again to go on"));
    let entries = forgotten.removed_entries.iter().map(|entry| format!("\n- {} ({})", entry.summary, entry.file_path));
    Ok(structured(format!("{}{}", forgotten.summary, entries.collect::<String>()), &forgotten))
}
