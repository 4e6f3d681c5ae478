//! What a run counts for its report: what became of each job, and what waits.

use super::{Run, State};
use crate::report::Failed;
use jiff::Timestamp;
use loci_ledger::{Job, JobEnd, JobStatus, Result};
use loci_memory::asked::Spent;

impl Run {
    /// Counts what became of a job.
    pub(super) async fn count(&self, job: &Job, end: Option<JobEnd>, spent: Spent) {
        self.progress.ended(&job.kind, &job.key);
        let mut state = self.state.lock().await;
        let State { report, passed_over, .. } = &mut *state;
        report.cost.add(spent);
        match end {
            Some(JobEnd::Distilled(made)) if made.is_nothing() => report.nothing += 1,
            Some(JobEnd::Distilled(_)) => report.distilled += 1,
            Some(JobEnd::Made(_)) => report.consolidated += 1,
            Some(JobEnd::Done(_)) => {}
            // Its claim was good and yet in vain: somebody took away what it had staged.
            Some(JobEnd::Later(wait)) if wait.is_zero() => {
                report.left_to_others += 1;
                passed_over.push(job.id);
            }
            Some(JobEnd::Later(_)) => {
                report.put_off += 1;
                passed_over.push(job.id);
            }
            Some(JobEnd::Failed(error, _) | JobEnd::Hopeless(error)) => {
                let (kind, project, key) = (job.kind.clone(), job.project.clone(), job.key.clone());
                report.failed.push(Failed { kind, project, key, error });
                passed_over.push(job.id);
            }
            None => report.left_to_others += 1,
        }
    }

    /// Counts what waits for its time: for another try, or for another day's tokens. What was just put off is counted.
    pub(super) async fn count_waiting(&self, kind: &str, project: Option<&str>) -> Result<()> {
        let now = Timestamp::now();
        let all = self.runner.ledger.jobs_of(kind, project).await?;
        let mut state = self.state.lock().await;
        let waits = |job: &&Job| {
            job.status != JobStatus::Running
                && job.until.is_some_and(|until| until > now)
                && !state.passed_over.contains(&job.id)
        };
        let waiting = all.iter().filter(waits).count();
        state.report.put_off += waiting;
        Ok(())
    }
}
