//! Claims that are taken back, given up or passed over.

use super::jobs::{LONG, ask, at, claim, settle, state, take};
use loci_ledger::{Claim, JobEnd, JobStatus, Ledger};

/// Whether somebody is at it or not; a person or a new request takes it up again.
pub async fn cancelled_jobs_are_left_alone(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let running = take(ledger, LONG).await.unwrap();
    assert!(ledger.cancel_job(running.id, at(2)).await.unwrap());
    assert!(!settle(ledger, &running, JobEnd::Done(1)).await);
    let job = ledger.job(running.id).await.unwrap().unwrap();
    assert_eq!((job.status, job.error.as_deref(), job.owner), (JobStatus::Exhausted, Some("cancelled"), None));
    assert!(take(ledger, LONG).await.is_none());
    assert!(!ledger.cancel_job(running.id, at(2)).await.unwrap(), "it is over");
    assert!(!ledger.cancel_job(running.id + 9, at(2)).await.unwrap());
    assert!(ledger.retry_job(running.id, at(3)).await.unwrap());
    assert_eq!(take(ledger, LONG).await.unwrap().attempts, 1);
}

/// Whoever was at one settles nothing, and nobody lost a try.
pub async fn unseated_jobs_wait_again(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    ask(ledger, "s2", "").await;
    let running = take(ledger, LONG).await.unwrap();
    assert_eq!(ledger.unseat_jobs(&["other"], at(2)).await.unwrap(), 0);
    assert_eq!(ledger.unseat_jobs(&["extract"], at(2)).await.unwrap(), 1);
    assert!(!settle(ledger, &running, JobEnd::Done(1)).await);
    assert_eq!(state(ledger, running.id).await, (JobStatus::Pending, 0));
}

/// Also when they have waited longest.
pub async fn some_are_left_to_others(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    ask(ledger, "s2", "").await;
    let first = ledger.jobs_of("extract", None).await.unwrap().into_iter().find(|job| job.key == "s1").unwrap();
    let not = [first.id];
    let claim = Claim { passed_over: &not, ..claim(LONG, &[]) };
    assert_eq!(ledger.claim_job(&claim, at(1)).await.unwrap().unwrap().key, "s2");
    assert_eq!(ledger.claim_job(&claim, at(1)).await.unwrap(), None);
}
