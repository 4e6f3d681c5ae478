use super::*;
use crate::Sqlite;
use loci_store::record::Catalog;

/// A ledger whose only note is still in its log.
async fn logged() -> (Vec<u8>, Vec<u8>) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("loci.db");
    let ledger = Sqlite::open(&path).unwrap();
    ledger.set_note("k", Some("v")).await.unwrap();
    (fs::read(&path).unwrap(), fs::read(file::beside(&path, "-wal")).unwrap())
}

#[tokio::test]
async fn a_crash_in_a_repair_loses_nothing() {
    let (db, log) = logged().await;
    for crash in 0.. {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("loci.db");
        fs::write(&path, &db).unwrap();
        fs::write(file::beside(&path, "-wal"), &log).unwrap();
        let (copy, fresh) = (file::beside(&path, ".salvage"), file::beside(&path, ".repaired"));
        rebuild(&path, &copy, &fresh).unwrap();
        let steps = steps(&path, &fresh, &file::beside(&path, ".damaged-now"));
        assert_eq!(steps.len(), 4);
        for (from, to) in steps.iter().take(crash) {
            fs::rename(from, to).unwrap();
        }
        // Twice: also what is left by the first opening is a ledger.
        for _ in 0..2 {
            let ledger = Sqlite::open(&path).unwrap();
            assert_eq!(ledger.note("k").await.unwrap().as_deref(), Some("v"), "after {crash} steps");
            assert!(ledger.check().await.unwrap().is_empty());
        }
        if crash == steps.len() {
            break;
        }
    }
}

#[tokio::test]
async fn a_repair_starts_again_after_a_crash() {
    let (db, log) = logged().await;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("loci.db");
    fs::write(&path, &db).unwrap();
    fs::write(file::beside(&path, "-wal"), &log).unwrap();
    fs::write(file::beside(&path, file::READY), "of an earlier repair").unwrap();
    assert_eq!(repair(&path).unwrap().notes, 1);
    assert!(!file::beside(&path, file::READY).exists());
    assert_eq!(Sqlite::open(&path).unwrap().note("k").await.unwrap().as_deref(), Some("v"));
}
