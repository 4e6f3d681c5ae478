//! Two nodes on one database: whatever both reach for, one of them gets, and nothing happens twice.

use super::fresh;
use loci_domain::change::GroupId;
use loci_domain::row::Batch;
use loci_ledger::{
    Catalog, Claim, Jobs, Journal, Leases, Postgres, Room, Search, Taken, Task, TaskEnd, TaskKind, TaskStatus, Tasks,
    Wanted,
};
use loci_testkit::contract::ledger::sample::{self, at};
use loci_testkit::servers::postgres::Database;
use std::collections::HashSet;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);

async fn two() -> ([Postgres; 2], Database) {
    let (one, database) = fresh().await;
    let two = Postgres::open(&database.url()).await.unwrap();
    ([one, two], database)
}

/// What each of some workers on both nodes gets until there is nothing more.
async fn drained<T: Send + 'static, F: Future<Output = Option<T>> + Send>(
    nodes: &[Postgres; 2],
    take: impl Fn(Postgres, usize) -> F + Clone + Send + 'static,
) -> Vec<T> {
    let workers: Vec<_> = (0..6)
        .map(|worker| {
            let (node, take) = (nodes[worker % 2].clone(), take.clone());
            tokio::spawn(async move {
                let mut taken = Vec::new();
                while let Some(one) = take(node.clone(), worker).await {
                    taken.push(one);
                }
                taken
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_claimed_once() {
    let (nodes, _database) = two().await;
    for number in 0..40 {
        let wanted = Wanted {
            kind: "extract".to_owned(),
            key: number.to_string(),
            project: "p".to_owned(),
            payload: String::new(),
            mark: None,
        };
        assert!(nodes[number % 2].enqueue_job(&wanted, at(0)).await.unwrap());
    }
    let claimed = drained(&nodes, |node, _| async move {
        let claim =
            Claim { kinds: &["extract"], project: None, owner: "o", lasts: LONG, tries: 3, dead: &[], not: &[] };
        node.claim_job(&claim, at(1)).await.unwrap().map(|job| (job.id, job.token))
    })
    .await;
    assert_eq!(claimed.len(), 40);
    assert_eq!(claimed.iter().map(|(id, _)| id).collect::<HashSet<_>>().len(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lane_runs_one_task_at_a_time_and_in_order() {
    let (nodes, _database) = two().await;
    for number in 0..20 {
        let task = Task {
            id: format!("{number:02}"),
            lane: "lane".to_owned(),
            kind: TaskKind::Remember,
            client: None,
            words: None,
            mode: None,
            scope: None,
            status: TaskStatus::Queued,
            end: None,
            cuts: 0,
            run: None,
            worker: None,
            created_at: at(1),
            updated_at: at(1),
        };
        let room = Room { pending: 100, upkeep: 100, kept: 100 };
        assert!(nodes[number % 2].enqueue_task(&task, room).await.unwrap());
    }
    let started = drained(&nodes, |node, worker| async move {
        let run = GroupId(format!("run-{worker}"));
        let task = node.start_task("lane", &run, at(2)).await.unwrap()?;
        assert!(node.finish_task(&task.id, &run, &TaskEnd::Completed(String::new()), at(3), 100).await.unwrap());
        Some(task.id)
    })
    .await;
    assert_eq!(started.len(), started.iter().collect::<HashSet<_>>().len());
    assert_eq!(nodes[0].pending_tasks("lane").await.unwrap(), 20 - started.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_has_one_holder_on_all_nodes() {
    let (nodes, _database) = two().await;
    for round in 0..10 {
        let name = format!("name-{round}");
        let asking: Vec<_> = (0..8)
            .map(|asker: usize| {
                let (node, name) = (nodes[asker % 2].clone(), name.clone());
                tokio::spawn(async move { node.take_lease(&name, &asker.to_string(), LONG, None).await.unwrap() })
            })
            .collect();
        let mut mine = 0;
        for one in asking {
            mine += usize::from(matches!(one.await.unwrap(), Taken::Mine(_)));
        }
        assert_eq!(mine, 1);
    }
}

/// Counters add up, and the sums of a place fit its rows, whoever settles.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_settle_one_place() {
    let (nodes, _database) = two().await;
    let settling: Vec<_> = (0..8)
        .map(|worker: usize| {
            let node = nodes[worker % 2].clone();
            tokio::spawn(async move {
                for round in 0..10 {
                    let documents = vec![
                        sample::worded(&format!("{worker}.md"), "own", "", ""),
                        sample::worded("shared.md", "shared", "", &format!("w{worker} r{round}")),
                    ];
                    sample::make(&node, &[sample::change(&format!("{worker}-{round}"))]).await;
                    let used = vec![sample::path("shared.md")];
                    node.settle(Batch { documents, used, ..sample::batch() }).await.unwrap();
                }
            })
        })
        .collect();
    for one in settling {
        one.await.unwrap();
    }
    let place = sample::home().place;
    assert_eq!(nodes[0].count(&place).await.unwrap(), 9);
    assert_eq!(nodes[1].known(&place).await.unwrap().len(), 9);
    assert_eq!(sample::log(&nodes[0]).await.len(), 80);
    assert_eq!(sample::listed(&nodes[1], "shared.md").await.uses, 80);
    assert_eq!(nodes[0].postings(&place, &["shared".to_owned()]).await.unwrap().len(), 1);
    assert_eq!(nodes[0].numbers(&place).await.unwrap().len(), 9);
}
