//! Tasks: a lane in order, with room, and each run with its own name.

use super::sample::at;
use loci_domain::change::GroupId;
use loci_ledger::{CancelledTask, Ledger, Room, Task, TaskEnd, TaskKind, TaskStatus};

const ROOM: Room = Room { pending: 4, upkeep: 2, kept: 100 };

fn task(id: &str, kind: TaskKind) -> Task {
    Task {
        id: id.to_owned(),
        lane: "lane".to_owned(),
        kind,
        client: None,
        words: Some("words".to_owned()),
        mode: Some("clean".to_owned()),
        scope: Some("user".to_owned()),
        status: TaskStatus::Queued,
        end: None,
        cuts: 0,
        run: None,
        worker: None,
        created_at: at(1),
        updated_at: at(1),
    }
}

fn run(name: &str) -> GroupId {
    GroupId(name.to_owned())
}

async fn put(ledger: &dyn Ledger, ids: &[&str]) {
    for id in ids {
        assert!(ledger.enqueue_task(&task(id, TaskKind::Remember), Room { pending: 1000, ..ROOM }).await.unwrap());
    }
}

async fn start(ledger: &dyn Ledger, name: &str) -> Option<String> {
    ledger.start_task("lane", &run(name), at(2)).await.unwrap().map(|task| task.id)
}

async fn status(ledger: &dyn Ledger, id: &str) -> Option<TaskStatus> {
    ledger.task("lane", id).await.unwrap().map(|task| task.status)
}

async fn finish(ledger: &dyn Ledger, id: &str, name: &str, kept: usize) -> bool {
    ledger.finish_task(id, &run(name), &TaskEnd::Completed("{}".to_owned()), at(3), kept).await.unwrap()
}

/// By its lane and name, and by no other.
pub async fn a_task_comes_back_whole(ledger: &dyn Ledger) {
    let made = Task { client: Some("me".to_owned()), ..task("a", TaskKind::Forget) };
    assert!(ledger.enqueue_task(&made, ROOM).await.unwrap());
    assert_eq!(ledger.task("lane", "a").await.unwrap(), Some(made));
    assert_eq!(ledger.task("other", "a").await.unwrap(), None);
    assert_eq!(ledger.task("lane", "A").await.unwrap(), None);
}

/// One that does not fit leaves no trace; what is over makes room.
pub async fn a_lane_has_room_for_so_many(ledger: &dyn Ledger) {
    let kinds = [
        (TaskKind::Forget, true),
        (TaskKind::Dream, true),
        (TaskKind::Forget, false),
        (TaskKind::Remember, true),
        (TaskKind::Remember, true),
        (TaskKind::Remember, false),
        (TaskKind::Dream, false),
    ];
    for (n, (kind, fits)) in kinds.into_iter().enumerate() {
        assert_eq!(ledger.enqueue_task(&task(&n.to_string(), kind), ROOM).await.unwrap(), fits, "{n}");
    }
    assert_eq!(ledger.pending_tasks("lane").await.unwrap(), 4);
    assert_eq!(ledger.task("lane", "5").await.unwrap(), None);
    let elsewhere = Task { lane: "other".to_owned(), ..task("o", TaskKind::Dream) };
    assert!(ledger.enqueue_task(&elsewhere, ROOM).await.unwrap(), "lanes do not share their room");
    assert_eq!(start(ledger, "r").await.as_deref(), Some("0"));
    assert!(!ledger.enqueue_task(&task("x", TaskKind::Remember), ROOM).await.unwrap(), "a running one takes its place");
    assert!(finish(ledger, "0", "r", 100).await);
    assert!(ledger.enqueue_task(&task("x", TaskKind::Dream), ROOM).await.unwrap());
}

/// The oldest first, each once.
pub async fn tasks_start_in_their_order(ledger: &dyn Ledger) {
    put(ledger, &["b", "a", "c"]).await;
    let mut started = Vec::new();
    for name in ["1", "2", "3", "4"] {
        started.push(start(ledger, name).await);
    }
    assert_eq!(started, [Some("b".to_owned()), Some("a".to_owned()), Some("c".to_owned()), None]);
    let first = ledger.task("lane", "b").await.unwrap().unwrap();
    assert_eq!((first.status, first.run, first.updated_at), (TaskStatus::Running, Some(run("1")), at(2)));
}

