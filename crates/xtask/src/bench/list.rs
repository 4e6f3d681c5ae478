//! `loci list --json`, the whole process.

use super::figures::Figures;
use super::home::Home;
use super::{p50, timed};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::process::Stdio;

pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let mut times = Vec::new();
    for round in 0..rounds {
        let (output, took) = timed(|| Ok(home.loci(&["list", "--json"]).stdin(Stdio::null()).output()?))?;
        ensure!(output.status.success(), "loci list ended with {}", output.status);
        if round == 0 {
            let told: Value = serde_json::from_slice(&output.stdout).context("loci list --json")?;
            let rows = told["files"].as_array().map_or(0, Vec::len);
            ensure!(rows == size, "loci list told {rows} of {size} documents");
        }
        times.push(took);
    }
    figures.set("loci list --json, p50", Some(size), p50(&mut times), "ms");
    Ok(())
}
