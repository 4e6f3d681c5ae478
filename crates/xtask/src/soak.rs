//! A daemon under light load for a long time, and whether it holds more at the end than in the middle.
//!
//! Owns how the run is started, `target/soak.json` and `target/soak.md`. The load itself is an example of `crates/cli`.
//! Start at [`run`]; `verdict` judges the samples.

mod verdict;

use crate::{repo, shell};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::ExitCode;

const MINUTES: u64 = 30;

/// How long, and what with.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    minutes: u64,
    /// A binary that is there already; `None` = build one.
    binary: Option<String>,
}

/// Runs as the flags say.
pub fn run(flags: &[&str]) -> Result<ExitCode> {
    let Plan { minutes, binary } = plan(flags)?;
    // With a binary of ours: the whole workspace, as the tests build it. Whoever brings one waits for the load alone.
    let (words, folder) = match binary {
        None => (&["--release", "--workspace", "--bin", "loci"][..], "release"),
        Some(_) => (&["--package", "loci-cli"][..], "debug"),
    };
    shell::run(&[&["cargo", "build", "--example", "soak"], words].concat())?;
    let target = target()?;
    let binary = binary.unwrap_or(format!("{target}/release/loci"));
    let samples = repo::root().join("target/soak.json");
    fs::create_dir_all(repo::root().join("target"))?;
    let example = format!("{target}/{folder}/examples/soak");
    let file = samples.to_str().context("a path that is no text")?;
    shell::run(&[&example, &binary, &(minutes * 60).to_string(), file])?;

    let told: verdict::Run = serde_json::from_str(&fs::read_to_string(&samples)?).context("target/soak.json")?;
    let verdict = verdict::of(&told)?;
    println!("\n{}", verdict.table);
    fs::write(repo::root().join("target/soak.md"), &verdict.table)?;
    for grown in &verdict.grown {
        println!("{grown}");
    }
    Ok(if verdict.grown.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn plan(flags: &[&str]) -> Result<Plan> {
    let mut plan = Plan { minutes: MINUTES, binary: None };
    for flag in flags.chunks(2) {
        match flag {
            ["--minutes", number] => plan.minutes = number.parse().context("--minutes takes a number")?,
            ["--binary", path] => plan.binary = Some((*path).to_owned()),
            _ => bail!("soak takes --minutes N and --binary PATH, got {}", flag.join(" ")),
        }
    }
    if plan.minutes == 0 {
        bail!("--minutes is 1 at least");
    }
    Ok(plan)
}

/// Where cargo builds to, which need not be below the checkout.
fn target() -> Result<String> {
    let words = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"];
    let said: serde_json::Value = serde_json::from_str(&shell::said(&words).context("cargo metadata")?)?;
    Ok(said["target_directory"].as_str().context("cargo metadata names no target_directory")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read() {
        assert_eq!(plan(&[]).unwrap(), Plan { minutes: 30, binary: None });
        let own = plan(&["--minutes", "5", "--binary", "a/loci"]).unwrap();
        assert_eq!(own, Plan { minutes: 5, binary: Some("a/loci".to_owned()) });
        for wrong in [&["--minutes"][..], &["--minutes", "x"], &["--minutes", "0"], &["--hours", "1"]] {
            assert!(plan(wrong).is_err(), "{wrong:?}");
        }
    }
}
