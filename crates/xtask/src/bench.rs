//! The numbers that Loci is measured by, with the floors of this machine and other servers beside them.
//!
//! Owns the order of measurements, `target/bench.json`, and when a run fails: when a number misses what it must be.
//! A time means something only beside its floor from the same run: machines are noisy, ratios less so.
//! Start at [`run`]; each measurement is one module, `bars.rs` is what they are held to.

mod bars;
mod child;
mod corpus;
mod create;
mod crowd;
pub mod daemon;
mod figures;
mod floor;
pub mod home;
mod hook;
mod hostile;
mod http;
mod kill;
mod list;
mod machine;
mod parts;
mod peers;
mod plan;
mod plot;
mod process;
mod publish;
mod quality;
mod recall;
mod report;
mod requests;
mod server;
mod size;
mod start;
mod tasks;
mod verdict;
mod view;

use crate::{repo, shell};
use anyhow::{Context, Result};
use figures::Figures;
use peers::Beside;
use plan::{Publishing, Work};
use report::Report;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// As the tests build it: with less than that, crates would be built again with other features.
const BUILD: &[&str] = &["cargo", "build", "--release", "--workspace", "--bins", "--tests", "--examples"];

/// Measures as the flags say.
pub fn run(flags: &[&str]) -> Result<ExitCode> {
    match plan::read(flags)? {
        Work::Nodes => nodes(),
        Work::Measure(plan) => measure(&plan),
    }
}

/// Puts several nodes under load, and prints what came of it.
fn nodes() -> Result<ExitCode> {
    shell::run(BUILD)?;
    shell::run(&["target/release/examples/nodes_under_load", "target/release/loci"])?;
    Ok(ExitCode::SUCCESS)
}

/// Measures everything, prints the tables, writes what is to be written, and only then says whether all is well.
fn measure(plan: &plan::Plan) -> Result<ExitCode> {
    shell::run(BUILD)?;
    let (mut figures, mut beside, mut broken) = (Figures::new(machine::describe()), Beside::default(), Vec::new());
    for part in parts::PARTS.iter().filter(|part| plan.wants(part.name)) {
        // A part that breaks takes nothing along: what was measured in an hour is worth having.
        if let Err(error) = (part.measure)(plan, &mut figures, &mut beside) {
            println!("{}: {error:#}", part.name);
            broken.push(format!("{}: {error:#}", part.name));
        }
    }
    let report = Report::of(plan.is_whole(), figures, beside, broken);
    println!("\n{}", report.text(plan.sizes));
    let file = repo::root().join("target/bench.json");
    std::fs::write(&file, report.json()?).with_context(|| file.display().to_string())?;
    if plan.publishing == Publishing::Page {
        publish::write(&report, plan.sizes)?;
    }
    let well = report.broken.is_empty() && report.missed().next().is_none();
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How long `work` takes.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// The middle one, in milliseconds.
fn p50(times: &mut [Duration]) -> f64 {
    percentile(times, 0.5)
}

/// What this share of them is faster than, in milliseconds.
fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    times.get((times.len() as f64 * share) as usize).map_or(f64::NAN, |one| one.as_secs_f64() * 1_000.0)
}

/// A whole number with a comma before each three digits.
fn thousands(number: &usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_groups() {
        assert_eq!([7, 100, 1_000, 1_234_567].map(|number| thousands(&number)), ["7", "100", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_percentile_is_one_of_them() {
        let mut times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(p50(&mut times), 51.0);
        assert_eq!(percentile(&mut times, 0.99), 100.0);
        assert!(p50(&mut []).is_nan());
    }
}
