//! Rows of tasks.

use crate::columns::Columns;
use crate::{Result, Task, TaskEnd, TaskKind, TaskStatus};
use loci_domain::change::GroupId;

/// The columns of a task, in the order that [`task`] reads them.
macro_rules! task_columns {
    () => {
        "id, lane, kind, client, words, mode, scope, status, result, code, message, cuts, run, worker, \
         created_at, updated_at"
    };
}

/// Asks for tasks as [`task`] reads them.
macro_rules! select_task {
    ($rest:literal) => {
        concat!("SELECT ", $crate::rows::tasks::task_columns!(), " FROM tasks ", $rest)
    };
}
pub(crate) use {select_task, task_columns};

pub(crate) fn task(row: &impl Columns) -> Result<Task> {
    let status = row.word(7, TaskStatus::from_word)?;
    let end = match status {
        TaskStatus::Completed => Some(TaskEnd::Completed(row.text(8)?)),
        TaskStatus::Failed => Some(TaskEnd::Failed(row.text(9)?, row.text(10)?)),
        TaskStatus::Queued | TaskStatus::Running | TaskStatus::Cancelled => None,
    };
    Ok(Task {
        id: row.text(0)?,
        lane: row.text(1)?,
        kind: row.word(2, TaskKind::from_word)?,
        client: row.maybe_text(3)?,
        words: row.maybe_text(4)?,
        mode: row.maybe_text(5)?,
        scope: row.maybe_text(6)?,
        status,
        end,
        cuts: row.small_count(11)?,
        run: row.maybe_text(12)?.map(GroupId),
        worker: row.maybe_text(13)?,
        created_at: row.time(14)?,
        updated_at: row.time(15)?,
    })
}
