//! Several processes and handles on one ledger.
//!
//! The workers are this test binary once more, told by the environment what to do.

use super::*;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const LEDGER: &str = "LOCI_TEST_LEDGER";
const WORKER: &str = "LOCI_TEST_WORKER";

fn worker(home: &Home, name: &str, count: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sqlite::processes::work", "--nocapture"])
        .env(LEDGER, home.db())
        .env(WORKER, format!("{name} {count}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The worker's side; does nothing when it runs as a test of its own.
#[tokio::test]
async fn work() {
    let (Ok(path), Ok(task)) = (std::env::var(LEDGER), std::env::var(WORKER)) else { return };
    let (name, count) = task.split_once(' ').unwrap();
    for number in 0..count.parse().unwrap() {
        // As a CLI does: open, write, close.
        let ledger = Sqlite::open(Path::new(&path)).unwrap();
        let change = sample::change(&format!("{name}-{number}"));
        sample::make(&ledger, std::slice::from_ref(&change)).await;
        println!("ack {}", change.id.0);
    }
}

#[tokio::test]
async fn eight_processes_lose_nothing() {
    let home = Home::new();
    let workers: Vec<Child> = (0..8).map(|n| worker(&home, &format!("w{n}"), 20)).collect();
    for worker in workers {
        let done = worker.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    }
    let ledger = home.open();
    assert_eq!(logged(&ledger).await, 160);
    assert!(ledger.check().await.unwrap().is_empty());
}

#[tokio::test]
async fn eight_threads_with_their_own_handles_lose_nothing() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let path = home.db();
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let ledger = Sqlite::open(&path).unwrap();
                runtime.block_on(many(&ledger, &format!("t{number}-"), 50));
            });
        }
    });
    assert_eq!(logged(&home.open()).await, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_and_the_writer_do_not_wait_for_each_other_for_ever() {
    let home = Home::new();
    let ledger = home.open();
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let ledger = ledger.clone();
            tokio::spawn(async move {
                many(&ledger, &format!("t{number}-"), 10).await;
                assert!(logged(&ledger).await >= 10);
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(logged(&ledger).await, 160);
}

#[tokio::test]
async fn killed_process_leaves_what_it_acknowledged() {
    let home = Home::new();
    drop(home.open());
    for round in 0..5 {
        let mut child = worker(&home, &format!("r{round}"), 1_000_000);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acked = Vec::new();
        for line in lines {
            let line = line.unwrap();
            acked.extend(line.strip_prefix("ack ").map(str::to_owned));
            if acked.len() == 7 {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        let ledger = home.open();
        for id in acked {
            assert!(ledger.change(&sample::id(&id)).await.unwrap().is_some(), "{id}");
        }
        assert!(ledger.check().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn crash_between_intend_and_settle_leaves_it_pending() {
    let home = Home::new();
    let ledger = home.open();
    ledger.intend(&[sample::change("a")], &[sample::image("a")]).await.unwrap();
    // What a crash leaves: the files as they are while the process still runs.
    let after = Home::new();
    for name in ["loci.db", "loci.db-wal"] {
        std::fs::write(after.0.path().join(name), read(&home.0.path().join(name))).unwrap();
    }
    drop(ledger);
    for home in [home, after] {
        let ledger = home.open();
        assert_eq!(sample::ids(&ledger.pending(&sample::home().place).await.unwrap()), ["a"]);
        assert_eq!(ledger.image(&sample::image("a").digest).await.unwrap().unwrap(), b"a");
    }
}
