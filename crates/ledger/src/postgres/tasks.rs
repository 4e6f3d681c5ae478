//! The tasks topic on PostgreSQL: one row a task, the number of the row its place in the lane.
//!
//! Who adds to a lane, starts from it or cancels in it holds the lane. The end of a run is one statement that names the
//! run, so the row alone decides who was first. A lane that changes rings its bell.

use super::bells::ring;
use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::rows::tasks::{select_task, task, task_columns};
use crate::{CancelledTask, Room, Task, TaskEnd, TaskKind, TaskStatus, Tasks};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::GroupId;
use sqlx::{PgConnection, Row, query, query_scalar};

#[async_trait]
impl Tasks for Postgres {
    async fn enqueue_task(&self, task: &Task, room: Room) -> crate::Result<bool> {
        writing!(self, Subject::lane(&task.lane), Durability::Full, |db| {
            let lane = codec::text(&task.lane);
            let count = "SELECT count(*), count(*) FILTER (WHERE kind <> 'remember') FROM tasks
                         WHERE lane = $1 AND status IN ('queued', 'running')";
            let count = query(count).bind(&*lane).fetch_one(&mut *db).await?;
            let (pending, upkeep): (i64, i64) = (count.try_get(0)?, count.try_get(1)?);
            let crowded = task.kind != TaskKind::Remember && upkeep >= codec::limit(room.upkeep);
            if crowded || pending >= codec::limit(room.pending) {
                return Ok(false);
            }
            let insert = query(
                "INSERT INTO tasks (id, lane, kind, client, words, mode, scope, status, cuts, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', 0, $8, $9)",
            );
            insert
                .bind(codec::text(&task.id))
                .bind(&*lane)
                .bind(task.kind.word())
                .bind(codec::maybe_text(task.client.as_deref()))
                .bind(codec::maybe_text(task.words.as_deref()))
                .bind(codec::maybe_text(task.mode.as_deref()))
                .bind(codec::maybe_text(task.scope.as_deref()))
                .bind(task.created_at.as_microsecond())
                .bind(task.updated_at.as_microsecond())
                .execute(&mut *db)
                .await?;
            keep(db, &lane, room.kept).await?;
            changed(db, Some(&lane)).await
        })
    }

    async fn task(&self, lane: &str, id: &str) -> crate::Result<Option<Task>> {
        asking!(self, |db| { find(db, lane, id).await })
    }

    async fn tasks(&self, lane: &str, client: Option<&str>, limit: usize) -> crate::Result<Vec<Task>> {
        asking!(self, |db| {
            let sql = select_task!("WHERE lane = $1 AND client IS NOT DISTINCT FROM $2 ORDER BY seq DESC LIMIT $3");
            let asked = query(sql).bind(codec::text(lane)).bind(codec::maybe_text(client)).bind(codec::limit(limit));
            codec::all(&asked.fetch_all(&mut *db).await?, task)
        })
    }

    async fn pending_tasks(&self, lane: &str) -> crate::Result<usize> {
        asking!(self, |db| {
            let count = query_scalar("SELECT count(*) FROM tasks WHERE lane = $1 AND status IN ('queued', 'running')");
            let count: i64 = count.bind(codec::text(lane)).fetch_one(&mut *db).await?;
            Ok(usize::try_from(count).unwrap_or_default())
        })
    }

    async fn pending_ids(&self, lane: &str) -> crate::Result<Vec<String>> {
        asking!(self, |db| {
            let sql = "SELECT id FROM tasks WHERE lane = $1 AND status IN ('queued', 'running') ORDER BY seq";
            Ok(query_scalar(sql).bind(codec::text(lane)).fetch_all(&mut *db).await?)
        })
    }

    async fn busy_lanes(&self) -> crate::Result<Vec<String>> {
        asking!(self, |db| {
            let sql = "SELECT DISTINCT lane FROM tasks
                       WHERE status IN ('queued', 'running') OR run IS NOT NULL ORDER BY lane";
            Ok(query_scalar(sql).fetch_all(&mut *db).await?)
        })
    }

    async fn start_task(&self, lane: &str, run: &GroupId, at: Timestamp) -> crate::Result<Option<Task>> {
        writing!(self, Subject::lane(lane), Durability::Full, |db| {
            let sql = concat!(
                "UPDATE tasks SET status = 'running', run = $2, worker = NULL, updated_at = $3
                 WHERE seq = (SELECT seq FROM tasks WHERE lane = $1 AND status = 'queued' ORDER BY seq LIMIT 1)
                 RETURNING ",
                task_columns!()
            );
            let start = query(sql).bind(codec::text(lane)).bind(codec::text(&run.0)).bind(at.as_microsecond());
            codec::first(start.fetch_optional(&mut *db).await?, task)
        })
    }

