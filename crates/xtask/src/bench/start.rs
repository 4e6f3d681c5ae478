//! From nothing to the first answer of a tool: `loci mcp`, greeted and asked for one `view`.

use super::figures::Figures;
use super::home::{Home, seeded};
use super::{floor, p50, timed};
use anyhow::{Result, ensure};
use serde_json::json;

/// Starts and floors take turns, so that both see the same machine.
pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let (mut starts, mut floors) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        floors.push(floor::spawn()?);
        let view = json!({"command": "view", "path": format!("/memories/global/{}", seeded(round % size))});
        let (server, took) = timed(|| {
            let mut server = home.mcp()?;
            let seen = server.call("memory", view)?;
            ensure!(seen["content"][0]["text"].is_string(), "loci mcp said {seen}");
            Ok(server)
        })?;
        starts.push(took);
        server.end()?;
    }
    let (start, floor) = (p50(&mut starts), p50(&mut floors));
    figures.set("floor: spawn of a hello-world, p50", Some(size), floor, "ms");
    figures.set("loci mcp, start → first tool answer (view), p50", Some(size), start, "ms");
    figures.set("loci mcp, start, ratio to the spawn floor", Some(size), start / floor, "×");
    Ok(())
}
