//! `loci list`: what is remembered, by scope.

use super::Outcome;
use crate::boot::App;
use crate::output::{Output, ago, bold, columns, count, dim, line, unavailable, yellow};
use loci_domain::scope::Scope;
use loci_memory::list::{File, Trust};
use serde_json::json;
use std::process::ExitCode;
use unicode_width::UnicodeWidthStr;

/// Columns that a description has at most.
const SAID: usize = 60;

pub async fn run(app: &App, output: Output, scope: Option<Scope>) -> Outcome {
    let files = app.memory.list(scope).await?;
    output.answer(&json!({"files": files}), || show(app, scope, &files));
    Ok(ExitCode::SUCCESS)
}

fn show(app: &App, only: Option<Scope>, files: &[File]) {
    for scope in Scope::ALL.into_iter().filter(|scope| only.is_none_or(|only| only == *scope)) {
        let here: Vec<&File> = files.iter().filter(|file| file.scope == scope).collect();
        match app.memory.store().root(Some(scope)) {
            Err(error) => line(&format!("{}  {}", bold(scope), dim(unavailable(&error)))),
            Ok(_) if here.is_empty() => line(&format!("{}  {}", bold(scope), dim("nothing yet"))),
            Ok(_) => line(&format!("{}  {}", bold(scope), dim(count(here.len(), "document", "documents")))),
        }
        let width = here.iter().map(|file| inner(file).width()).max().unwrap_or(0).min(40);
        for file in here {
            line(&row(file, width));
        }
    }
    if files.is_empty() {
        line(&dim("`loci remember \"…\"` keeps a statement; `loci connect` lets your agents do so"));
    }
}

fn inner(file: &File) -> &str {
    file.path.splitn(4, '/').nth(3).unwrap_or(&file.path)
}

fn row(file: &File, width: usize) -> String {
    let path = inner(file);
    let gap = " ".repeat(width.saturating_sub(path.width()));
    let said = if file.description.is_empty() { file.name.clone() } else { file.description.clone() };
    let mut notes = Vec::new();
    if file.pinned {
        notes.push(yellow("pinned"));
    }
    if file.trust == Trust::Untrusted {
        notes.push(yellow("untrusted"));
    }
    if file.stale {
        notes.push(yellow("stale"));
    }
    if let Some(used) = file.last_used_at {
        notes.push(dim(format!("used {}× · {}", file.uses, ago(used))));
    }
    let notes = notes.join(" · ");
    let taken = path.width().max(width) + console::measure_text_width(&notes) + 6;
    let room = columns().map_or(SAID, |columns| columns.saturating_sub(taken).clamp(SAID / 3, SAID));
    format!("  {path}{gap}  {}  {notes}", shorten(&said, room)).trim_end().to_owned()
}

fn shorten(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + 1 >= most {
            break;
        }
        cut.push(c);
    }
    cut + "…"
}
