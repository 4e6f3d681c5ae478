//! From nothing to the first answer: `loci tool` for one `view`, the whole process.

use super::figures::Figures;
use super::home::{Home, seeded};
use super::{floor, p50, timed};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::io::Write;
use std::process::Stdio;

/// Starts and floors take turns, so that both see the same machine.
pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let (mut starts, mut floors) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        floors.push(floor::spawn()?);
        let call = json!({"command": "view", "path": format!("/memories/global/{}", seeded(round % size))});
        starts.push(timed(|| first_answer(home, &format!("{call}\n")))?.1);
    }
    let (start, floor) = (p50(&mut starts), p50(&mut floors));
    figures.set("floor: spawn /bin/true, p50", Some(size), floor, "ms");
    figures.set("start → first answer (view), p50", Some(size), start, "ms");
    figures.set("start, ratio to the spawn floor", Some(size), start / floor, "×");
    Ok(())
}

fn first_answer(home: &Home, call: &str) -> Result<()> {
    let mut child = home.loci(&["tool"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().context("no pipe")?.write_all(call.as_bytes())?;
    let output = child.wait_with_output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && told.contains("\"success\":true"), "loci tool said {told:?}");
    Ok(())
}