    async fn note_worker(&self, id: &str, run: &GroupId, worker: &str) -> crate::Result<()> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let note = query("UPDATE tasks SET worker = $3 WHERE id = $1 AND run = $2");
            let note = note.bind(codec::text(id)).bind(codec::text(&run.0)).bind(codec::text(worker));
            note.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn unsettled_tasks(&self, lane: &str) -> crate::Result<Vec<Task>> {
        asking!(self, |db| {
            let sql = select_task!("WHERE lane = $1 AND run IS NOT NULL ORDER BY seq");
            codec::all(&query(sql).bind(codec::text(lane)).fetch_all(&mut *db).await?, task)
        })
    }

    async fn requeue_task(&self, id: &str, run: &GroupId, cuts: u32, at: Timestamp) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let requeue = query_scalar(
                "UPDATE tasks SET status = 'queued', run = NULL, worker = NULL, cuts = $3, updated_at = $4
                 WHERE id = $1 AND run = $2 AND status = 'running' RETURNING lane",
            );
            let requeue = requeue.bind(codec::text(id)).bind(codec::text(&run.0)).bind(i64::from(cuts));
            let lane: Option<String> = requeue.bind(at.as_microsecond()).fetch_optional(&mut *db).await?;
            changed(db, lane.as_deref()).await
        })
    }

    async fn finish_task(
        &self,
        id: &str,
        run: &GroupId,
        end: &TaskEnd,
        at: Timestamp,
        kept: usize,
    ) -> crate::Result<bool> {
        let (status, result, code, message) = match end {
            TaskEnd::Completed(result) => (TaskStatus::Completed, Some(result.as_str()), None, None),
            TaskEnd::Failed(code, message) => (TaskStatus::Failed, None, Some(code.as_str()), Some(message.as_str())),
        };
        writing!(self, Subject::none(), Durability::Full, |db| {
            let finish = query_scalar(
                "UPDATE tasks SET status = $3, result = $4, code = $5, message = $6, updated_at = $7,
                   words = NULL, run = NULL, worker = NULL
                 WHERE id = $1 AND run = $2 AND status = 'running' RETURNING lane",
            );
            let lane: Option<String> = finish
                .bind(codec::text(id))
                .bind(codec::text(&run.0))
                .bind(status.word())
                .bind(codec::maybe_text(result))
                .bind(codec::maybe_text(code))
                .bind(codec::maybe_text(message))
                .bind(at.as_microsecond())
                .fetch_optional(&mut *db)
                .await?;
            if let Some(lane) = &lane {
                keep(db, lane, kept).await?;
            }
            changed(db, lane.as_deref()).await
        })
    }

    async fn cancel_task(&self, lane: &str, id: &str, at: Timestamp) -> crate::Result<CancelledTask> {
        writing!(self, Subject::lane(lane), Durability::Full, |db| {
            let sql = concat!(
                "UPDATE tasks SET status = 'cancelled', words = NULL, updated_at = $3
                 WHERE lane = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING ",
                task_columns!()
            );
            let cancel = query(sql).bind(codec::text(lane)).bind(codec::text(id)).bind(at.as_microsecond());
            let Some(row) = cancel.fetch_optional(&mut *db).await? else {
                return Ok(find(db, lane, id).await?.map_or(CancelledTask::Missing, CancelledTask::Over));
            };
            changed(db, Some(lane)).await?;
            Ok(CancelledTask::Now(task(&row)?))
        })
    }

    async fn settle_run(&self, id: &str, run: &GroupId) -> crate::Result<()> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let sql = "UPDATE tasks SET run = NULL, worker = NULL WHERE id = $1 AND run = $2 AND status <> 'running'";
            query(sql).bind(codec::text(id)).bind(codec::text(&run.0)).execute(&mut *db).await?;
            Ok(())
        })
    }
}

/// Drops the oldest tasks that are over and settled until at most `kept` are left; pending ones stay whatever their number.
async fn keep(db: &mut PgConnection, lane: &str, kept: usize) -> Result<()> {
    let sql = "DELETE FROM tasks WHERE seq IN (
                 SELECT seq FROM tasks WHERE lane = $1 AND run IS NULL AND status NOT IN ('queued', 'running') ORDER BY seq
                 LIMIT greatest(0, (SELECT count(*) FROM tasks WHERE lane = $1) - $2))";
    query(sql).bind(lane).bind(codec::limit(kept)).execute(db).await?;
    Ok(())
}

/// Rings the bell of a lane in which something changed; says whether something did.
async fn changed(db: &mut PgConnection, lane: Option<&str>) -> Result<bool> {
    let Some(lane) = lane else { return Ok(false) };
    ring(db, &format!("lane:{lane}")).await?;
    Ok(true)
}

async fn find(db: &mut PgConnection, lane: &str, id: &str) -> Result<Option<Task>> {
    let asked = query(select_task!("WHERE lane = $1 AND id = $2"));
    let row = asked.bind(codec::text(lane)).bind(codec::text(id)).fetch_optional(db).await?;
    codec::first(row, task)
}
