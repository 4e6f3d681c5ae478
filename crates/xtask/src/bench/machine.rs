//! What was measured on, and when: a number without them says little.

use crate::shell;
use serde::Serialize;

/// The machine and the day.
#[derive(Default, Serialize)]
pub struct Machine {
    pub date: String,
    pub cpu: String,
    pub cores: usize,
    pub memory: String,
    pub kernel: String,
    pub commit: String,
}

impl Machine {
    /// All of it in one line.
    pub fn line(&self) -> String {
        let Machine { date, cpu, cores, memory, kernel, commit } = self;
        format!("{date}, {cores} × {cpu}, {memory} of memory, {kernel}, commit {commit}")
    }
}

/// Asks the system.
pub fn describe() -> Machine {
    let unknown = || "unknown".to_owned();
    let told = |words: &[&str]| shell::said(words).unwrap_or_else(unknown);
    let commit = told(&["git", "rev-parse", "--short", "HEAD"]);
    // Numbers of a tree that nobody else has are not those of its commit.
    let clean =
        shell::said(&["git", "status", "--porcelain", "--untracked-files=no"]).is_none_or(|said| said.is_empty());
    Machine {
        date: told(&["date", "-u", "+%Y-%m-%d %H:%M UTC"]),
        cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory: field("/proc/meminfo", "MemTotal").and_then(|told| gigabytes(&told)).unwrap_or_else(unknown),
        kernel: told(&["uname", "-sr"]),
        commit: if clean { commit } else { commit + " and changes" },
    }
}

/// What the first line of this name says.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn gigabytes(told: &str) -> Option<String> {
    let kilobytes: f64 = told.trim_end_matches("kB").trim().parse().ok()?;
    Some(format!("{:.0} GB", kilobytes * 1_024.0 / 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_gigabytes() {
        assert_eq!(gigabytes("8129412 kB").as_deref(), Some("8 GB"));
        assert_eq!(gigabytes("much"), None);
    }
}
