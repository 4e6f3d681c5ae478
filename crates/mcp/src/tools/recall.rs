//! `recall`: the few memories that matter for a question.

use super::{Answer, Call, looks, object, scope_schema, structured};
use crate::arguments::Arguments;
use crate::fault::Failure;
use loci_memory::recall::{Recall, Recalled, Strategy};
use rmcp::model::Tool;
use serde_json::json;

pub const NAME: &str = "recall";

/// Documents that one question may ask for.
const MOST: usize = 100;

const DESCRIPTION: &str = "Find what is remembered about a question, best first; nothing when nothing fits. Ask before \
you start on a task, and whenever earlier decisions, preferences, people, dates or places may matter. Use only what is \
relevant, and name the path of a memory that decides what you do.";

pub fn tool() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The question, in any words and language."},
            "limit": {"type": "integer", "minimum": 0, "maximum": MOST, "description": "At most this many (default 5)."},
            "scope": scope_schema("Only this scope."),
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "strategy": {"type": "string", "enum": ["none", "heuristic", "model"]},
            "hits": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "scope": scope_schema("Its scope."),
                    "type": {"type": "string"},
                    "name": {"type": "string"},
                    "description": {"type": "string"},
                    "score": {"type": "number"},
                    "why": {"type": "object"},
                    "excerpt": {"type": "string"},
                    "updatedAt": {"type": "string"},
                    "stale": {"type": "boolean"},
                },
                "required": ["path", "score", "excerpt"],
            }},
            "prompt": {"type": "string"},
            "receipt": {"type": "string"},
        },
        "required": ["strategy", "hits", "prompt", "receipt"],
    });
    looks(super::tool(NAME, "Recall", DESCRIPTION.to_owned(), input)).with_raw_output_schema(object(output))
}

pub async fn call(cx: &Call<'_>, arguments: &Arguments<'_>) -> Answer {
    let ask = Recall {
        query: arguments.text("query")?,
        scope: arguments.scope()?,
        limit: arguments.number("limit", MOST)?.unwrap_or(cx.now.question.limit),
        ..cx.now.question.clone()
    };
    let recalled = recall(cx, ask).await?;
    let text = match recalled.hits.is_empty() {
        true => "Nothing in memory fits.".to_owned(),
        false => recalled.prompt.clone(),
    };
    Ok(structured(text, &recalled))
}

/// Asks memory, unless recall is switched off: then nothing comes to mind.
pub async fn recall(cx: &Call<'_>, ask: Recall) -> Result<Recalled, Failure> {
    if !cx.now.recall {
        let nothing =
            Recalled { strategy: Strategy::None, hits: Vec::new(), prompt: String::new(), receipt: String::new() };
        return Ok(nothing);
    }
    tokio::select! {
        recalled = cx.memory.recall(ask) => Ok(recalled?),
        () = cx.cancelled.cancelled() => Err(Failure::Cancelled),
    }
}
