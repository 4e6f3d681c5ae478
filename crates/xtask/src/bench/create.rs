//! Durable `create` through a running `loci mcp`: time beside the write floor, CPU an operation, and what it holds then.

use super::figures::Figures;
use super::floor::Floor;
use super::home::{Home, create};
use super::{corpus, p50, timed};
use anyhow::Result;
use serde_json::json;
use std::time::Duration;

/// What growth is measured by.
pub const CPU: &str = "create through MCP, CPU an operation";

/// Creates and floors take turns, so that both meet the same disk.
pub fn measure(home: &Home, size: usize, rounds: usize, figures: &mut Figures) -> Result<()> {
    let mut server = home.mcp()?;
    let mut floor = Floor::new(home.beside().join("floor"))?;
    let mut one = |number: usize| {
        let call = create(&format!("new/note-{number}.md"), &corpus::document(size + number));
        let (_, took) = timed(|| server.call("memory", call))?;
        anyhow::Ok((took, server.cpu()?))
    };
    // The first call is the start of the process, which is measured elsewhere.
    let (_, before) = one(0)?;
    let mut after = before;
    let (mut creates, mut floors) = (Vec::new(), Vec::new());
    for number in 1..=rounds {
        floors.push(floor.write()?);
        let (took, cpu) = one(number)?;
        creates.push(took);
        after = cpu;
    }
    // Questions bring documents and vectors into memory: that is load, too.
    for question in ["when does the cache expire", "who owns the release", "where is the dashboard"] {
        server.call("recall", json!({"query": question}))?;
    }
    figures.set("loci mcp, resident memory after load", Some(size), server.resident()?, "MB");
    server.end()?;
    let (create, floor) = (p50(&mut creates), p50(&mut floors));
    figures.set("floor: write + fsync + rename + directory fsync, p50", Some(size), floor, "ms");
    figures.set("create through MCP, p50", Some(size), create, "ms");
    figures.set("create through MCP, ratio to the write floor", Some(size), create / floor, "×");
    let each = |before: Duration, after: Duration| after.saturating_sub(before).as_secs_f64() * 1_000.0 / rounds as f64;
    let kernel = each(before.kernel, after.kernel);
    figures.set(CPU, Some(size), each(before.user, after.user) + kernel, "ms");
    figures.set("create through MCP, CPU of that in the kernel", Some(size), kernel, "ms");
    Ok(())
}
