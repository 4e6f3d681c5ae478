//! Opening: new, shared, newer, foreign; and what is left after closing.

use super::*;
use loci_ledger::Catalog;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;

#[tokio::test]
async fn a_new_ledger_is_there_after_closing_and_nothing_else() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "c", 3).await;
    assert!(home.names().contains(&"loci.db-wal".to_owned()));
    drop(ledger);
    assert_eq!(home.names(), ["ledger.lock", "loci.db"]);
    assert_eq!(logged(&home.open()).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_with_readers_leaves_nothing_else() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "c", 1).await;
    let asks: Vec<_> = (0..16)
        .map(|_| {
            let ledger = ledger.clone();
            tokio::spawn(async move { logged(&ledger).await })
        })
        .collect();
    for ask in asks {
        assert_eq!(ask.await.unwrap(), 1);
    }
    drop(ledger);
    assert_eq!(home.names(), ["ledger.lock", "loci.db"]);
}

#[test]
fn eight_threads_open_a_new_ledger_at_once() {
    for _ in 0..5 {
        let home = Home::new();
        let start = Barrier::new(8);
        let opened: Vec<Sqlite> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(|| (start.wait(), home.open()).1)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(opened.len(), 8);
    }
}

#[tokio::test]
async fn only_the_owner_can_read_whatever_the_umask() {
    for mask in [0, 0o777] {
        let home = Home::new();
        let before = rustix::process::umask(rustix::fs::Mode::from_raw_mode(mask));
        let ledger = home.open();
        many(&ledger, "c", 1).await;
        rustix::process::umask(before);
        let names = home.names();
        assert_eq!(names, ["ledger.lock", "loci.db", "loci.db-shm", "loci.db-wal"]);
        for name in names {
            let mode = std::fs::metadata(home.0.path().join(&name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name} under umask {mask:o}");
        }
    }
}

#[test]
fn a_mode_that_is_too_wide_is_narrowed() {
    let home = Home::new();
    drop(home.open());
    std::fs::set_permissions(home.db(), PermissionsExt::from_mode(0o644)).unwrap();
    drop(home.open());
    assert_eq!(std::fs::metadata(home.db()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn newer_schema_is_refused_untouched() {
    let home = Home::new();
    many(&home.open(), "c", 3).await;
    rusqlite::Connection::open(home.db()).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let (names, bytes) = (home.names(), read(&home.db()));
    assert!(matches!(home.refusal(), Error::Newer { found: 99, .. }));
    assert!(matches!(Sqlite::repair(&home.db()).unwrap_err(), Error::Newer { found: 99, .. }));
    assert_eq!(home.names(), names);
    assert_eq!(read(&home.db()), bytes);
}

#[tokio::test]
async fn newer_schema_in_the_log_is_refused_untouched() {
    let home = Home::new();
    many(&home.open(), "c", 1).await;
    let newer = rusqlite::Connection::open(home.db()).unwrap();
    newer.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    newer.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(newer);
    let log = home.0.path().join("loci.db-wal");
    let (db_bytes, log_bytes) = (read(&home.db()), read(&log));
    assert!(matches!(home.refusal(), Error::Newer { found: 99, .. }));
    assert_eq!((read(&home.db()), read(&log)), (db_bytes, log_bytes));
}

#[tokio::test]
async fn an_empty_file_is_a_new_ledger() {
    let home = Home::new();
    std::fs::write(home.db(), b"").unwrap();
    many(&home.open(), "c", 1).await;
    assert_eq!(logged(&home.open()).await, 1);
}

#[test]
fn somebody_elses_database_is_not_taken_over() {
    let home = Home::new();
    rusqlite::Connection::open(home.db()).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(home.refusal(), Error::Corrupt(_)));
}

#[test]
fn a_missing_folder_is_an_error_with_its_name() {
    let home = Home::new();
    let refusal = Sqlite::open(&home.0.path().join("absent/loci.db")).unwrap_err();
    assert!(matches!(&refusal, Error::Engine(said) if said.contains("absent")), "{refusal}");
}

/// Nobody but root may do so, and then nothing is refused: the case is for everybody else.
#[tokio::test]
async fn a_folder_that_may_not_be_written_is_read_only() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    let home = Home::new();
    std::fs::set_permissions(home.0.path(), PermissionsExt::from_mode(0o500)).unwrap();
    let refusal = home.refusal();
    std::fs::set_permissions(home.0.path(), PermissionsExt::from_mode(0o700)).unwrap();
    assert!(matches!(refusal, Error::ReadOnly), "{refusal}");
}

#[test]
fn no_runtime_is_needed() {
    let home = Home::new();
    let ledger = home.open();
    let mut asked = Box::pin(ledger.set_note("k", Some("v")));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(matches!(asked.as_mut().poll(&mut cx), std::task::Poll::Ready(Ok(()))));
}
