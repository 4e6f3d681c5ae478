//! What the kernel tells of a process: what it holds, and what it has had of a processor.

use anyhow::{Context, Result};
use std::time::Duration;

/// The kernel tells CPU time in ticks of 10 ms on every platform that Linux tells it on (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// CPU time: in the program, and in the kernel on its behalf.
#[derive(Clone, Copy)]
pub struct Cpu {
    pub user: Duration,
    pub kernel: Duration,
}

impl Cpu {
    /// Milliseconds from `before` until now, a call, when there were so many calls.
    pub fn each_since(self, before: Cpu, calls: usize) -> f64 {
        let spent = (self.user + self.kernel).saturating_sub(before.user + before.kernel);
        spent.as_secs_f64() * 1_000.0 / calls.max(1) as f64
    }
}

/// CPU time of a process and all of its threads up to now, also of those that have ended.
pub fn cpu(process: u32) -> Result<Cpu> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // Fields count from after the name, which may hold anything but its last bracket.
    let after = stat.rsplit_once(')').map(|(_, after)| after).context("no name in stat")?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u32>().ok()).context("no times in stat");
    Ok(Cpu { user: TICK * ticks(11)?, kernel: TICK * ticks(12)? })
}

/// Memory that a process holds right now, in megabytes.
pub fn resident(process: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1_024.0)
}
