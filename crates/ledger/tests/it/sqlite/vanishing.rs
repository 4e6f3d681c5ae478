//! The file goes, or becomes another one, while a process has it open.

use super::*;
use loci_ledger::Catalog;

async fn works_again(ledger: &Sqlite, home: &Home) {
    assert_eq!(logged(ledger).await, 0);
    many(ledger, "after", 2).await;
    assert_eq!(logged(ledger).await, 2);
    assert_eq!(logged(&home.open()).await, 2);
    assert!(ledger.check().await.unwrap().is_empty());
}

#[tokio::test]
async fn deleted_ledger_is_noticed() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "before", 3).await;
    std::fs::remove_file(home.db()).unwrap();
    works_again(&ledger, &home).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_ledger_is_noticed_by_readers() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "before", 3).await;
    assert_eq!(logged(&ledger).await, 3);
    for name in home.names() {
        std::fs::remove_file(home.0.path().join(name)).unwrap();
    }
    works_again(&ledger, &home).await;
}

#[tokio::test]
async fn deleted_ledger_is_noticed_by_a_write() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "before", 3).await;
    std::fs::remove_file(home.db()).unwrap();
    ledger.set_note("k", Some("v")).await.unwrap();
    assert_eq!(home.open().note("k").await.unwrap().as_deref(), Some("v"));
}

#[tokio::test]
async fn two_handles_survive_a_deletion() {
    let home = Home::new();
    let (one, two) = (home.open(), home.open());
    many(&one, "before", 3).await;
    std::fs::remove_file(home.db()).unwrap();
    many(&one, "one", 2).await;
    many(&two, "two", 2).await;
    many(&one, "more", 2).await;
    drop(two);
    assert_eq!(logged(&one).await, 6);
    drop(one);
    assert_eq!(logged(&home.open()).await, 6);
}

#[tokio::test]
async fn emptied_ledger_is_noticed() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "before", 3).await;
    std::fs::write(home.db(), b"").unwrap();
    works_again(&ledger, &home).await;
}

#[tokio::test]
async fn replaced_ledger_is_noticed() {
    let (home, other) = (Home::new(), Home::new());
    let ledger = home.open();
    many(&ledger, "before", 3).await;
    many(&other.open(), "theirs", 5).await;
    for name in ["loci.db-wal", "loci.db-shm"] {
        std::fs::remove_file(home.0.path().join(name)).unwrap();
    }
    std::fs::rename(other.db(), home.db()).unwrap();
    assert_eq!(logged(&ledger).await, 5);
    many(&ledger, "after", 1).await;
    drop(ledger);
    assert_eq!(logged(&home.open()).await, 6);
}

#[tokio::test]
async fn removed_home_is_a_clear_error_and_not_the_end() {
    let home = Home::new();
    let folder = home.0.path().join("home");
    std::fs::create_dir(&folder).unwrap();
    let ledger = Sqlite::open(&folder.join("loci.db")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let refusal = ledger.set_note("k", Some("v")).await.unwrap_err();
    assert!(matches!(&refusal, Error::Engine(said) if said.contains("home")), "{refusal}");
    std::fs::create_dir(&folder).unwrap();
    ledger.set_note("k", Some("v")).await.unwrap();
}
