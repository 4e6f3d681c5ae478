//! The parts of a run, in their order: each measures one thing, and breaks alone.

use super::figures::Figures;
use super::home::Home;
use super::peers::{self, Beside};
use super::plan::Plan;
use super::{create, crowd, hook, hostile, kill, list, quality, recall, requests, size, start, tasks, view};
use anyhow::{Context, Result};

/// A part, as `--only` names it.
pub struct Part {
    pub name: &'static str,
    pub measure: fn(&Plan, &mut Figures, &mut Beside) -> Result<()>,
}

/// All of them.
pub const PARTS: [Part; 10] = [
    Part {
        name: "size",
        measure: |_, figures, _| {
            figures.set("binary, stripped", None, size::megabytes()?, "MB");
            Ok(())
        },
    },
    Part { name: "documents", measure: |plan, figures, _| documents(plan, figures) },
    Part { name: "sessions", measure: |plan, figures, _| recall::sessions(plan.messages, figures) },
    Part { name: "crowd", measure: |_, figures, _| crowd::measure(figures) },
    Part { name: "kill", measure: |plan, figures, _| kill::measure(plan.kills, figures) },
    Part { name: "http", measure: |plan, figures, _| requests::measure(plan.asking, figures) },
    Part { name: "tasks", measure: |plan, figures, _| tasks::measure(plan.tasking, figures) },
    Part { name: "secrets", measure: |_, figures, _| hostile::measure(figures) },
    Part { name: "quality", measure: |_, figures, _| quality::measure(figures) },
    Part { name: "peers", measure: |plan, _, beside| peers::measure(plan.peer_sizes, beside) },
];

/// What depends on how many documents there are.
fn documents(plan: &Plan, figures: &mut Figures) -> Result<()> {
    for &size in plan.sizes {
        with(size, plan, figures).with_context(|| format!("at N = {size}"))?;
    }
    growth(plan, figures);
    Ok(())
}

fn with(size: usize, plan: &Plan, figures: &mut Figures) -> Result<()> {
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
    if let (Some((small, _)), Some((large, _))) = (cpu(plan.sizes.first()), cpu(plan.sizes.last())) {
        let sizes = format!("{} to {}", plan.sizes.first().unwrap_or(&0), plan.sizes.last().unwrap_or(&0));
        figures.set(&format!("create through MCP, growth of CPU from N = {sizes}"), None, large / small, "×");
    }
}
