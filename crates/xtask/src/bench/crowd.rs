//! Eight processes at once: each makes files of its own, then all insert into one file.
//!
//! Lost is what was acknowledged and is not there afterwards.

use super::child::Tool;
use super::corpus;
use super::figures::Figures;
use super::home::{Home, create};
use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};
use std::fs;
use std::sync::Barrier;
use std::time::Instant;

const PROCESSES: usize = 8;
const CREATES: usize = 50;
const INSERTS: usize = 25;

pub fn measure(figures: &mut Figures) -> Result<()> {
    let home = Home::new()?;
    println!("{PROCESSES} processes");
    let made = run(&home, CREATES, |who, number| create(&own(who, number), &corpus::document(who * CREATES + number)))?;
    let lost = made.acknowledged.iter().filter(|&&(who, number)| {
        fs::read_to_string(home.global(&own(who, number))).ok() != Some(corpus::document(who * CREATES + number))
    });
    tell(&format!("{PROCESSES} processes × {CREATES} creates"), &made, lost.count(), figures);

    let mut tool = home.tool()?;
    let shared = tool.call(&create("shared.md", "# All\n"))?.context("loci tool ended")?;
    ensure!(shared.success, "create: {}", shared.text);
    tool.end()?;
    let made = run(
        &home,
        INSERTS,
        |who, number| json!({"command": "insert", "path": "/memories/global/shared.md", "insert_line": 1, "insert_text": line(who, number)}),
    )?;
    let text = fs::read_to_string(home.global("shared.md"))?;
    let lost = made
        .acknowledged
        .iter()
        .filter(|&&(who, number)| text.lines().filter(|it| *it == line(who, number)).count() != 1);
    tell(&format!("{PROCESSES} processes × {INSERTS} inserts into one file"), &made, lost.count(), figures);
    Ok(())
}

fn own(who: usize, number: usize) -> String {
    format!("p{who}/note-{number}.md")
}

fn line(who: usize, number: usize) -> String {
    format!("- line {number} of process {who}")
}

struct Made {
    /// Who made which.
    acknowledged: Vec<(usize, usize)>,
    errors: usize,
    seconds: f64,
}

/// Lets each process make its calls, one at a time, all processes at once.
fn run(home: &Home, calls: usize, call: impl Fn(usize, usize) -> Value + Sync) -> Result<Made> {
    let barrier = Barrier::new(PROCESSES + 1);
    std::thread::scope(|scope| {
        let work = |who: usize| {
            let ready = warm(home);
            // Everybody comes to the barrier, also who could not start: the others would wait for ever.
            barrier.wait();
            let mut tool = ready?;
            let mut acknowledged = Vec::new();
            for number in 0..calls {
                if tool.call(&call(who, number))?.context("loci tool ended")?.success {
                    acknowledged.push((who, number));
                }
            }
            // It ends with 1 when a call failed, which is counted already.
            drop(tool);
            anyhow::Ok(acknowledged)
        };
        let threads: Vec<_> = (0..PROCESSES).map(|who| scope.spawn(move || work(who))).collect();
        barrier.wait();
        let start = Instant::now();
        let mut acknowledged = Vec::new();
        for thread in threads {
            acknowledged.extend(thread.join().map_err(|_| anyhow!("a thread panicked"))??);
        }
        let seconds = start.elapsed().as_secs_f64();
        Ok(Made { errors: PROCESSES * calls - acknowledged.len(), acknowledged, seconds })
    })
}

/// A process that has answered once, so that starting is not measured.
fn warm(home: &Home) -> Result<Tool> {
    let mut tool = home.tool()?;
    tool.call(&json!({"command": "view", "path": "/memories"}))?.context("loci tool ended")?;
    Ok(tool)
}

fn tell(what: &str, made: &Made, lost: usize, figures: &mut Figures) {
    figures.set(&format!("{what}: errors"), None, made.errors as f64, "");
    figures.set(&format!("{what}: acknowledged and lost"), None, lost as f64, "");
    figures.set(&format!("{what}: acknowledged a second"), None, made.acknowledged.len() as f64 / made.seconds, "/s");
}
