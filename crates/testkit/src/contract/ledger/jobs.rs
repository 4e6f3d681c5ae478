//! Jobs: asked for any number of times, done once, by one worker at a time, and never lost on the way.

use jiff::{SignedDuration, Timestamp};
use loci_ledger::{Claim, Job, JobEnd, JobStatus, Ledger, Wanted};
use std::time::Duration;

pub(super) const LONG: Duration = Duration::from_secs(3600);
/// Over as soon as it is granted: no test has to wait for the end of a claim.
const NO_TIME: Duration = Duration::ZERO;
const TRIES: u32 = 3;

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn wanted(key: &str, payload: &str) -> Wanted {
    Wanted {
        kind: "extract".to_owned(),
        key: key.to_owned(),
        project: "project:a".to_owned(),
        payload: payload.to_owned(),
        mark: None,
    }
}

pub(super) async fn ask(ledger: &dyn Ledger, key: &str, payload: &str) {
    assert!(ledger.enqueue_job(&wanted(key, payload), at(0)).await.unwrap());
}

pub(super) fn claim<'a>(lasts: Duration, dead: &'a [(u64, u64)]) -> Claim<'a> {
    Claim { kinds: &["extract"], project: None, owner: "a", lasts, tries: TRIES, dead, passed_over: &[] }
}

pub(super) async fn take(ledger: &dyn Ledger, lasts: Duration) -> Option<Job> {
    ledger.claim_job(&claim(lasts, &[]), at(1)).await.unwrap()
}

pub(super) async fn settle(ledger: &dyn Ledger, job: &Job, end: JobEnd) -> bool {
    ledger.settle_job(job, &end, TRIES, at(2)).await.unwrap()
}

pub(super) async fn state(ledger: &dyn Ledger, id: u64) -> (JobStatus, u32) {
    let job = ledger.job(id).await.unwrap().unwrap();
    (job.status, job.attempts)
}

/// Every field, before and after it was claimed.
pub async fn a_job_comes_back_whole(ledger: &dyn Ledger) {
    assert_eq!(ledger.next_job(&["extract"], None).await.unwrap(), None);
    ask(ledger, "s1", "{\"a\":1}").await;
    let jobs = ledger.jobs(None, 10).await.unwrap();
    let [job] = &jobs[..] else { panic!("{jobs:?}") };
    assert_eq!((job.kind.as_str(), job.key.as_str(), job.project.as_str()), ("extract", "s1", "project:a"));
    assert_eq!((job.payload.as_str(), job.status, job.attempts), ("{\"a\":1}", JobStatus::Pending, 0));
    assert_eq!((job.asked, job.done, job.tally, job.created_at, job.updated_at), (1, 0, 0, at(0), at(0)));
    assert_eq!(ledger.next_job(&["extract"], None).await.unwrap(), Some(Duration::ZERO));
    let claimed = take(ledger, LONG).await.unwrap();
    assert_eq!((claimed.status, claimed.attempts, claimed.owner.as_deref()), (JobStatus::Running, 1, Some("a")));
    assert!(claimed.until.is_some() && claimed.token > job.token);
    assert_eq!(ledger.running_jobs().await.unwrap(), std::slice::from_ref(&claimed));
    assert_eq!(ledger.job(job.id).await.unwrap(), Some(claimed.clone()));
    assert!(settle(ledger, &claimed, JobEnd::Done(0)).await);
    let done = ledger.job(job.id).await.unwrap().unwrap();
    assert_eq!((done.status, done.owner, done.until, done.done), (JobStatus::Done, None, None, 1));
    assert_eq!(ledger.next_job(&["extract"], None).await.unwrap(), None);
    assert_eq!(ledger.job(job.id + 1).await.unwrap(), None);
}

