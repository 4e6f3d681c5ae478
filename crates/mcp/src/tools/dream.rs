//! `dream`: keeps memory tidy.

use super::{Answer, Call, Hints, changes, object, structured, texts};
use crate::arguments::Arguments;
use loci_memory::dream::{Doing, Dream, Dreamt};
use loci_memory::upkeep::Trigger;
use rmcp::model::Tool;
use serde_json::json;

pub const NAME: &str = "dream";

const DESCRIPTION: &str = "Tidy memory as a whole: merge what is said twice, drop what is empty. Only when the person asks \
for it; it also happens by itself. dryRun shows what would change.";

pub fn tool() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {"dryRun": {"type": "boolean", "description": "Only tell."}},
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["updated", "noop", "proposed", "skipped"]},
            "skippedReason": {"type": ["string", "null"]},
            "summary": {"type": "string"},
            "touchedTopics": texts("Types."),
            "dedupedEntries": {"type": "integer"},
            "touchedScopes": texts("Scopes."),
            "proposal": {"type": "string"},
            "diff": {"type": "string"},
        },
        "required": ["status", "summary", "touchedTopics", "dedupedEntries"],
    });
    changes(super::tool(NAME, "Dream", DESCRIPTION.to_owned(), input), Hints { destructive: true, idempotent: true })
        .with_raw_output_schema(object(output))
}

pub async fn call(cx: &Call<'_>, arguments: &Arguments<'_>) -> Answer {
    let dry = arguments.is_dry()?;
    if !dry {
        cx.may_change(None)?;
    }
    let ask = Dream {
        trigger: Trigger::Manual,
        session: None,
        doing: if dry { Doing::Preview } else { Doing::Apply },
        settings: cx.now.dream.clone(),
    };
    let dreamt = cx.change(|memory| async move { memory.dream(ask).await }).await?;
    // The diff is part of the answer only where it was asked for.
    let dreamt = Dreamt { diff: if dry { dreamt.diff.clone() } else { String::new() }, ..dreamt };
    let text =
        if dreamt.diff.is_empty() { dreamt.summary.clone() } else { format!("{}\n\n{}", dreamt.summary, dreamt.diff) };
    Ok(structured(text, &dreamt))
}
