//! Bells: heard on every node, and again after a reconnect.

use super::fresh;
use loci_ledger::{Jobs, Postgres, Wanted};
use loci_testkit::contract::ledger::sample;
use loci_testkit::servers::postgres::Cluster;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;

/// Waits for this topic, whatever else rings.
async fn hear(bells: &mut Receiver<String>, topic: &str) {
    let heard = async { while bells.recv().await.unwrap() != topic {} };
    tokio::time::timeout(Duration::from_secs(30), heard).await.unwrap_or_else(|_| panic!("{topic} is not heard"));
}

fn wanted() -> Wanted {
    Wanted {
        kind: "extract".to_owned(),
        key: "k".to_owned(),
        project: "p".to_owned(),
        payload: String::new(),
        mark: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bells_ring_on_all_nodes() {
    let (one, database) = fresh().await;
    let two = Postgres::open(&database.url()).await.unwrap();
    let (mut near, mut far) = (one.bells(), two.bells());
    for bells in [&mut near, &mut far] {
        hear(bells, "all").await;
    }
    sample::make(&one, &[sample::change("a")]).await;
    one.enqueue_job(&wanted(), sample::at(1)).await.unwrap();
    for bells in [&mut near, &mut far] {
        hear(bells, "journal").await;
        hear(bells, "jobs").await;
    }
}

/// Some may have been missed meanwhile, so `all` rings first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bells_ring_again_after_a_restart() {
    let mut cluster = Cluster::start();
    let database = cluster.database();
    let ledger = Postgres::open(&database.url()).await.unwrap();
    let mut bells = ledger.bells();
    hear(&mut bells, "all").await;
    cluster.stop();
    cluster.restart();
    hear(&mut bells, "all").await;
    ledger.enqueue_job(&wanted(), sample::at(1)).await.unwrap();
    hear(&mut bells, "jobs").await;
}
