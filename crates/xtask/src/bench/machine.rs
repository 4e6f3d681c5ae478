//! What was measured on, and when: a number without them says little.

use crate::shell;
use serde::Serialize;

/// The machine and the day.
#[derive(Serialize)]
pub struct Machine {
    pub date: String,
    pub cpu: String,
    pub cores: usize,
    pub kernel: String,
    pub commit: String,
}

/// Asks the system.
pub fn describe() -> Machine {
    let unknown = || "unknown".to_owned();
    let told = |words: &[&str]| shell::said(words).unwrap_or_else(unknown);
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    Machine {
        date: told(&["date", "-u", "+%Y-%m-%dT%H:%M:%SZ"]),
        cpu: cpu.unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        kernel: told(&["uname", "-sr"]),
        commit: told(&["git", "rev-parse", "--short", "HEAD"]),
    }
}