/// The latest request is the one that counts, and keeps the place of the first.
pub async fn asking_again_is_one_job(ledger: &dyn Ledger) {
    ask(ledger, "s1", "old").await;
    ask(ledger, "s2", "other").await;
    assert!(ledger.enqueue_job(&wanted("s1", "new"), at(9)).await.unwrap());
    assert_eq!(ledger.jobs(None, 10).await.unwrap().len(), 2);
    let job = take(ledger, LONG).await.unwrap();
    assert_eq!((job.key.as_str(), job.payload.as_str()), ("s1", "new"));
    assert!(settle(ledger, &job, JobEnd::Done(0)).await);
    assert_eq!(take(ledger, LONG).await.unwrap().key, "s2");
    assert!(take(ledger, LONG).await.is_none());
}

/// What came while the job ran is not lost with its end.
pub async fn asked_while_it_runs_is_done_again(ledger: &dyn Ledger) {
    ask(ledger, "s1", "old").await;
    let first = take(ledger, LONG).await.unwrap();
    ask(ledger, "s1", "new").await;
    assert!(take(ledger, LONG).await.is_none(), "one at a time");
    assert!(settle(ledger, &first, JobEnd::Done(0)).await);
    let second = take(ledger, LONG).await.unwrap();
    assert_eq!((second.id, second.payload.as_str(), second.attempts), (first.id, "new", 1));
    assert!(settle(ledger, &second, JobEnd::Done(0)).await);
    assert!(take(ledger, LONG).await.is_none());
    ask(ledger, "s1", "later").await;
    assert_eq!(take(ledger, LONG).await.unwrap().payload, "later");
}

/// A worker that comes late changes nothing.
pub async fn claim_is_fenced(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let late = take(ledger, NO_TIME).await.unwrap();
    let held = take(ledger, LONG).await.unwrap();
    assert!(held.token > late.token && held.id == late.id);
    assert!(!ledger.renew_job(late.id, late.token, LONG).await.unwrap());
    assert!(!settle(ledger, &late, JobEnd::Done(7)).await);
    assert_eq!(ledger.job(held.id).await.unwrap().unwrap(), held);
    assert!(ledger.renew_job(held.id, held.token, LONG).await.unwrap());
    assert!(settle(ledger, &held, JobEnd::Done(1)).await);
    assert!(!settle(ledger, &held, JobEnd::Done(1)).await, "settled twice");
    assert!(!ledger.renew_job(held.id, held.token, LONG).await.unwrap());
    assert_eq!(ledger.job(held.id).await.unwrap().unwrap().tally, 1);
}

/// Whatever its name.
pub async fn the_longest_waiting_is_claimed_first(ledger: &dyn Ledger) {
    for (second, key) in [(2, "b"), (1, "c"), (3, "a")] {
        assert!(ledger.enqueue_job(&wanted(key, ""), at(second)).await.unwrap());
    }
    let mut keys = Vec::new();
    while let Some(job) = take(ledger, LONG).await {
        keys.push(job.key);
    }
    assert_eq!(keys, ["c", "b", "a"]);
}

/// At once, and only the holder that is named.
pub async fn a_dead_holder_gives_its_job_up(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let dead = take(ledger, LONG).await.unwrap();
    let named = [(dead.id, dead.token)];
    let next = ledger.claim_job(&claim(LONG, &named), at(1)).await.unwrap().unwrap();
    assert_eq!((next.id, next.attempts), (dead.id, 2));
    assert_eq!(ledger.claim_job(&claim(LONG, &named), at(1)).await.unwrap(), None);
}

/// By the ledger's clock.
pub async fn a_claim_that_ran_out_is_taken(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let held = take(ledger, LONG).await.unwrap();
    let wait = ledger.next_job(&["extract"], None).await.unwrap().unwrap();
    assert!(wait > LONG / 2 && wait <= LONG, "{wait:?}");
    assert!(take(ledger, LONG).await.is_none());
    assert!(ledger.renew_job(held.id, held.token, NO_TIME).await.unwrap());
    assert!(take(ledger, LONG).await.is_some());
}

