//! `view` of one document within a running process.

use super::corpus::Luck;
use super::figures::Figures;
use super::home::{Home, seeded};
use super::{p50, timed};
use anyhow::{Context, Result, ensure};
use serde_json::json;

pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let mut tool = home.tool()?;
    let mut luck = Luck::new(3);
    let mut times = Vec::new();
    // The first call is the start of the process, which is measured elsewhere.
    for round in 0..=rounds {
        let call = json!({"command": "view", "path": format!("/memories/global/{}", seeded(luck.below(size)))});
        let (answer, took) = timed(|| tool.call(&call))?;
        let answer = answer.context("loci tool ended")?;
        ensure!(answer.success, "view: {}", answer.text);
        if round > 0 {
            times.push(took);
        }
    }
    tool.end()?;
    figures.set("view, p50", Some(size), p50(&mut times), "ms");
    Ok(())
}
