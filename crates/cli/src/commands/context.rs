//! `loci context`: exactly what an agent would be given.

use super::Outcome;
use crate::boot::App;
use crate::config::Config;
use crate::output::{Output, bold, dim, line};
use loci_domain::hot::Limits;
use loci_memory::context::{Boundary, Context, Given};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(
    app: &App,
    output: Output,
    query: Option<String>,
    budget: Option<usize>,
    session: Option<String>,
    boundary: bool,
    explain: bool,
) -> Outcome {
    if !app.config.switch("memory.enabled") {
        output.answer(&json!({"text": "", "tokens": 0, "parts": []}), || {});
        return Ok(ExitCode::SUCCESS);
    }
    let settled = settled(&app.config);
    let ask = Context {
        query: query.filter(|_| app.config.switch("recall.enabled")),
        budget: budget.unwrap_or(settled.budget),
        session,
        boundary: if boundary { Boundary::Yes } else { Boundary::No },
        ..settled
    };
    let given = app.with_prompts().context(ask).await?;
    output.answer(&given, || if explain { show(&given) } else { line(&given.text) });
    Ok(ExitCode::SUCCESS)
}

/// A context with the budgets of the settings.
pub fn settled(config: &Config) -> Context {
    let number = |key: &str| config.number(key) as usize;
    Context {
        query: None,
        budget: number("context.tokens"),
        session: None,
        boundary: Boundary::No,
        hot: Limits {
            item_bytes: number("hot.item_bytes"),
            total_bytes: number("hot.total_bytes"),
            tokens: number("hot.tokens"),
            items: number("hot.items"),
        },
        half_life_days: config.fraction("hot.half_life_days"),
        summary_tokens: config.switch("memories.enabled").then(|| number("memories.summary_injection_token_limit")),
        recall_limit: number("recall.limit"),
        doc_chars: number("recall.doc_chars"),
    }
}

fn show(given: &Given) {
    for part in &given.parts {
        let why = match part.name.as_str() {
            "guidance" => "how to treat memory; always there",
            "index" => "one line a file; the rest is found by recall",
            "hot" => "pinned, then most used lately",
            "summary" => "the handbook of past sessions",
            _ => "what fits this turn's question",
        };
        line(&format!("{}{:>7} tokens  {}", bold(format!("{:<10}", part.name)), part.tokens, dim(why)));
    }
    line(&format!("{}{:>7} tokens", bold(format!("{:<10}", "all")), given.tokens));
}