/// A failure waits for its time; the last one is the end of it.
pub async fn failures_wait_and_end(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let first = take(ledger, LONG).await.unwrap();
    assert!(settle(ledger, &first, JobEnd::Failed("busy".to_owned(), LONG)).await);
    let job = ledger.job(first.id).await.unwrap().unwrap();
    assert_eq!((job.status, job.error.as_deref(), job.attempts), (JobStatus::Error, Some("busy"), 1));
    assert!(take(ledger, LONG).await.is_none());
    // Asked again, it still waits: a person who types fast is no reason to try faster.
    ask(ledger, "s1", "new").await;
    assert!(take(ledger, LONG).await.is_none());
    assert!(ledger.retry_job(first.id, at(3)).await.unwrap());
    for attempt in 1..=TRIES {
        let job = take(ledger, LONG).await.unwrap();
        assert_eq!((job.attempts, job.payload.as_str()), (attempt, "new"));
        assert!(settle(ledger, &job, JobEnd::Failed("busy".to_owned(), NO_TIME)).await);
    }
    assert_eq!(state(ledger, first.id).await, (JobStatus::Exhausted, TRIES));
    assert!(take(ledger, LONG).await.is_none());
    ask(ledger, "s2", "").await;
    let hopeless = take(ledger, LONG).await.unwrap();
    assert!(settle(ledger, &hopeless, JobEnd::Hopeless("unreadable".to_owned())).await);
    assert_eq!(state(ledger, hopeless.id).await, (JobStatus::Exhausted, 1));
}

/// Nobody is left to settle it, and yet it ends.
pub async fn a_job_that_kills_its_worker_ends(ledger: &dyn Ledger) {
    ask(ledger, "bad", "").await;
    ask(ledger, "good", "").await;
    let mut keys = Vec::new();
    while let Some(job) = take(ledger, NO_TIME).await {
        if job.key == "good" {
            settle(ledger, &job, JobEnd::Done(0)).await;
        }
        keys.push(job.key);
        assert!(keys.len() < 100, "{keys:?}");
    }
    // More often than one that fails: whoever was killed may not be to blame.
    assert_eq!(keys.iter().filter(|key| *key == "bad").count(), 4 * TRIES as usize);
    assert!(keys.iter().any(|key| key == "good"));
    let jobs = ledger.jobs(None, 10).await.unwrap();
    let bad = jobs.iter().find(|job| job.key == "bad").unwrap();
    assert_eq!((bad.status, bad.error.as_deref()), (JobStatus::Exhausted, Some("cut_off")));
}

/// Only what failed can be tried again.
pub async fn retry_by_hand_starts_anew(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let job = take(ledger, LONG).await.unwrap();
    assert!(!ledger.retry_job(job.id, at(2)).await.unwrap(), "it runs");
    assert!(settle(ledger, &job, JobEnd::Hopeless("no".to_owned())).await);
    assert!(ledger.retry_job(job.id, at(3)).await.unwrap());
    assert_eq!(state(ledger, job.id).await, (JobStatus::Pending, 0));
    assert!(!ledger.retry_job(job.id, at(3)).await.unwrap(), "it waits");
    let again = take(ledger, LONG).await.unwrap();
    assert!(settle(ledger, &again, JobEnd::Done(0)).await);
    assert_eq!(ledger.job(job.id).await.unwrap().unwrap().error, None);
    assert!(!ledger.retry_job(job.id, at(4)).await.unwrap(), "it is done");
    assert!(!ledger.retry_job(job.id + 9, at(4)).await.unwrap());
}

/// Input that was worked off is not worked off again; more of it is.
pub async fn marks_are_done_once(ledger: &dyn Ledger) {
    let upto = |mark| Wanted { mark: Some(mark), ..wanted("s1", "") };
    assert!(ledger.enqueue_job(&upto(10), at(0)).await.unwrap());
    let job = take(ledger, LONG).await.unwrap();
    assert_eq!(job.asked, 10);
    assert!(ledger.enqueue_job(&upto(10), at(0)).await.unwrap());
    assert!(settle(ledger, &job, JobEnd::Done(0)).await);
    assert_eq!(state(ledger, job.id).await.0, JobStatus::Done);
    for old in [9, 10] {
        assert!(!ledger.enqueue_job(&upto(old), at(1)).await.unwrap());
    }
    assert!(take(ledger, LONG).await.is_none());
    assert!(ledger.enqueue_job(&upto(11), at(1)).await.unwrap());
    let job = take(ledger, LONG).await.unwrap();
    assert!(settle(ledger, &job, JobEnd::Hopeless("no".to_owned())).await);
    // What was given up is for a person to take up again, unless there is more of it.
    assert!(!ledger.enqueue_job(&upto(11), at(2)).await.unwrap());
    assert!(ledger.enqueue_job(&upto(12), at(2)).await.unwrap());
    assert_eq!(state(ledger, job.id).await, (JobStatus::Pending, 0));
}

