use super::*;
use crate::jobs::extract_turn::ExtractTurn;
use crate::report::last_report;
use crate::{Desk, Quietly, Report, Room, Rooms, Settings, Where};
use async_trait::async_trait;
use jiff::Timestamp;
use loci_ledger::{JobStatus, Jobs, Sqlite};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Notify;

/// Memory that is not opened before it may be; the first look at the settings takes the ledger away.
struct Slow {
    ledger: PathBuf,
    may_open: Notify,
    looked: Notify,
}

impl Slow {
    fn new(ledger: PathBuf) -> Arc<Slow> {
        Arc::new(Slow { ledger, may_open: Notify::new(), looked: Notify::new() })
    }

    fn away(&self) -> PathBuf {
        self.ledger.with_extension("away")
    }
}

#[async_trait]
impl Rooms for Slow {
    async fn open(&self, _: &Where) -> std::result::Result<Room, String> {
        self.may_open.notified().await;
        Err("there is none".to_owned())
    }

    async fn desk(&self, _: &str) -> std::result::Result<Desk, String> {
        Err("there is none".to_owned())
    }

    fn settings(&self) -> std::result::Result<Settings, String> {
        if self.ledger.exists() && !self.away().exists() {
            std::fs::rename(&self.ledger, self.away()).unwrap();
            std::fs::create_dir(&self.ledger).unwrap();
            self.looked.notify_one();
        }
        Ok(Settings::sample())
    }
}

#[tokio::test]
async fn trouble_of_the_phases_does_not_cut_off_a_turn() {
    let home = tempfile::tempdir().unwrap();
    let rooms = Slow::new(home.path().join("loci.db"));
    let ledger = Sqlite::open(&rooms.ledger).unwrap();
    let turn = ExtractTurn { session: "s".to_owned(), place: Where::default(), transcript: None };
    ledger.enqueue_job(&turn.wanted("global".to_owned()), Timestamp::now()).await.unwrap();
    let runner = Runner::new(Arc::new(ledger.clone()), rooms.clone());
    let story = async {
        // The job is claimed and waits for its memory; the phases have just found no ledger.
        rooms.looked.notified().await;
        assert!(ledger.jobs(None, 1).await.is_err(), "the test must be able to fail");
        std::fs::remove_dir(&rooms.ledger).unwrap();
        std::fs::rename(rooms.away(), &rooms.ledger).unwrap();
        std::fs::write(rooms.away(), "it was").unwrap();
        rooms.may_open.notify_one();
        loop {
            let job = ledger.jobs(None, 1).await.unwrap().remove(0);
            if job.status == JobStatus::Error {
                break assert_eq!((job.attempts, job.error.as_deref()), (1, Some("memory_unavailable")));
            }
            tokio::task::yield_now().await;
        }
    };
    let told = tokio::select! {
        () = runner.stand_by(home.path()) => Ok(()),
        told = tokio::time::timeout(Duration::from_secs(20), story) => told,
    };
    told.expect("what came of the job is never told");
}

#[tokio::test]
async fn a_daemons_idle_run_does_not_hide_the_last_one_that_did_something() {
    let ledger = Arc::new(Sqlite::in_memory().unwrap());
    let runner = Runner::new(ledger.clone(), Slow::new(PathBuf::from("/nowhere")));
    Report { distilled: 1, ..Report::default() }.note(&*ledger).await.unwrap();
    assert!(runner.pass_unattended().await.unwrap().is_idle());
    assert_eq!(last_report(&*ledger).await.unwrap().unwrap().distilled, 1);
    // Who asks for a run is told how that went.
    runner.pass(None, Arc::new(Quietly)).await.unwrap();
    assert_eq!(last_report(&*ledger).await.unwrap().unwrap().distilled, 0);
}
