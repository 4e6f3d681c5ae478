//! What a daemon holds at a moment, as the kernel and the disk tell it.

use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, walk};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Takes samples of one daemon.
pub struct Sampler<'a> {
    daemon: &'a Daemon,
    home: PathBuf,
    start: Instant,
    samples: Vec<Value>,
}

impl<'a> Sampler<'a> {
    pub fn new(home: &Home, daemon: &'a Daemon) -> Sampler<'a> {
        Sampler { daemon, home: home.home().to_owned(), start: Instant::now(), samples: Vec::new() }
    }

    /// Writes down what is held now.
    pub fn take(&mut self) {
        let own = self.daemon.id();
        let workers: u64 = self.daemon.workers().into_iter().map(|worker| field(worker, "VmRSS")).sum();
        self.samples.push(json!({
            "seconds": self.start.elapsed().as_secs_f64(),
            "residentKilobytes": field(own, "VmRSS"),
            "workerKilobytes": workers,
            "descriptors": std::fs::read_dir(format!("/proc/{own}/fd")).map_or(0, Iterator::count),
            "threads": field(own, "Threads"),
            "walBytes": size(&self.home.join("loci.db-wal")),
            "ledgerBytes": size(&self.home.join("loci.db")),
            "files": self.files(),
        }));
    }

    /// All samples, and how often each thing was done.
    pub fn json(&self, done: &Value) -> Value {
        json!({"samples": self.samples, "done": done})
    }

    fn files(&self) -> usize {
        let mut count = 0;
        walk(&self.home, &mut |_, kind| count += usize::from(kind.is_file()));
        count
    }
}

/// A number of a process; 0 when it is gone.
fn field(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |file| file.len())
}
