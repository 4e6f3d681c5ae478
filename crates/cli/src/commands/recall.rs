//! `loci recall`: the memories that matter for a question.

use super::Outcome;
use crate::boot::App;
use crate::config::Config;
use crate::output::{Output, ago, bold, dim, line, yellow};
use loci_domain::scope::Scope;
use loci_domain::words;
use loci_memory::recall::sessions::{Reach, RecallSessions, RecalledSessions, SessionHit};
use loci_memory::recall::{Hit, Recall, Recalled, Strategy};
use std::process::ExitCode;
use std::time::Duration;

/// How long a model may take to choose; `None` = the settings say that none is asked.
pub fn patience(config: &Config) -> Option<Duration> {
    config.switch("recall.model").then(|| Duration::from_secs(config.number("recall.model_seconds")))
}

/// A question without words, with the limits of the settings.
pub fn settled(config: &Config) -> Recall {
    Recall {
        query: String::new(),
        scope: None,
        limit: config.number("recall.limit") as usize,
        doc_chars: config.number("recall.doc_chars") as usize,
        session: None,
        model: patience(config),
    }
}

pub async fn run(
    app: &App,
    output: Output,
    query: String,
    limit: Option<usize>,
    scope: Option<Scope>,
    session: Option<String>,
    model: Option<Duration>,
) -> Outcome {
    let off = !app.config.switch("memory.enabled") || !app.config.switch("recall.enabled");
    let recalled = if off {
        Recalled { strategy: Strategy::None, hits: Vec::new(), prompt: String::new(), receipt: String::new() }
    } else {
        let settled = settled(&app.config);
        let limit = limit.unwrap_or(settled.limit);
        // Only a model is told by a prompt; who asks none reads no folder for it.
        let memory = if model.is_some() { app.with_prompts() } else { app.memory.clone() };
        memory.recall(Recall { query: query.clone(), scope, limit, session, model, ..settled }).await?
    };
    output.answer(&recalled, || {
        recalled.hits.iter().for_each(|hit| show(hit, &query));
        match recalled.hits.is_empty() {
            true if off => line(&dim("recall is switched off")),
            true => line(&dim("nothing in memory fits")),
            false => line(&dim(format!("why: loci why {}", recalled.receipt))),
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// `loci recall --sessions`: what was said, not what is remembered.
pub async fn sessions(app: &App, output: Output, query: String, limit: Option<usize>, scope: Option<Scope>) -> Outcome {
    let off = !app.config.switch("memory.enabled") || !app.config.switch("recall.enabled");
    let reach = match scope {
        Some(Scope::Global) => Reach::Everywhere,
        Some(Scope::Project | Scope::Workspace) | None => Reach::Here,
    };
    let recalled = if off {
        RecalledSessions { strategy: Strategy::None, hits: Vec::new(), receipt: String::new() }
    } else {
        let limit = limit.unwrap_or(app.config.number("recall.limit") as usize);
        app.memory.recall_sessions(RecallSessions { query, limit, reach }).await?
    };
    output.answer(&recalled, || {
        recalled.hits.iter().for_each(show_message);
        match recalled.hits.is_empty() {
            true if off => line(&dim("recall is switched off")),
            true => line(&dim("nothing that was said fits")),
            false => line(&dim(format!("why: loci why {}", recalled.receipt))),
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn show_message(hit: &SessionHit) {
    let said = format!("{} · {} · {:.2}", hit.role, ago(hit.at), hit.score);
    line(&format!("{} {}  {}", bold(&hit.session), hit.message, dim(said)));
    for text in hit.excerpt.lines().take(4) {
        line(&format!("  {text}"));
    }
}

/// The words of a question that a document has, as they were asked.
fn asked<'q>(hit: &Hit, query: &'q str) -> Vec<&'q str> {
    let mut asked: Vec<&str> = Vec::new();
    for word in query.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric())) {
        let has = words::tokens(word).iter().any(|token| hit.why.terms.contains_key(token));
        if has && !asked.contains(&word) {
            asked.push(word);
        }
    }
    asked
}

fn show(hit: &Hit, query: &str) {
    let asked = asked(hit, query);
    let words = if asked.is_empty() { String::new() } else { format!(" · {}", asked.join(" ")) };
    line(&format!(
        "{}  {}",
        bold(&hit.path),
        dim(format!("{:.2} · meaning {:.2}{words}", hit.score, hit.why.similarity))
    ));
    if !hit.description.is_empty() {
        line(&format!("  {}", dim(&hit.description)));
    }
    if let Some(stale) = &hit.why.stale {
        line(&format!("  {}", yellow(format!("stale: {stale}"))));
    }
    for text in hit.excerpt.lines().take(3) {
        line(&format!("  {text}"));
    }
}
