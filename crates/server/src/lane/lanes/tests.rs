use super::*;
use crate::events::Events;
use crate::herald::Herald;
use crate::lane::Settings;
use loci_ledger::{Ledger, Room, Sqlite};
use loci_memory::Memory;
use loci_testkit::ram::ram_store;
use std::time::Duration;

struct OneHall(Memory);

impl Halls for OneHall {
    fn open(&self, _: &Hall) -> Memory {
        self.0.clone()
    }
}

/// Lanes that rest as soon as they may.
fn lanes() -> Arc<Lanes> {
    let ledger: Arc<dyn Ledger> = Arc::new(Sqlite::in_memory().unwrap());
    let settings = Settings {
        room: Room { pending: 16, upkeep: 8, kept: 1000 },
        task: Duration::from_secs(300),
        child: Duration::from_secs(295),
        idle: Duration::ZERO,
        lease: Duration::from_secs(30),
    };
    let herald = Arc::new(Herald::new(Arc::clone(&ledger), Arc::new(Events::default())));
    let shared = Shared { ledger, settings, herald, metrics: Arc::default(), workers: Arc::default() };
    let spawn = Spawn { program: "no-such-program".into(), args: Vec::new(), environment: Vec::new(), cwd: ".".into() };
    let memory = Memory::new(ram_store().0);
    let own = Lane::new("own".to_owned(), "own".to_owned(), memory.clone(), spawn.clone(), shared.clone());
    Arc::new(Lanes::new(own, shared, Arc::new(OneHall(memory)), Arc::new(move |_| spawn.clone())))
}

async fn left(lanes: &Lanes, count: usize) {
    let soon = async {
        while lanes.others.lock().unwrap().len() > count {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), soon).await.expect("a lane is kept for ever");
}

#[tokio::test]
async fn lanes_of_what_is_gone_or_silent_are_forgotten() {
    let lanes = lanes();
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn({
        let lanes = Arc::clone(&lanes);
        async move { lanes.run(stopped).await }
    });
    let closed = lanes.close_workspace("acct_b", "ws_x", &Storage::Local).await.unwrap();
    assert_eq!(lanes.others.lock().unwrap().len(), 1);
    drop(closed);
    left(&lanes, 0).await;

    let held = lanes.of_account("acct_b");
    drop(lanes.of_workspace("acct_b", "ws_y", &Storage::Local));
    assert_eq!(lanes.others.lock().unwrap().len(), 2);
    left(&lanes, 1).await;
    assert!(lanes.known("account:acct_b").is_some(), "somebody has it in hand");
    drop(held);
    left(&lanes, 0).await;
    stop.send_replace(true);
    running.await.unwrap();
}