/// However often it is put off.
pub async fn later_is_no_failure(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    for _ in 0..2 * TRIES {
        let job = take(ledger, LONG).await.unwrap();
        assert_eq!(job.attempts, 1);
        assert!(settle(ledger, &job, JobEnd::Later(NO_TIME)).await);
    }
    let job = take(ledger, LONG).await.unwrap();
    assert!(settle(ledger, &job, JobEnd::Later(LONG)).await);
    assert_eq!(state(ledger, job.id).await, (JobStatus::Pending, 0));
    assert!(take(ledger, LONG).await.is_none());
    assert!(ledger.next_job(&["extract"], None).await.unwrap().unwrap() > LONG / 2);
    // A person need not wait for it.
    assert!(ledger.retry_job(job.id, at(3)).await.unwrap());
    assert!(take(ledger, LONG).await.is_some());
}

/// Over several runs, until somebody asks.
pub async fn tallies_add_up_and_are_told_once(ledger: &dyn Ledger) {
    let tally = || ledger.take_tally("extract", "project:a", "s1");
    assert_eq!(tally().await.unwrap(), 0);
    for came in [2, 0, 3] {
        ask(ledger, "s1", "").await;
        let job = take(ledger, LONG).await.unwrap();
        assert!(settle(ledger, &job, JobEnd::Done(came)).await);
    }
    assert_eq!(ledger.take_tally("extract", "project:b", "s1").await.unwrap(), 0);
    assert_eq!((tally().await.unwrap(), tally().await.unwrap()), (5, 0));
}

/// A key is one of a kind and a project.
pub async fn kinds_and_projects_are_kept_apart(ledger: &dyn Ledger) {
    ask(ledger, "s1", "").await;
    let elsewhere = Wanted { project: "project:b".to_owned(), ..wanted("s1", "b") };
    assert!(ledger.enqueue_job(&elsewhere, at(0)).await.unwrap());
    assert!(ledger.enqueue_job(&Wanted { kind: "consolidate".to_owned(), ..elsewhere }, at(0)).await.unwrap());
    assert_eq!(ledger.jobs(Some("project:b"), 10).await.unwrap().len(), 2);
    assert_eq!(ledger.jobs(None, 2).await.unwrap().len(), 2);
    assert_eq!(ledger.next_job(&["extract"], Some("project:c")).await.unwrap(), None);
    let only = Claim { project: Some("project:b"), ..claim(LONG, &[]) };
    assert_eq!(ledger.claim_job(&only, at(1)).await.unwrap().unwrap().payload, "b");
    assert_eq!(ledger.claim_job(&only, at(1)).await.unwrap(), None);
    assert!(ledger.next_job(&["consolidate"], None).await.unwrap().is_some());
    let none = Claim { kinds: &[], ..claim(LONG, &[]) };
    assert_eq!(ledger.claim_job(&none, at(1)).await.unwrap(), None);
}

/// Only what is done and told.
pub async fn old_jobs_go(ledger: &dyn Ledger) {
    for key in ["done", "told", "waits"] {
        ask(ledger, key, "").await;
    }
    for tally in [0, 2] {
        let job = take(ledger, LONG).await.unwrap();
        assert!(settle(ledger, &job, JobEnd::Done(tally)).await);
    }
    assert_eq!(ledger.drop_jobs(at(2)).await.unwrap(), 0);
    assert_eq!(ledger.drop_jobs(at(2) + SignedDuration::from_secs(1)).await.unwrap(), 1);
    let left: Vec<String> = ledger.jobs(None, 10).await.unwrap().into_iter().map(|job| job.key).collect();
    assert_eq!(left, ["waits", "told"], "what is done stands last");
}
