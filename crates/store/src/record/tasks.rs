//! Tasks: what the daemon was asked to do with memory, and what became of it.

use super::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::GroupId;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// Remember a statement.
    Remember,
    /// Forget what a query means.
    Forget,
    /// Tidy up.
    Dream,
}

impl TaskKind {
    /// All of them.
    pub const ALL: [TaskKind; 3] = [TaskKind::Remember, TaskKind::Forget, TaskKind::Dream];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TaskKind::Remember => "remember",
            TaskKind::Forget => "forget",
            TaskKind::Dream => "dream",
        }
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskStatus {
    /// It waits for its turn.
    Queued,
    /// It is being done.
    Running,
    /// It is done.
    Completed,
    /// It came to nothing.
    Failed,
    /// Nobody wants it any more.
    Cancelled,
}

impl TaskStatus {
    /// All of them.
    pub const ALL: [TaskStatus; 5] =
        [TaskStatus::Queued, TaskStatus::Running, TaskStatus::Completed, TaskStatus::Failed, TaskStatus::Cancelled];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TaskStatus::Queued => "queued",
            TaskStatus::Running => "running",
            TaskStatus::Completed => "completed",
            TaskStatus::Failed => "failed",
            TaskStatus::Cancelled => "cancelled",
        }
    }

    /// The status with this word.
    pub fn from_word(word: &str) -> Option<TaskStatus> {
        TaskStatus::ALL.into_iter().find(|status| status.word() == word)
    }

    /// True for one that takes a place in the lane.
    pub fn is_pending(self) -> bool {
        matches!(self, TaskStatus::Queued | TaskStatus::Running)
    }
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskEnd {
    /// With a result, as the daemon tells it.
    Completed(String),
    /// With a code and a sentence.
    Failed(String, String),
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub id: String,
    /// The lane that it is in.
    pub lane: String,
    /// What is to be done.
    pub kind: TaskKind,
    /// The client that it belongs to.
    pub client: Option<String>,
    /// What is to be remembered or forgotten; gone once the task is over.
    pub words: Option<String>,
    /// How it is to be remembered.
    pub mode: Option<String>,
    /// In which scope only.
    pub scope: Option<String>,
    /// How far it is.
    pub status: TaskStatus,
    /// What came of it.
    pub end: Option<TaskEnd>,
    /// How often it was cut off with its daemon.
    pub cuts: u32,
    /// The journal group of its last run, until that is settled: kept with the result, or taken back.
    pub run: Option<GroupId>,
    /// Which process is at it, in its own words ([`crate::owner::Owner`]).
    pub worker: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
}

/// How many tasks a lane holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Pending ones of all kinds.
    pub pending: usize,
    /// Pending ones that forget or dream.
    pub upkeep: usize,
    /// All of them; of more, the oldest that are over and settled go.
    pub kept: usize,
}

/// What came of cancelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancelledTask {
    /// It is cancelled now; one that was running still has its run to be taken back.
    Now(Task),
    /// It was over already.
    Over(Task),
    /// There is none of this name.
    Missing,
}

/// Lanes of tasks. A lane runs its tasks in the order in which they came, one at a time; which process does so is decided
/// by a lease, and each run by its own group: whoever comes late with another run changes nothing.
/// Everything here is durable.
#[async_trait]
pub trait Tasks {
    /// Puts a queued task at the end of its lane; `false` when there is no room, and then nothing is changed.
    async fn enqueue_task(&self, task: &Task, room: Room) -> Result<bool>;

    /// A task of a lane by its name.
    async fn task(&self, lane: &str, id: &str) -> Result<Option<Task>>;

    /// The tasks of a lane that belong to this client, or to none; newest first.
    async fn tasks(&self, lane: &str, client: Option<&str>, limit: usize) -> Result<Vec<Task>>;

    /// How many tasks of a lane are pending.
    async fn pending_tasks(&self, lane: &str) -> Result<usize>;

    /// The ids of the pending tasks of a lane, whosever they are.
    async fn pending_ids(&self, lane: &str) -> Result<Vec<String>>;

    /// The lanes with tasks that are pending, or were when somebody died.
    async fn busy_lanes(&self) -> Result<Vec<String>>;

    /// Starts the oldest queued task of a lane under this group.
    async fn start_task(&self, lane: &str, run: &GroupId, at: Timestamp) -> Result<Option<Task>>;

    /// Says which process is at a run.
    async fn note_worker(&self, id: &str, run: &GroupId, worker: &str) -> Result<()>;

    /// The tasks of a lane whose last run is not settled, oldest first: running ones, and cancelled ones whose changes
    /// are still to be taken back.
    async fn unsettled_tasks(&self, lane: &str) -> Result<Vec<Task>>;

    /// Puts a running task back to its place in the queue, if this is its run; `cuts` says how often it was cut off now.
    async fn requeue_task(&self, id: &str, run: &GroupId, cuts: u32, at: Timestamp) -> Result<bool>;

    /// Ends a running task, if this is its run; what was to be done is forgotten. `false` = somebody else decided.
    async fn finish_task(&self, id: &str, run: &GroupId, end: &TaskEnd, at: Timestamp, kept: usize) -> Result<bool>;

    /// Cancels a task that is pending.
    async fn cancel_task(&self, lane: &str, id: &str, at: Timestamp) -> Result<CancelledTask>;

    /// The changes of a run were taken back.
    async fn settle_run(&self, id: &str, run: &GroupId) -> Result<()>;
}
