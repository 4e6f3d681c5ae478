//! Eight processes of one server, all appending lines to one memory.
//!
//! Lost is a line that was acknowledged and is not there afterwards; a call that fails is told apart from that.

use super::subject::Subject;
use crate::bench::home::Home;
use anyhow::{Result, anyhow};
use serde::Serialize;
use std::sync::Barrier;

const PROCESSES: usize = 8;
const LINES: usize = 25;

/// What became of the lines.
#[derive(Serialize)]
pub struct Appended {
    pub acknowledged: usize,
    pub lost: usize,
    pub failed: usize,
}

/// Lets all of them append at once, then reads with a process of its own.
pub fn append(subject: Subject) -> Result<Appended> {
    let home = Home::new()?;
    let mut first = subject.start(&home)?;
    let (tool, arguments) = subject.begin();
    first.call(tool, arguments)?;
    drop(first);
    let barrier = Barrier::new(PROCESSES);
    let acknowledged = std::thread::scope(|scope| {
        let work = |who: usize| {
            let ready = subject.start(&home);
            // Everybody comes to the barrier, also who could not start: the others would wait for ever.
            barrier.wait();
            let mut server = ready?;
            let lines = (0..LINES).map(|number| line(who, number));
            let told = lines.filter(|line| {
                let (tool, arguments) = subject.append(line);
                // Whatever went wrong, this line is not promised.
                server.call(tool, arguments).is_ok()
            });
            anyhow::Ok(told.collect::<Vec<String>>())
        };
        let threads: Vec<_> = (0..PROCESSES).map(|who| scope.spawn(move || work(who))).collect();
        let mut acknowledged = Vec::new();
        for thread in threads {
            acknowledged.extend(thread.join().map_err(|_| anyhow!("a thread panicked"))??);
        }
        anyhow::Ok(acknowledged)
    })?;
    let mut reader = subject.start(&home)?;
    let (tool, arguments) = subject.read();
    // A file that the writers have broken is one that no line can be read from.
    let there = reader.call(tool, arguments).map(|told| subject.lines(&told)).unwrap_or_default();
    let lost = acknowledged.iter().filter(|line| !there.contains(line)).count();
    Ok(Appended { acknowledged: acknowledged.len(), lost, failed: PROCESSES * LINES - acknowledged.len() })
}

fn line(who: usize, number: usize) -> String {
    format!("- line {number} of process {who}")
}
