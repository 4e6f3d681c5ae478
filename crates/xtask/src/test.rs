//! Everything that says whether this checkout is good, in one command.
//!
//! Owns the list of steps and the summary. A step that fails does not stop the others: one run tells all.
//! Start at [`STEPS`].

mod acceptance;
pub mod fuzz;
mod mcp;
mod node;
mod sdk;
mod tools;
mod web;

use crate::shell;
use anyhow::{Result, anyhow, bail};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How much is run.
#[derive(PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    All,
    /// Neither fuzzing nor the acceptance suites.
    Fast,
    /// One step, by its name.
    Only(String),
}

/// How a step ended, when it did not fail.
pub enum Done {
    /// It did all it should.
    Passed,
    /// It could not run here, and says why.
    Skipped(String),
}

/// A name, and what is done by it.
pub type Step = (&'static str, fn() -> Result<Done>);

/// One profile for all: tests run beside the binary that ships and the acceptance suites use, so there is one build.
const STEPS: &[Step] = &[
    ("tools", || tools::ready().map(|()| Done::Passed)),
    ("tidy", tidy),
    ("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--release", "--", "-D", "warnings"])),
    // The same targets as the tests need, and the binary: what follows finds everything built.
    ("build", || cargo(&["build", "--workspace", "--bins", "--tests", "--examples", "--release"])),
    ("nextest", || cargo(&["nextest", "run", "--workspace", "--release"])),
    ("sdk", sdk::run),
    ("web", web::run),
    ("mcp", mcp::run),
    ("fuzz", fuzz::run),
    ("acceptance", acceptance::run),
];

/// What `--fast` leaves out.
const SLOW: &[&str] = &["fuzz", "acceptance"];

impl Extent {
    fn takes(&self, step: &str) -> bool {
        match self {
            Extent::All => true,
            Extent::Fast => !SLOW.contains(&step),
            Extent::Only(name) => name == step,
        }
    }
}

/// Runs all steps and ends with `N passed, N failed`.
pub fn run(extent: Extent) -> Result<ExitCode> {
    Ok(in_turn(&those(STEPS, |name| extent.takes(name))?))
}

/// Those of the steps that are wanted; none is a mistake in a name.
pub fn those(steps: &[Step], wanted: impl Fn(&str) -> bool) -> Result<Vec<Step>> {
    let those: Vec<Step> = steps.iter().filter(|(name, _)| wanted(name)).copied().collect();
    if those.is_empty() {
        let names: Vec<&str> = steps.iter().map(|(name, _)| *name).collect();
        bail!("there is no such step; the steps are {}", names.join(", "));
    }
    Ok(those)
}

/// Runs these steps, all of them whatever happens, and tells how each ended.
pub fn in_turn(steps: &[Step]) -> ExitCode {
    let mut summary = Vec::new();
    for (name, step) in steps {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        let took = start.elapsed();
        match &outcome {
            Ok(Done::Passed) => println!("=== {name}: passed in {}", seconds(took)),
            Ok(Done::Skipped(reason)) => println!("=== {name}: skipped, {reason}"),
            Err(error) => println!("=== {name}: FAILED in {}: {error:#}", seconds(took)),
        }
        summary.push((*name, took, outcome));
    }
    summarise(&summary)
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
