//! One daemon under light load for a long time: what it holds is written down every few seconds, so that what grows shows.
//! `cargo xtask soak` runs it and judges, or `soak BINARY SECONDS SAMPLES.json`.
//!
//! Owns the load and the samples. The load goes in circles over a fixed set of facts, files and conversations: what is
//! kept stays as large as it was, and only the journal and the sessions have reason to grow.
// A measurement has nobody to hand an error to.
#![allow(clippy::unwrap_used)]

mod listeners;
mod samples;
mod warm;
mod work;

use loci_testkit::daemon::Daemon;
use loci_testkit::home::Home;
use samples::Sampler;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use work::Work;

/// Between two samples.
const PAUSE: Duration = Duration::from_secs(2);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [binary, seconds, file] = words.as_slice() else { panic!("soak BINARY SECONDS SAMPLES.json") };
    let binary = std::fs::canonicalize(binary).unwrap();
    let home = Home::new(binary.to_str().unwrap());
    // Warming up is a crowd at one address; what comes after is far below the usual limit.
    let daemon = Daemon::start(&home, &["--set", "daemon.rate_per_second=10000"], &[]);
    warm::up(&daemon);
    let end = Instant::now() + Duration::from_secs(seconds.parse().unwrap());
    let (stop, mut sampler) = (AtomicBool::new(false), Sampler::new(&home, &daemon));
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut work = Work::new(&home, &daemon);
            while !stop.load(Ordering::Relaxed) {
                work.round();
            }
            work.done()
        });
        scope.spawn(|| listeners::come_and_go(&daemon, &stop));
        // A worker that has panicked has said why; there is nothing to wait for then.
        while Instant::now() < end && !worker.is_finished() {
            std::thread::sleep(PAUSE);
            sampler.take();
        }
        stop.store(true, Ordering::Relaxed);
        let done = worker.join().unwrap();
        std::fs::write(file, sampler.json(&done).to_string()).unwrap();
    });
    assert_eq!(daemon.stop(), Some(0), "the daemon does not end well");
}
