//! Tasks over HTTP: 200 clients that post something to remember and poll until it is done.
//!
//! The lane is far smaller than the crowd, so most posts are refused with 429 and tried again: that is how it should be.
//! Lost is a task that was accepted and did not complete, or completed without leaving its fact on the disk.

use super::daemon::Daemon;
use super::figures::Figures;
use super::home::Home;
use super::http::Connection;
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 200;
/// Between two looks at a task, and before a refused post is tried again.
const PAUSE: Duration = Duration::from_millis(50);
/// A task that was accepted ends in this time after the last post, or is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of the requests of a client, or of all.
#[derive(Default)]
struct Tally {
    /// A word of each task that completed, which stands in the memory that it made.
    completed: Vec<String>,
    lost: usize,
    refused: usize,
    faults: usize,
    requests: usize,
}

pub fn measure(seconds: u64, figures: &mut Figures) -> Result<()> {
    let home = Home::new()?;
    let daemon = Daemon::start(&home)?;
    println!("tasks: {CLIENTS} clients for {seconds} s");
    let (over, until) = (AtomicBool::new(false), Instant::now() + Duration::from_secs(seconds));
    let (mut tally, samples) = std::thread::scope(|scope| {
        let (daemon, over) = (&daemon, &over);
        let sampler = scope.spawn(move || sampled(daemon, over));
        let threads: Vec<_> =
            (0..CLIENTS).map(|client| scope.spawn(move || Tally::of(daemon, client, until))).collect();
        // The last second belongs to the load, the waiting for what is open does not.
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        over.store(true, Ordering::Relaxed);
        let mut tally = Tally::default();
        for thread in threads {
            tally.add(thread.join().map_err(|_| anyhow!("a client panicked"))??);
        }
        let samples = sampler.join().map_err(|_| anyhow!("the sampler panicked"))??;
        anyhow::Ok((tally, samples))
    })?;
    let text = all_text(&home.global(""))?;
    tally.lost += tally.completed.iter().filter(|word| !text.contains(word.as_str())).count();
    let row = |what: &str| format!("tasks of {CLIENTS} clients: {what}");
    figures.set(&row("completed"), None, tally.completed.len() as f64, "");
    figures.set(&row("requests a second"), None, tally.requests as f64 / seconds as f64, "/s");
    figures.set(&row("posts refused because the lane is full (429)"), None, tally.refused as f64, "");
    figures.set(&row("answers of 5xx, and none"), None, tally.faults as f64, "");
    figures.set(&row("accepted and lost"), None, tally.lost as f64, "");
    let (middle, last) = thirds(&samples);
    figures.set(&row("memory in the middle third"), None, middle, "MB");
    figures.set(&row("memory in the last third"), None, last, "MB");
    figures.set(&row("memory, last third to middle third"), None, last / middle, "×");
    Ok(())
}

impl Tally {
    /// Posts and polls until then.
    fn of(daemon: &Daemon, client: usize, until: Instant) -> Result<Tally> {
        let (mut tally, mut connection) = (Tally::default(), daemon.connect()?);
        for round in 0.. {
            if Instant::now() >= until {
                break;
            }
            let word = format!("zebra{client}x{round}z");
            let wanted = json!({"content": format!("The code word of shift {word} is {word}."), "contextMode": "clean", "scope": "global"});
            match tally.ask(daemon, &mut connection, "POST", "/workspace/memory/remember", Some(&wanted))? {
                (202, task) => {
                    let id = task["taskId"].as_str().unwrap_or_default();
                    if tally.completes(daemon, &mut connection, id, until + PATIENCE)? {
                        tally.completed.push(word);
                    } else {
                        tally.lost += 1;
                    }
                }
                (429, _) => {
                    tally.refused += 1;
                    std::thread::sleep(PAUSE);
                }
                // A fault is counted already.
                _ => std::thread::sleep(PAUSE),
            }
        }
        Ok(tally)
    }

    fn completes(&mut self, daemon: &Daemon, connection: &mut Connection, id: &str, until: Instant) -> Result<bool> {
        let path = format!("/workspace/memory/remember/{id}");
        while Instant::now() < until {
            let (status, task) = self.ask(daemon, connection, "GET", &path, None)?;
            match task["status"].as_str() {
                Some("completed") => return Ok(true),
                Some("queued" | "running") => {}
                // A fault may pass; an answer that the task is unknown, or has failed, does not.
                _ if status < 500 => return Ok(false),
                _ => {}
            }
            std::thread::sleep(PAUSE);
        }
        Ok(false)
    }

    /// One request; no answer counts as a fault, and the next one goes over a new connection.
    fn ask(
        &mut self,
        daemon: &Daemon,
        connection: &mut Connection,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value)> {
        self.requests += 1;
        let (status, told) = match connection.ask(method, path, body) {
            Ok(answer) => answer,
            Err(_) => {
                *connection = daemon.connect()?;
                (599, Value::Null)
            }
        };
        self.faults += usize::from(status >= 500);
        Ok((status, told))
    }

    fn add(&mut self, other: Tally) {
        self.completed.extend(other.completed);
        self.lost += other.lost;
        self.refused += other.refused;
        self.faults += other.faults;
        self.requests += other.requests;
    }
}

/// What the daemon and its worker hold, again and again until it is over.
fn sampled(daemon: &Daemon, over: &AtomicBool) -> Result<Vec<f64>> {
    let mut samples = Vec::new();
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(250));
        samples.push(daemon.resident()?);
    }
    Ok(samples)
}

/// Means of the middle and the last third, as `cargo xtask soak` compares them; the first is there to warm up.
fn thirds(samples: &[f64]) -> (f64, f64) {
    let third = samples.len() / 3;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    (mean(&samples[third..2 * third]), mean(&samples[2 * third..]))
}

/// Everything that is remembered, in one text.
fn all_text(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            text += &all_text(&path)?;
        } else if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("MEMORY.md") {
            text += &std::fs::read_to_string(&path)?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_third_is_compared_with_the_middle_one() {
        assert_eq!(thirds(&[9.0, 9.0, 2.0, 4.0, 5.0, 7.0]), (3.0, 6.0));
    }
}