/// A late run ends nothing, and nothing ends twice.
pub async fn only_its_own_run_ends_a_task(ledger: &dyn Ledger) {
    put(ledger, &["a"]).await;
    start(ledger, "1").await;
    assert!(ledger.requeue_task("a", &run("1"), 1, at(3)).await.unwrap());
    assert!(!ledger.requeue_task("a", &run("1"), 2, at(3)).await.unwrap());
    let waits = ledger.task("lane", "a").await.unwrap().unwrap();
    assert_eq!((waits.status, waits.cuts, waits.run), (TaskStatus::Queued, 1, None));
    start(ledger, "2").await;
    assert!(!finish(ledger, "a", "1", 100).await);
    let end = TaskEnd::Failed("code".to_owned(), "words".to_owned());
    assert!(ledger.finish_task("a", &run("2"), &end, at(4), 100).await.unwrap());
    assert!(!finish(ledger, "a", "2", 100).await);
    let over = ledger.task("lane", "a").await.unwrap().unwrap();
    assert_eq!((over.status, over.end, over.words, over.run), (TaskStatus::Failed, Some(end), None, None));
    assert_eq!((over.mode.as_deref(), over.updated_at), (Some("clean"), at(4)));
}

/// A waiting one never starts, a running one stays unsettled until its changes are gone, one that is over stays.
pub async fn cancelled_tasks_do_not_run(ledger: &dyn Ledger) {
    put(ledger, &["a", "b", "c"]).await;
    start(ledger, "1").await;
    for id in ["a", "b"] {
        let CancelledTask::Now(task) = ledger.cancel_task("lane", id, at(5)).await.unwrap() else { panic!("{id}") };
        assert_eq!((task.status, task.words, task.updated_at), (TaskStatus::Cancelled, None, at(5)));
    }
    assert!(matches!(ledger.cancel_task("lane", "a", at(6)).await.unwrap(), CancelledTask::Over(_)));
    assert_eq!(ledger.cancel_task("other", "c", at(6)).await.unwrap(), CancelledTask::Missing);
    assert!(!finish(ledger, "a", "1", 100).await, "it came too late");
    let unsettled: Vec<String> =
        ledger.unsettled_tasks("lane").await.unwrap().into_iter().map(|task| task.id).collect();
    assert_eq!(unsettled, ["a"]);
    ledger.settle_run("a", &run("1")).await.unwrap();
    assert!(ledger.unsettled_tasks("lane").await.unwrap().is_empty());
    assert_eq!(start(ledger, "2").await.as_deref(), Some("c"));
}

/// With the words of the process that is at it; another run's process is not noted.
pub async fn running_tasks_are_unsettled(ledger: &dyn Ledger) {
    put(ledger, &["a", "b"]).await;
    start(ledger, "1").await;
    ledger.note_worker("a", &run("1"), "pid=1").await.unwrap();
    ledger.note_worker("a", &run("0"), "pid=2").await.unwrap();
    ledger.settle_run("a", &run("1")).await.unwrap();
    let unsettled = ledger.unsettled_tasks("lane").await.unwrap();
    assert_eq!(unsettled.len(), 1);
    assert_eq!((unsettled[0].status, unsettled[0].worker.as_deref()), (TaskStatus::Running, Some("pid=1")));
    assert!(ledger.unsettled_tasks("other").await.unwrap().is_empty());
}

/// Pending ones stay, whatever their number.
pub async fn the_oldest_that_are_over_go(ledger: &dyn Ledger) {
    put(ledger, &["a", "b", "c", "d"]).await;
    for (id, name) in [("a", "1"), ("b", "2"), ("c", "3")] {
        start(ledger, name).await;
        assert!(finish(ledger, id, name, 3).await);
    }
    let left: Vec<String> = ledger.tasks("lane", None, 10).await.unwrap().into_iter().map(|task| task.id).collect();
    assert_eq!(left, ["d", "c", "b"]);
    assert!(ledger.enqueue_task(&task("e", TaskKind::Remember), Room { kept: 1, ..ROOM }).await.unwrap());
    let left: Vec<String> = ledger.tasks("lane", None, 10).await.unwrap().into_iter().map(|task| task.id).collect();
    assert_eq!(left, ["e", "d"]);
}

/// A client's own, or nobody's; newest first and bounded.
pub async fn tasks_are_listed_by_client(ledger: &dyn Ledger) {
    for (id, client) in [("a", None), ("b", Some("me")), ("c", Some("you")), ("d", Some("me"))] {
        let task = Task { client: client.map(str::to_owned), ..task(id, TaskKind::Remember) };
        assert!(ledger.enqueue_task(&task, ROOM).await.unwrap());
    }
    for (client, limit, want) in
        [(None, 9, vec!["a"]), (Some("me"), 9, vec!["d", "b"]), (Some("me"), 1, vec!["d"]), (Some("Me"), 9, vec![])]
    {
        let ids: Vec<String> =
            ledger.tasks("lane", client, limit).await.unwrap().into_iter().map(|task| task.id).collect();
        assert_eq!(ids, want);
    }
}

/// What it was asked and what it answered may hold what is purged.
pub async fn purging_drops_tasks_that_are_over(ledger: &dyn Ledger) {
    put(ledger, &["a", "b"]).await;
    start(ledger, "1").await;
    assert!(finish(ledger, "a", "1", 100).await);
    ledger.drop_receipts().await.unwrap();
    assert_eq!((status(ledger, "a").await, status(ledger, "b").await), (None, Some(TaskStatus::Queued)));
}
