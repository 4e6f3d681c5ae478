//! Everything that says whether this checkout is good, in one command.
//!
//! Owns the list of steps and the summary. A step that fails does not stop the others: one run tells all.
//! Start at [`steps`].

mod acceptance;
mod fuzz;
mod tools;

use crate::shell;
use anyhow::{Result, anyhow};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How much is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    All,
    /// Neither fuzzing nor the acceptance suites.
    Fast,
}

/// How a step ended, when it did not fail.
pub enum Done {
    /// It did all it should.
    Passed,
    /// It could not run here, and says why.
    Skipped(String),
}

type Step = (&'static str, fn() -> Result<Done>);

/// One profile for all: tests run beside the binary that ships and the acceptance suites use, so there is one build.
fn steps(extent: Extent) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![
        ("tools", || tools::ready().map(|()| Done::Passed)),
        ("tidy", tidy),
        ("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--release", "--", "-D", "warnings"])),
        // The same targets as the tests need, and the binary: what follows finds everything built.
        ("build", || cargo(&["build", "--workspace", "--bins", "--tests", "--release"])),
        ("nextest", || cargo(&["nextest", "run", "--workspace", "--release"])),
    ];
    if extent == Extent::All {
        steps.push(("fuzz", fuzz::run));
        steps.push(("acceptance", acceptance::run));
    }
    steps
}

/// Runs all steps and ends with `N passed, N failed`.
pub fn run(extent: Extent) -> Result<ExitCode> {
    let mut summary = Vec::new();
    for (name, step) in steps(extent) {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        let took = start.elapsed();
        match &outcome {
            Ok(Done::Passed) => println!("=== {name}: passed in {}", seconds(took)),
            Ok(Done::Skipped(reason)) => println!("=== {name}: skipped, {reason}"),
            Err(error) => println!("=== {name}: FAILED in {}: {error:#}", seconds(took)),
        }
        summary.push((name, took, outcome));
    }
    Ok(summarise(&summary))
}

fn summarise(summary: &[(&str, Duration, Result<Done>)]) -> ExitCode {
    println!("\n| step | outcome | time |\n| --- | --- | ---: |");
    for (name, took, outcome) in summary {
        let word = match outcome {
            Ok(Done::Passed) => "passed".to_owned(),
            Ok(Done::Skipped(reason)) => format!("skipped: {reason}"),
            Err(_) => "FAILED".to_owned(),
        };
        println!("| {name} | {word} | {} |", seconds(*took));
    }
    let failed = summary.iter().filter(|(_, _, outcome)| outcome.is_err()).count();
    let passed = summary.iter().filter(|(_, _, outcome)| matches!(outcome, Ok(Done::Passed))).count();
    println!("\n{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

fn cargo(words: &[&str]) -> Result<Done> {
    shell::run(&[&["cargo"], words].concat()).map(|()| Done::Passed)
}

fn tidy() -> Result<Done> {
    if crate::tidy::run()? == ExitCode::SUCCESS {
        Ok(Done::Passed)
    } else {
        Err(anyhow!("house rules are broken, see above"))
    }
}
