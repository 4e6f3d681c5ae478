//! The end of a hook's time: an agent waits for its hooks, and nothing beats late.
//!
//! Owns a thread that ends the process with nothing said, unless the answer is on its way already.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a prompt waits for memory.
const PROMPT: Duration = Duration::from_millis(100);
/// The most that a prompt waits, on a machine so busy that this process hardly came to run.
const CROWDED: Duration = Duration::from_millis(250);
/// What all else waits.
const PATIENT: Duration = Duration::from_secs(5);

/// Who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Haste {
    /// A person who asked something.
    Prompt,
    /// The same, in a home that is only now being made: its files are made and flushed first, once in its life.
    FirstPrompt,
    /// A program.
    Patient,
}

/// The right to answer in time.
pub struct Deadline(Arc<AtomicBool>);

impl Deadline {
    /// Starts the clock, which began to run at this moment.
    pub fn start(since: Instant, haste: Haste) -> std::io::Result<Deadline> {
        let answered = Arc::new(AtomicBool::new(false));
        let (least, most) = match haste {
            Haste::Prompt => (PROMPT, CROWDED),
            Haste::FirstPrompt => (CROWDED, CROWDED),
            Haste::Patient => (PATIENT, PATIENT),
        };
        let mine = Arc::clone(&answered);
        // Ending the process runs what was left for its end, on this stack: 64 KiB overflowed where nothing is optimised.
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        thread.spawn(move || {
            let mut until = least;
            while let Some(left) = until.checked_sub(since.elapsed()).filter(|left| !left.is_zero()) {
                std::thread::sleep(left);
                until = most.min(least + queued());
            }
            if !mine.swap(true, Ordering::SeqCst) {
                std::process::exit(0);
            }
        })?;
        Ok(Deadline(answered))
    }

    /// Takes the right to answer; `false` = it is too late, and the process is ending.
    pub fn answer(&self) -> bool {
        !self.0.swap(true, Ordering::SeqCst)
    }
}

/// How long this process was ready to run and others did: no fault of ours, and nobody would be served sooner without us.
fn queued() -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split_whitespace().nth(1).and_then(|nanos| nanos.parse().ok()).unwrap_or_default())
}
