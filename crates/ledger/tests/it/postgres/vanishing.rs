//! A server that goes and comes back, and calls that are given up.

use super::fresh;
use loci_ledger::{Catalog, Error, Journal, Leases, Postgres};
use loci_testkit::contract::ledger::sample;
use loci_testkit::servers::postgres::Cluster;
use std::time::Duration;

/// What was acknowledged as durable is there, and the next calls work, reading and writing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_is_not_noticed() {
    let mut cluster = Cluster::start();
    let database = cluster.database();
    let ledger = Postgres::open(&database.url()).await.unwrap();
    let everybody = (0..10).map(|number| {
        let ledger = ledger.clone();
        tokio::spawn(async move { ledger.set_note(&number.to_string(), Some("here")).await.unwrap() })
    });
    for one in everybody.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    cluster.stop();
    cluster.restart();
    assert_eq!(ledger.note("7").await.unwrap().as_deref(), Some("here"));
    ledger.intend(&[sample::change("a")], &[]).await.unwrap();
    cluster.stop();
    let waiting = tokio::spawn({
        let ledger = ledger.clone();
        async move { ledger.set_note("late", Some("here")).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    cluster.restart();
    waiting.await.unwrap().unwrap();
    assert_eq!(sample::ids(&ledger.pending(&sample::home().place).await.unwrap()), ["a"]);
    assert_eq!(ledger.note("late").await.unwrap().as_deref(), Some("here"));
}

/// For good: that is said, in a bounded time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stays_away_is_out_of_reach() {
    let mut cluster = Cluster::start();
    let database = cluster.database();
    let ledger = Postgres::open(&database.url()).await.unwrap();
    cluster.stop();
    let start = std::time::Instant::now();
    let gone = ledger.note("a").await.unwrap_err();
    assert!(matches!(gone, Error::Offline(_)), "{gone:?}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// Invariant: cancelled_call_leaves_nothing. No lock is left, no transaction, and the ledger goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_call_leaves_nothing() {
    let (ledger, database) = fresh().await;
    for round in 0..40 {
        let batch = loci_domain::row::Batch {
            documents: (0..50).map(|number| sample::document(&format!("{round}-{number}.md"))).collect(),
            ..sample::batch()
        };
        let _ = tokio::time::timeout(Duration::from_millis(round), ledger.settle(batch)).await;
    }
    tokio::time::timeout(Duration::from_secs(10), ledger.settle(sample::batch())).await.unwrap().unwrap();
    let files = ledger.count(&sample::home().place).await.unwrap();
    assert_eq!(files as usize, ledger.known(&sample::home().place).await.unwrap().len());
    let open = database.sql(
        "SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND application_name = 'loci'",
    );
    assert_eq!(open, "0");
    assert!(ledger.lease("nobody").await.unwrap().is_none());
}
