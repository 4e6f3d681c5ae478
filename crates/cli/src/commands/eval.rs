//! `loci eval`: how well recall finds what it should, on a dataset that never touches one's own memory; and how that is.

mod talks;

use super::Outcome;
use crate::args::EvalCommand;
use crate::boot::{App, memory_in_ram};
use crate::fault::Failure;
use crate::output::{Output, bold, dim, json_line, line};
use loci_domain::fault::Fault;
use loci_domain::secrets::Clean;
use loci_memory::eval::corpus::{Corpus, Question};
use loci_memory::eval::talks::{Unit, locomo, longmemeval};
use loci_memory::eval::{Judged, Report};
use loci_memory::recall::Recall;
use loci_store::{Care, Expect};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Documents that are looked at for each question.
const DEPTH: usize = 25;

pub async fn run(output: Output, command: EvalCommand) -> Outcome {
    let EvalCommand::Recall { dataset, format, limit_questions, rankings, split } = command else {
        unreachable!("one's own memory is looked at by `own`")
    };
    if format != "loci" {
        return of_talks(output, &dataset, &format, limit_questions.unwrap_or(usize::MAX), rankings).await;
    }
    let corpus = read(&dataset)?;
    let wanted = |question: &&Question| split.as_deref().is_none_or(|split| question.split == split);
    let questions: Vec<&Question> =
        corpus.questions.iter().filter(wanted).take(limit_questions.unwrap_or(usize::MAX)).collect();
    let judged = judge(&corpus, &questions, rankings).await?;
    let report = Report::of(&judged);
    output.answer(&report, || show(&report));
    Ok(ExitCode::SUCCESS)
}

async fn of_talks(output: Output, dataset: &Path, format: &str, most: usize, rankings: Option<PathBuf>) -> Outcome {
    let text = text(dataset)?;
    let (read, unit) = match format {
        "locomo" => (locomo(&text), Unit::Turn),
        _ => (longmemeval(&text), Unit::Session),
    };
    let conversations = read.map_err(|error| invalid(dataset, format, &error))?;
    let judged = talks::judge(&conversations, unit, most, made(rankings)?).await?;
    let report = match unit {
        Unit::Turn => Report::of(&judged),
        Unit::Session => Report::of_sessions(&judged),
    };
    output.answer(&report, || show(&report));
    Ok(ExitCode::SUCCESS)
}

/// `loci eval self`: how healthy one's own memory is.
pub async fn own(app: &App, output: Output) -> Outcome {
    let health = app.memory.eval_self().await?;
    output.answer(&health, || {
        let row = |name: &str, value: String, what: &str| line(&format!("{name:<12}{value:>8}  {}", dim(what)));
        row("documents", health.documents.to_string(), &format!("with {} memories", health.entries));
        row("known item", format!("{:.1} %", health.known_item * 100.0), "found by their own description");
        row("duplicates", health.duplicates.to_string(), "memories that say what another one says");
        row("stale", health.stale.to_string(), "documents that name what has changed or gone");
        row("secrets", health.secrets.to_string(), "places that look like one; `loci doctor` names them");
        row("oversized", health.oversized.to_string(), "files above the limit, which are not read");
    });
    Ok(ExitCode::SUCCESS)
}

fn invalid(path: &Path, format: &str, error: &serde_json::Error) -> Failure {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Failure::new(Fault::Invalid, "invalid_dataset", format!("{name} is no dataset of format {format}: {error}"))
}

fn text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))
}

fn made(rankings: Option<PathBuf>) -> Result<Option<std::fs::File>, Failure> {
    rankings.map(|path| std::fs::File::create(&path).map_err(|error| unreadable(&path, &error))).transpose()
}

/// A file of the person's own is named by its path; an answer about memory never would.
fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    let (fault, code) = match error.kind() {
        std::io::ErrorKind::NotFound => (Fault::Missing, "no_such_file"),
        _ => (Fault::Invalid, "unreadable"),
    };
    Failure::new(fault, code, format!("{}: {error}", path.display()))
}

/// One file with documents and questions, or the documents with `questions.json` beside them.
fn read(dataset: &Path) -> Result<Corpus, Failure> {
    let parse = |path: &Path| -> Result<Corpus, Failure> {
        serde_json::from_str(&text(path)?).map_err(|error| invalid(path, "loci", &error))
    };
    let mut corpus = parse(dataset)?;
    let beside = dataset.with_file_name("questions.json");
    if corpus.questions.is_empty() && beside.is_file() {
        corpus.questions = parse(&beside)?.questions;
    }
    if corpus.questions.is_empty() {
        let message = format!("{} has no questions, and no questions.json is beside it", dataset.display());
        return Err(Failure::new(Fault::Invalid, "invalid_dataset", message));
    }
    Ok(corpus)
}

async fn judge(corpus: &Corpus, questions: &[&Question], rankings: Option<PathBuf>) -> Result<Vec<Judged>, Failure> {
    let memory = memory_in_ram()?;
    for document in &corpus.documents {
        let Some((scope, path)) = document.place() else { continue };
        let bytes = Clean::kept(document.content.clone().into_bytes());
        memory.store().root(Some(scope))?.backend.write_if(&path, &bytes, Expect::Absent, Care::Derived).await?;
    }
    let mut out = made(rankings)?;
    let mut judged = Vec::new();
    for question in questions {
        let start = Instant::now();
        let ask = Recall {
            query: question.query.clone(),
            scope: None,
            limit: DEPTH,
            doc_chars: 1200,
            session: None,
            model: None,
        };
        let recalled = memory.recall(ask).await?;
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        if let Some(out) = &mut out {
            let hits: Vec<_> =
                recalled.hits.iter().map(|hit| json!({"path": hit.path, "score": hit.score, "why": hit.why})).collect();
            let row = json!({"id": question.id, "slice": question.slice, "query": question.query, "gold": question.gold, "hits": hits});
            writeln!(out, "{}", json_line(&row))?;
        }
        let ranked = recalled.hits.into_iter().map(|hit| hit.path).collect();
        judged.push(Judged { category: question.slice.clone(), gold: question.gold.clone(), ranked, milliseconds });
    }
    Ok(judged)
}

fn show(report: &Report) {
    line(&bold(format!("{:<14}{:>6}{:>8}{:>8}{:>8}{:>8}{:>9}", "", "n", "hit@1", "R@5", "R@10", "MRR", "nothing")));
    let row = |name: &str, report: &Report| {
        let nothing = report.nothing.map_or("–".to_owned(), |nothing| format!("{:.1}", nothing * 100.0));
        let percent = |value: f64| format!("{:.1}", value * 100.0);
        let (hit, five, ten) = (percent(report.hit_1), percent(report.recall_5), percent(report.recall_10));
        line(&format!(
            "{name:<14}{:>6}{hit:>8}{five:>8}{ten:>8}{:>8}{nothing:>9}",
            report.questions,
            percent(report.mrr)
        ));
    };
    report.by_category.iter().for_each(|(name, report)| row(name, report));
    row("all", report);
    line(&format!("p50 {:.2} ms, p95 {:.2} ms", report.ms_p50, report.ms_p95));
}
