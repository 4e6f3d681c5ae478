//! A prompt's hook: the whole process, beside the start of a program that does nothing.

use super::figures::Figures;
use super::home::Home;
use super::{floor, p50, timed};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::io::Write;
use std::process::Stdio;

/// Hooks and floors take turns, so that both see the same machine. Each prompt is of a session of its own, so that each
/// has something to show.
pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let (mut hooks, mut floors, mut answered) = (Vec::new(), Vec::new(), 0);
    for round in 0..rounds {
        floors.push(floor::spawn()?);
        let (said, took) = timed(|| prompt(home, round))?;
        hooks.push(took);
        answered += usize::from(said);
    }
    let (hook, floor) = (p50(&mut hooks), p50(&mut floors));
    figures.set("floor: spawn of a hello-world beside the hook, p50", Some(size), floor, "ms");
    figures.set("prompt hook, the whole process, p50", Some(size), hook, "ms");
    figures.set("prompt hook, ratio to the spawn floor", Some(size), hook / floor, "×");
    figures.set("prompt hook, answered in its time", Some(size), answered as f64 * 100.0 / rounds as f64, "%");
    Ok(())
}

/// Whether it said anything.
fn prompt(home: &Home, round: usize) -> Result<bool> {
    let event = json!({"session_id": format!("bench-{round}"), "prompt": "when does the cache expire"});
    let mut command = home.loci(&["hook", "UserPromptSubmit", "--agent", "claude-code"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().context("no pipe")?.write_all(event.to_string().as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "loci hook ended with {}", output.status);
    Ok(!output.stdout.is_empty())
}
