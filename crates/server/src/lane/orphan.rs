//! A run whose daemon lost the lane: its worker must change nothing any more before the run is taken back.
//!
//! It usually goes by itself, with the pipe. One whose daemon only stands still has to be ended.

use super::Lane;
use loci_ledger::{Task, TaskEnd, TaskStatus};
use loci_memory::Result;
use loci_session::records::now;
use loci_store::owner::Owner;
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// How long it has to go.
const PATIENCE: Duration = Duration::from_secs(5);

impl Lane {
    /// A run whose daemon went away: what it did is taken back, and it starts again, once.
    pub(super) async fn settle_cut_off(&self, task: Task) -> Result<()> {
        let Some(run) = &task.run else { return Ok(()) };
        if let Some(worker) = &task.worker {
            end(worker).await;
        }
        self.memory.withdraw(run).await?;
        match (task.status, task.cuts) {
            (TaskStatus::Running, 0) => {
                tracing::warn!(kind = task.kind.word(), "a task was cut off with its daemon; it starts again");
                self.ledger.requeue_task(&task.id, run, 1, now()).await?;
            }
            (TaskStatus::Running, _) => {
                let code = format!("{}_failed", task.kind.word());
                let end = TaskEnd::Failed(code, "the daemon went down twice while it ran".to_owned());
                self.end(&task, run, end).await?;
            }
            _ => self.ledger.settle_run(&task.id, run).await?,
        }
        Ok(())
    }
}

/// Ends the process that these words name, if it runs on this machine, and waits until it is gone.
pub async fn end(words: &str) {
    let Some(orphan) = Owner::parse(words) else { return };
    if orphan.is_dead() {
        return;
    }
    // Only a process that is told apart by its machine and its start may be ended; a number alone could be anybody's.
    let machine = |words: &str| words.split_once(" machine=").map(|(_, machine)| machine.to_owned());
    let here = machine(words).filter(|machine| !machine.is_empty()) == machine(&Owner::this().to_string());
    let pid = words.strip_prefix("pid=").and_then(|rest| rest.split(' ').next()?.parse().ok()).and_then(Pid::from_raw);
    let Some(pid) = pid.filter(|_| here && orphan != *Owner::this()) else { return };
    let since = Instant::now();
    while !orphan.is_dead() && since.elapsed() < PATIENCE {
        if let Err(error) = kill_process(pid, Signal::KILL) {
            tracing::warn!(%error, "a worker that was left behind cannot be ended");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn only_the_very_process_is_ended() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let started: u64 = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
        let machine = Owner::this().to_string().split_once(" machine=").unwrap().1.to_owned();
        for other in [
            format!("pid={} started={} machine={machine}", child.id(), started + 1),
            format!("pid={} started={started} machine=elsewhere/pid:[1]", child.id()),
            "somebody".to_owned(),
        ] {
            end(&other).await;
            assert!(child.try_wait().unwrap().is_none(), "{other}");
        }
        let reaper = std::thread::spawn(move || child.wait().unwrap());
        end(&format!("pid={} started={started} machine={machine}", stat.split(' ').next().unwrap())).await;
        assert!(!reaper.join().unwrap().success());
    }
}
