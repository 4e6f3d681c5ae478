//! What people see of jobs and runs.

use crate::output::{ago, bold, count, dim, green, line, red, yellow};
use jiff::Timestamp;
use loci_pipeline::Report;
use loci_pipeline::pass::Preview;
use loci_server::JobRow;
use serde_json::Value;
use std::collections::BTreeMap;

pub fn jobs(jobs: &[JobRow]) {
    for job in jobs {
        let status = format!("{:<9}", job.status);
        let status = match job.status {
            "done" => green(status),
            "exhausted" => red(status),
            "error" => yellow(status),
            _ => bold(status),
        };
        let mut said = vec![job.kind.clone(), ago(job.updated_at)];
        said.extend(job.error.clone());
        line(&format!("{:>5}  {status}  {}  {}", job.id, job.key, dim(said.join(" · "))));
    }
    if jobs.is_empty() {
        line(&dim("no jobs; hooks of connected agents make them, and so does a run"));
    }
    if jobs.iter().any(|job| matches!(job.status, "exhausted" | "error")) {
        line(&dim("loci pipeline retry NUMBER tries one again"));
    }
}

pub fn handbooks(books: &[Value]) {
    for book in books {
        let made = match book["madeAt"].as_str().and_then(|at| at.parse::<Timestamp>().ok()) {
            Some(at) => format!("made {}", ago(at)),
            None => "not made yet".to_owned(),
        };
        let number = |key: &str| book[key].as_u64().unwrap_or_default() as usize;
        let from = count(number("extractions"), "session", "sessions");
        let stale = if book["outOfDate"] == true { yellow(" · out of date") } else { String::new() };
        let said = format!("{made} · from {from}, {} held nothing durable", number("nothing"));
        line(&format!("{} {}  {}{stale}", dim("handbook"), bold(name(&book["project"])), dim(said)));
    }
}

pub fn last(report: &Report) {
    line(&format!("{} {}", dim("last run"), dim(ago(report.ended_at))));
    self::report(report);
}

pub fn budget(spent: u64, limit: u64) {
    if spent >= limit {
        line(&yellow("the day's tokens are used up: jobs that need a model wait for the next UTC day"));
    } else if spent > 0 {
        line(&dim(format!("models cost {spent} of {limit} tokens today")));
    }
}

pub fn off(why: &str) {
    line(&dim(format!("no handbooks are made: {why} (loci config memories.enabled true)")));
}

/// What became of the jobs of turns; nothing is no news.
pub fn worked(done: usize, failed: usize) {
    match (done, failed) {
        (0, 0) => {}
        (done, 0) => line(&format!("{} done", count(done, "turn", "turns"))),
        (done, failed) => {
            line(&format!("{} done, {failed} failed (loci pipeline status)", count(done, "turn", "turns")))
        }
    }
}

pub fn report(report: &Report) {
    if let Some(why) = &report.off {
        return off(why);
    }
    let mut said = Vec::new();
    let read = report.distilled + report.nothing;
    if read > 0 {
        said.push(format!("{} read, {} held nothing durable", count(read, "session", "sessions"), report.nothing));
    }
    if report.consolidated > 0 {
        said.push(green(format!("{} made", count(report.consolidated, "handbook", "handbooks"))));
    }
    if report.put_off > 0 {
        said.push(yellow(format!("{} wait for the next day's tokens", report.put_off)));
    }
    if report.left_to_others > 0 {
        said.push(format!("{} left to another process", report.left_to_others));
    }
    if report.cost.input_tokens + report.cost.output_tokens > 0 {
        said.push(format!("{} tokens sent, {} answered", report.cost.input_tokens, report.cost.output_tokens));
    }
    line(&if said.is_empty() && report.failed.is_empty() { dim("nothing to do") } else { said.join(" · ") });
    skipped(&report.skipped);
    for failed in &report.failed {
        line(&format!("{} {} {}  {}", red("failed"), failed.kind, bold(&failed.key), dim(&failed.error)));
    }
}

pub fn preview(preview: &Preview, left: u64) {
    if let Some(why) = &preview.off {
        return off(why);
    }
    for project in &preview.projects {
        let cost = match project.model {
            true => format!("{} questions, about {} tokens", project.questions, project.input_tokens),
            false => "no model, no cost".to_owned(),
        };
        let sessions = count(project.sessions.len(), "session", "sessions");
        let handbook = format!("handbook: {}", project.handbook);
        line(&format!("{}  {sessions} · {handbook} · {cost}", bold(short(&project.project))));
    }
    if preview.projects.is_empty() {
        line(&dim("nothing to do"));
    }
    skipped(&preview.skipped);
    if preview.input_tokens > 0 {
        let said = format!("about {} tokens, answers not counted; {left} are left today", preview.input_tokens);
        line(&if preview.input_tokens > left { yellow(said) } else { dim(said) });
    }
}

fn skipped(skipped: &BTreeMap<String, usize>) {
    let said: Vec<String> = skipped.iter().map(|(why, many)| format!("{many} {}", why.replace('_', " "))).collect();
    if !said.is_empty() {
        line(&dim(format!("sessions not read: {}", said.join(", "))));
    }
}

fn name(project: &Value) -> String {
    short(project.as_str().unwrap_or_default()).to_owned()
}

fn short(project: &str) -> &str {
    project.rsplit('/').next().unwrap_or(project)
}
