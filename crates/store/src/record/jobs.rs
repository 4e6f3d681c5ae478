//! Jobs: background work that is asked for now and done later, by whoever comes to it.

use super::{Extraction, Result};
use async_trait::async_trait;
use jiff::Timestamp;
use std::time::Duration;

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobStatus {
    /// It waits for somebody.
    Pending,
    /// Somebody is at it.
    Running,
    /// It is done, as far as it was asked for.
    Done,
    /// It failed, and is tried again in a while.
    Error,
    /// It failed as often as it may; a person can have it tried again.
    Exhausted,
}

impl JobStatus {
    /// All of them.
    pub const ALL: [JobStatus; 5] =
        [JobStatus::Pending, JobStatus::Running, JobStatus::Done, JobStatus::Error, JobStatus::Exhausted];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            JobStatus::Pending => "pending",
            JobStatus::Running => "running",
            JobStatus::Done => "done",
            JobStatus::Error => "error",
            JobStatus::Exhausted => "exhausted",
        }
    }

    /// The status with this word.
    pub fn from_word(word: &str) -> Option<JobStatus> {
        JobStatus::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// What is wanted. There is one job of a kind and key in a project, however often it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// What is to be done, by the word of its kind.
    pub kind: String,
    /// With what: a session, a project.
    pub key: String,
    /// Whose it is.
    pub project: String,
    /// What whoever does it needs to know; never content.
    pub payload: String,
    /// How far its input is, by a number that grows with it; `None` = further than ever before.
    pub mark: Option<u64>,
}

/// One job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its number, never used again.
    pub id: u64,
    /// What is to be done.
    pub kind: String,
    /// With what.
    pub key: String,
    /// Whose it is.
    pub project: String,
    /// What the latest request said.
    pub payload: String,
    /// How far it is.
    pub status: JobStatus,
    /// How often it was tried for what is asked now.
    pub attempts: u32,
    /// What went wrong last, without content; gone once it is done.
    pub error: Option<String>,
    /// How far it is to come.
    pub asked: u64,
    /// How far it has come.
    pub done: u64,
    /// Who is at it, in their own words ([`crate::owner::Owner`]).
    pub owner: Option<String>,
    /// The fencing token of the last claim: each one is higher than those before it.
    pub token: u64,
    /// Until when the claim holds, or when it may be tried again; by the ledger's time.
    pub until: Option<Timestamp>,
    /// What it came to since somebody last asked.
    pub tally: u64,
    /// When it was first asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Which jobs somebody takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim<'a> {
    /// Of these kinds.
    pub kinds: &'a [&'a str],
    /// Of this project only.
    pub project: Option<&'a str>,
    /// Who asks, in their own words.
    pub owner: &'a str,
    /// For how long.
    pub lasts: Duration,
    /// How often a job may be tried; four times as often when its workers die before they end it.
    pub tries: u32,
    /// Jobs with the token of a claim whose holder is known to be dead.
    pub dead: &'a [(u64, u64)],
    /// Jobs that are left to others, by number: whoever failed at one does not try it again in the same go.
    pub passed_over: &'a [u64],
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobEnd {
    /// It is done, and came to so much.
    Done(u64),
    /// It failed for this reason, and may be tried again after so long.
    Failed(String, Duration),
    /// It failed for this reason, and trying again is of no use.
    Hopeless(String),
    /// It is done: this is what the session came to, and it is kept in the same step. Not kept when the session is not
    /// there any more; a handbook counts as changed when something came or went with it.
    Distilled(Box<Extraction>),
    /// It is done: the project's handbook is made up to this change.
    Made(u64),
    /// It was not its time: tried again after so long, and this does not count as a try.
    Later(Duration),
}

/// Jobs with fenced claims. All times are the ledger's, so that workers need not agree about the clock.
/// Everything here is durable.
#[async_trait]
pub trait Jobs {
    /// Asks for a job. One that waits or runs is not doubled: what is asked now replaces what was asked, and a job that
    /// runs is done once more afterwards. One that failed keeps its place in the queue of tries; one that is done or
    /// exhausted starts anew. `false` when all that is asked has been
    /// done already, or was given up.
    async fn enqueue_job(&self, wanted: &Wanted, at: Timestamp) -> Result<bool>;

    /// Takes the job that has waited longest: a pending one, a failed one whose time has come, or one whose claim ran out
    /// or whose holder is dead. A job that was cut off as often as it may be tried is exhausted instead, and not given out.
    async fn claim_job(&self, claim: &Claim<'_>, at: Timestamp) -> Result<Option<Job>>;

    /// Prolongs a claim to so long from now; `false` when it was lost.
    async fn renew_job(&self, id: u64, token: u64, lasts: Duration) -> Result<bool>;

    /// Ends a claim; `false` when it was lost, and then nothing is changed. A job that was asked for again meanwhile is
    /// pending, if it did not fail. A failed one is exhausted once it has been tried so often.
    async fn settle_job(&self, job: &Job, end: &JobEnd, tries: u32, at: Timestamp) -> Result<bool>;

    /// A job by its number.
    async fn job(&self, id: u64) -> Result<Option<Job>>;

    /// Jobs of a project or of all, the one that changed last first; those that are done behind all others.
    async fn jobs(&self, project: Option<&str>, limit: usize) -> Result<Vec<Job>>;

    /// All jobs of a kind, of one project or of all, in no order.
    async fn jobs_of(&self, kind: &str, project: Option<&str>) -> Result<Vec<Job>>;

    /// Jobs that somebody is at, or was when they died.
    async fn running_jobs(&self) -> Result<Vec<Job>>;

    /// How long until there is something to claim: nothing = now; `None` = never, as far as is known.
    async fn next_job(&self, kinds: &[&str], project: Option<&str>) -> Result<Option<Duration>>;

    /// Has a failed or exhausted job tried again, as if it were new, and one that was put off at once; `false` when it is
    /// none of them.
    async fn retry_job(&self, id: u64, at: Timestamp) -> Result<bool>;

    /// Gives a job up that waits, failed or runs: it counts as exhausted (`cancelled`), and whoever is at it settles
    /// nothing. `false` when there is nothing to give up.
    async fn cancel_job(&self, id: u64, at: Timestamp) -> Result<bool>;

    /// Takes all claims of these kinds back: whoever is at one settles nothing, and it waits for somebody again. Says how
    /// many.
    async fn unseat_jobs(&self, kinds: &[&str], at: Timestamp) -> Result<u64>;

    /// What a job came to since this was last asked; it is asked once.
    async fn take_tally(&self, kind: &str, project: &str, key: &str) -> Result<u64>;

    /// Drops what is done and was last changed before this moment, unless its tally is untold.
    async fn drop_jobs(&self, before: Timestamp) -> Result<u64>;
}
