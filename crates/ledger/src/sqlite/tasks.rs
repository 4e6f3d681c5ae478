//! The tasks topic on SQLite: one row a task, the number of the row its place in the lane.

use super::engine::Durability;
use super::{Result, Sqlite, codec};
use crate::columns::Columns;
use crate::rows::tasks::{select_task, task};
use crate::{CancelledTask, Room, Task, TaskEnd, TaskKind, TaskStatus, Tasks};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::GroupId;
use rusqlite::{Connection, Params, Transaction, params};

#[async_trait]
impl Tasks for Sqlite {
    async fn enqueue_task(&self, task: &Task, room: Room) -> crate::Result<bool> {
        let task = task.clone();
        self.write(Durability::Full, move |tx| {
            let mut count = tx.prepare_cached(
                "SELECT count(*), count(*) FILTER (WHERE kind <> 'remember') FROM tasks
                 WHERE lane = ?1 AND status IN ('queued', 'running')",
            )?;
            let (pending, upkeep) =
                count.query_row([&task.lane], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
            let crowded = task.kind != TaskKind::Remember && upkeep >= codec::limit(room.upkeep);
            if crowded || pending >= codec::limit(room.pending) {
                return Ok(false);
            }
            tx.prepare_cached(
                "INSERT INTO tasks (id, lane, kind, client, words, mode, scope, status, cuts, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'queued', 0, ?8, ?9)",
            )?
            .execute(params![
                task.id,
                task.lane,
                task.kind.word(),
                task.client,
                task.words,
                task.mode,
                task.scope,
                task.created_at.as_microsecond(),
                task.updated_at.as_microsecond()
            ])?;
            keep(tx, &task.lane, room.kept)?;
            Ok(true)
        })
        .await
    }

    async fn task(&self, lane: &str, id: &str) -> crate::Result<Option<Task>> {
        let (lane, id) = (lane.to_owned(), id.to_owned());
        self.read(move |db| find(db, &lane, &id)).await
    }

    async fn tasks(&self, lane: &str, client: Option<&str>, limit: usize) -> crate::Result<Vec<Task>> {
        let (lane, client) = (lane.to_owned(), client.map(str::to_owned));
        self.read(move |db| {
            let mut statement =
                db.prepare_cached(select_task!("WHERE lane = ?1 AND client IS ?2 ORDER BY seq DESC LIMIT ?3"))?;
            codec::all(statement.query(params![lane, client, codec::limit(limit)])?, task)
        })
        .await
    }

    async fn pending_tasks(&self, lane: &str) -> crate::Result<usize> {
        let lane = lane.to_owned();
        self.read(move |db| {
            let mut count =
                db.prepare_cached("SELECT count(*) FROM tasks WHERE lane = ?1 AND status IN ('queued', 'running')")?;
            let count: i64 = count.query_row([lane], |row| row.get(0))?;
            Ok(usize::try_from(count).unwrap_or_default())
        })
        .await
    }

    async fn pending_ids(&self, lane: &str) -> crate::Result<Vec<String>> {
        let lane = lane.to_owned();
        self.read(move |db| {
            let sql = "SELECT id FROM tasks WHERE lane = ?1 AND status IN ('queued', 'running') ORDER BY seq";
            let mut statement = db.prepare_cached(sql)?;
            codec::all(statement.query([lane])?, |row| row.text(0))
        })
        .await
    }

    async fn busy_lanes(&self) -> crate::Result<Vec<String>> {
        self.read(|db| {
            let sql = "SELECT DISTINCT lane FROM tasks
                       WHERE status IN ('queued', 'running') OR run IS NOT NULL ORDER BY lane";
            let mut statement = db.prepare_cached(sql)?;
            codec::all(statement.query([])?, |row| row.text(0))
        })
        .await
    }

    async fn start_task(&self, lane: &str, run: &GroupId, at: Timestamp) -> crate::Result<Option<Task>> {
        let (lane, run) = (lane.to_owned(), run.clone());
        self.write(Durability::Full, move |tx| {
            let mut next =
                tx.prepare_cached("SELECT id FROM tasks WHERE lane = ?1 AND status = 'queued' ORDER BY seq LIMIT 1")?;
            let Some(id) = next.query_map([&lane], |row| row.get::<_, String>(0))?.next().transpose()? else {
                return Ok(None);
            };
            tx.prepare_cached(
                "UPDATE tasks SET status = 'running', run = ?2, worker = NULL, updated_at = ?3 WHERE id = ?1",
            )?
            .execute(params![id, run.0, at.as_microsecond()])?;
            find(tx, &lane, &id)
        })
        .await
    }

    async fn note_worker(&self, id: &str, run: &GroupId, worker: &str) -> crate::Result<()> {
        let given = (id.to_owned(), run.0.clone(), worker.to_owned());
        self.write(Durability::Full, move |tx| {
            changed(tx, "UPDATE tasks SET worker = ?3 WHERE id = ?1 AND run = ?2", given).map(drop)
        })
        .await
    }

    async fn unsettled_tasks(&self, lane: &str) -> crate::Result<Vec<Task>> {
        let lane = lane.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_task!("WHERE lane = ?1 AND run IS NOT NULL ORDER BY seq"))?;
            codec::all(statement.query([lane])?, task)
        })
        .await
    }

    async fn requeue_task(&self, id: &str, run: &GroupId, cuts: u32, at: Timestamp) -> crate::Result<bool> {
        let given = (id.to_owned(), run.0.clone(), cuts, at.as_microsecond());
        self.write(Durability::Full, move |tx| {
            let sql = "UPDATE tasks SET status = 'queued', run = NULL, worker = NULL, cuts = ?3, updated_at = ?4
                       WHERE id = ?1 AND run = ?2 AND status = 'running'";
            changed(tx, sql, given)
        })
        .await
    }

    async fn finish_task(
        &self,
        id: &str,
        run: &GroupId,
        end: &TaskEnd,
        at: Timestamp,
        kept: usize,
    ) -> crate::Result<bool> {
        let (status, result, code, message) = match end.clone() {
            TaskEnd::Completed(result) => (TaskStatus::Completed, Some(result), None, None),
            TaskEnd::Failed(code, message) => (TaskStatus::Failed, None, Some(code), Some(message)),
        };
        let id = id.to_owned();
        let given = (id.clone(), run.0.clone(), status.word(), result, code, message, at.as_microsecond());
        self.write(Durability::Full, move |tx| {
            let sql = "UPDATE tasks SET status = ?3, result = ?4, code = ?5, message = ?6, updated_at = ?7,
                         words = NULL, run = NULL, worker = NULL
                       WHERE id = ?1 AND run = ?2 AND status = 'running'";
            if !changed(tx, sql, given)? {
                return Ok(false);
            }
            let lane: String = tx.query_row("SELECT lane FROM tasks WHERE id = ?1", [&id], |row| row.get(0))?;
            keep(tx, &lane, kept)?;
            Ok(true)
        })
        .await
    }

    async fn cancel_task(&self, lane: &str, id: &str, at: Timestamp) -> crate::Result<CancelledTask> {
        let (lane, id) = (lane.to_owned(), id.to_owned());
        self.write(Durability::Full, move |tx| {
            let Some(found) = find(tx, &lane, &id)? else { return Ok(CancelledTask::Missing) };
            if !found.status.is_pending() {
                return Ok(CancelledTask::Over(found));
            }
            let sql = "UPDATE tasks SET status = 'cancelled', words = NULL, updated_at = ?2 WHERE id = ?1";
            changed(tx, sql, (&id, at.as_microsecond()))?;
            Ok(find(tx, &lane, &id)?.map_or(CancelledTask::Missing, CancelledTask::Now))
        })
        .await
    }

    async fn settle_run(&self, id: &str, run: &GroupId) -> crate::Result<()> {
        let given = (id.to_owned(), run.0.clone());
        self.write(Durability::Full, move |tx| {
            let sql = "UPDATE tasks SET run = NULL, worker = NULL WHERE id = ?1 AND run = ?2 AND status <> 'running'";
            changed(tx, sql, given).map(drop)
        })
        .await
    }
}

/// Drops the oldest tasks that are over and settled until at most `kept` are left; pending ones stay whatever their number.
fn keep(tx: &Transaction<'_>, lane: &str, kept: usize) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM tasks WHERE seq IN (
           SELECT seq FROM tasks WHERE lane = ?1 AND run IS NULL AND status NOT IN ('queued', 'running') ORDER BY seq
           LIMIT max(0, (SELECT count(*) FROM tasks WHERE lane = ?1) - ?2))",
    )?
    .execute(params![lane, codec::limit(kept)])?;
    Ok(())
}

fn changed(tx: &Transaction<'_>, sql: &str, given: impl Params) -> Result<bool> {
    Ok(tx.prepare_cached(sql)?.execute(given)? > 0)
}

fn find(db: &Connection, lane: &str, id: &str) -> Result<Option<Task>> {
    let mut statement = db.prepare_cached(select_task!("WHERE lane = ?1 AND id = ?2"))?;
    codec::first(statement.query([lane, id])?, task)
}
