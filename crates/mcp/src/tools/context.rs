//! `context`: what an agent is given at the start, or one page of the handbook.
//!
//! Answers with text alone: the same once more as structure would cost a model twice.

use super::{Answer, Call, looks, plain};
use crate::arguments::Arguments;
use loci_memory::context::Context;
use rmcp::model::Tool;
use serde_json::json;

pub const NAME: &str = "context";

/// Tokens that may be asked for.
const MOST: usize = 1_000_000;

const DESCRIPTION: &str = "What to know at the start of a session: how to treat memory, the index of all files, what was \
used lately, and the handbook's summary. Call it once, first, unless memory was given to you already. With uri it returns \
that page of the handbook instead, such as memory://root/MEMORY.md.";

pub fn tool() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The task at hand: what fits it is added."},
            "budget": {"type": "integer", "minimum": 0, "maximum": MOST, "description": "Tokens at most."},
            "uri": {"type": "string", "description": "A page: memory://root or memory://root/<path>."},
        },
        "additionalProperties": false,
    });
    looks(super::tool(NAME, "Context", DESCRIPTION.to_owned(), input))
}

pub async fn call(cx: &Call<'_>, arguments: &Arguments<'_>) -> Answer {
    if let Some(uri) = arguments.optional_text("uri")? {
        return Ok(plain(cx.memory.read_page(&uri).await?.content));
    }
    let ask = Context {
        query: arguments.optional_text("query")?.filter(|_| cx.now.recall),
        budget: arguments.number("budget", MOST)?.unwrap_or(cx.now.context.budget),
        ..cx.now.context.clone()
    };
    Ok(plain(cx.memory.context(ask).await?.text))
}
