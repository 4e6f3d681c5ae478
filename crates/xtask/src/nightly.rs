//! What takes longer than a test may: for a machine that has the night.
//!
//! Owns how long each part takes. Everything in it also runs by itself, by the word of its step.
//! Start at [`STEPS`].

mod openapi;

use crate::test::{self, Done, Step, fuzz};
use crate::{shell, soak};
use anyhow::{Result, bail, ensure};
use std::process::{ExitCode, Stdio};

/// Seconds for each fuzz target.
const FUZZ: u32 = 180;

/// Cases of each property that names no number of its own; a test run has 256.
const CASES: &str = "20000";

const STEPS: &[Step] =
    &[("tests", tests), ("fuzz", || fuzz::run_for(FUZZ)), ("openapi", openapi::run), ("soak", soaked)];

/// Runs all of it, or the step of this name, and ends with the summary of a test run.
pub fn run(only: Option<&str>) -> Result<ExitCode> {
    Ok(test::in_turn(&test::those(STEPS, |name| only.is_none_or(|only| only == name))?))
}

/// All tests in their long rounds.
fn tests() -> Result<Done> {
    let words = ["cargo", "nextest", "run", "--workspace", "--release", "--profile", "nightly"];
    println!("$ LOCI_NIGHTLY=1 {}", words.join(" "));
    let mut command = shell::command(&words);
    command.env("LOCI_NIGHTLY", "1").env("PROPTEST_CASES", CASES).stdin(Stdio::null());
    let status = command.status()?;
    ensure!(status.success(), "the tests ended with {status}");
    Ok(Done::Passed)
}

fn soaked() -> Result<Done> {
    if soak::run(&[])? != ExitCode::SUCCESS {
        bail!("something grows, see above");
    }
    Ok(Done::Passed)
}
