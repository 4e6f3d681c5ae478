//! The numbers that Loci is measured by, with the floors of this machine beside them.
//!
//! Owns the order of measurements, the table and `target/bench.json`. Each measurement is one module.
//! A time means something only beside its floor from the same run: machines are noisy, ratios less so.
//! Start at [`run`].

mod child;
mod corpus;
mod create;
mod crowd;
mod figures;
mod floor;
mod home;
mod hook;
mod kill;
mod list;
mod machine;
mod peers;
mod recall;
mod server;
mod size;
mod start;
mod view;

use crate::{repo, shell};
use anyhow::{Context, Result};
use figures::Figures;
use home::Home;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How much is measured.
pub struct Plan {
    /// Documents in the store; the first is what growth is measured from.
    sizes: &'static [usize],
    /// Whole processes that are started for one number.
    starts: usize,
    /// Durable creates for one number.
    creates: usize,
    /// Calls that only read, for one number.
    reads: usize,
    /// Times that a writer is killed.
    kills: usize,
    /// Messages of sessions that recall looks through.
    messages: usize,
}

impl Plan {
    /// What is published.
    pub fn full() -> Plan {
        Plan { sizes: &[100, 1_000, 10_000], starts: 60, creates: 300, reads: 300, kills: 50, messages: 100_000 }
    }

    /// What is good enough to see a mistake.
    pub fn quick() -> Plan {
        Plan { sizes: &[100, 1_000], starts: 20, creates: 100, reads: 100, kills: 10, messages: 10_000 }
    }
}

/// Measures the other memory servers that can be had, and prints their table.
pub fn run_peers() -> Result<ExitCode> {
    let mut figures = Figures::new(machine::describe());
    peers::measure(&mut figures)?;
    println!("\n{}", figures.table(&[1_000]));
    let file = repo::root().join("target/bench-peers.json");
    std::fs::write(&file, figures.json()?).with_context(|| file.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Puts several nodes under load, and prints what came of it.
pub fn run_nodes() -> Result<ExitCode> {
    let example = ["--example", "nodes_under_load"];
    shell::run(&[&["cargo", "build", "--release", "--workspace", "--bin", "loci"][..], &example].concat())?;
    shell::run(&["target/release/examples/nodes_under_load", "target/release/loci"])?;
    Ok(ExitCode::SUCCESS)
}

/// Measures everything, prints the table and writes the JSON.
pub fn run(plan: Plan) -> Result<ExitCode> {
    // The whole workspace, as the tests do: with a package alone, crates would be built again with other features.
    let examples = ["--example", "recall_cost", "--example", "sessions_cost"];
    shell::run(&[&["cargo", "build", "--release", "--workspace", "--bin", "loci"][..], &examples].concat())?;
    let mut figures = Figures::new(machine::describe());
    figures.set("binary, stripped", None, size::megabytes()?, "MB");
    for &size in plan.sizes {
        measure(size, &plan, &mut figures).with_context(|| format!("at N = {size}"))?;
    }
    growth(&plan, &mut figures);
    recall::sessions(plan.messages, &mut figures).context("sessions")?;
    crowd::measure(&mut figures).context("eight processes")?;
    kill::measure(plan.kills, &mut figures).context("kill -9")?;
    println!("\n{}", figures.table(plan.sizes));
    let file = repo::root().join("target/bench.json");
    std::fs::write(&file, figures.json()?).with_context(|| file.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn measure(size: usize, plan: &Plan, figures: &mut Figures) -> Result<()> {
    println!("N = {size}: seeding");
    let home = Home::new()?;
    home.seed(size)?;
    println!("N = {size}: measuring");
    // Reading first: creating makes the store larger.
    start::measure(&home, size, plan.starts, figures)?;
    list::measure(&home, size, plan.starts, figures)?;
    view::measure(&home, size, plan.reads, figures)?;
    recall::measure(&home, size, plan.starts, figures)?;
    hook::measure(&home, size, plan.starts, figures)?;
    create::measure(&home, size, plan.creates, figures)
}

fn growth(plan: &Plan, figures: &mut Figures) {
    let cpu = |size: Option<&usize>| size.and_then(|size| figures.get(create::CPU, Some(*size)));
    if let (Some(small), Some(large)) = (cpu(plan.sizes.first()), cpu(plan.sizes.last())) {
        let sizes = format!("{} to {}", plan.sizes.first().unwrap_or(&0), plan.sizes.last().unwrap_or(&0));
        figures.set(&format!("create through MCP, growth of CPU from N = {sizes}"), None, large / small, "×");
    }
}

/// How long `work` takes.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// The middle one, in milliseconds.
fn p50(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, |middle| middle.as_secs_f64() * 1_000.0)
}
