//! The fuzz targets: a few seconds each to see that they build and that nothing falls over at once, or minutes at night.

use super::Done;
use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::process::Stdio;

/// Seconds a target, where nothing else is asked for.
const SECONDS: u32 = 5;

/// Sessions of every agent; readers of transcripts start from them too.
const SAMPLES: &str = "crates/domain/src/transcript/samples";

/// A sanitizer needs a nightly compiler; coverage alone works on stable (`-s none`), and `unsafe` is forbidden in what
/// is fuzzed, so an address sanitizer would watch other people's crates only.
const STABLE: [&str; 2] = ["--sanitizer", "none"];

pub fn run() -> Result<Done> {
    run_for(SECONDS)
}

/// Runs each target for so many seconds.
pub fn run_for(seconds: u32) -> Result<Done> {
    if !shell::works(&["cargo", "fuzz", "--version"]) {
        return Ok(Done::Skipped("cargo-fuzz is not installed".to_owned()));
    }
    if !shell::works(&["c++", "--version"]) {
        return Ok(Done::Skipped("libFuzzer needs a C++ compiler".to_owned()));
    }
    shell::run(&[&["cargo", "fuzz", "build"], &STABLE[..]].concat())?;
    let targets = shell::said(&["cargo", "fuzz", "list"]).context("cargo fuzz list")?;
    let (mut fallen, seconds) = (Vec::new(), format!("-max_total_time={seconds}"));
    for target in targets.lines() {
        // What a run finds goes to the first folder, which git does not track; the second is what every run starts from.
        let (found, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        std::fs::create_dir_all(repo::root().join(&found)).with_context(|| found.clone())?;
        let samples = if target.starts_with("transcript_") { &[SAMPLES][..] } else { &[] };
        let words = [&["cargo", "fuzz", "run", target, &found, &seeds], samples, &STABLE, &["--", &seconds]].concat();
        println!("$ {}", words.join(" "));
        // libFuzzer tells a line for every step; only what a fall says is worth reading.
        let output = shell::command(&words).stdin(Stdio::null()).output().context("cargo fuzz run")?;
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            println!("{target}: {}", told.lines().next_back().unwrap_or_default());
        } else {
            println!("{told}");
            fallen.push(target);
        }
    }
    if !fallen.is_empty() {
        bail!("{} fell; the input is in fuzz/artifacts", fallen.join(", "));
    }
    Ok(Done::Passed)
}
