//! Opening: who may come in, and what is left untouched.

use super::fresh;
use loci_ledger::{Catalog, Error, Postgres};
use loci_testkit::servers::free_port;
use loci_testkit::servers::postgres::{Database, PASSWORD};

/// Ten nodes find nothing, and all of them can work afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_may_start_at_once() {
    let database = Database::empty().await;
    let url = database.url();
    let nodes: Vec<_> = (0..10)
        .map(|number| {
            let url = url.clone();
            tokio::spawn(async move {
                let ledger = Postgres::open(&url).await.unwrap();
                ledger.set_note(&number.to_string(), Some("here")).await.unwrap();
            })
        })
        .collect();
    for node in nodes {
        node.await.unwrap();
    }
    assert_eq!(database.sql("SELECT count(*) FROM notes"), "10");
    assert_eq!(database.sql("SELECT count(*) FROM schema_version"), "1");
}

#[tokio::test]
async fn newer_is_refused_untouched() {
    let (ledger, database) = fresh().await;
    database.sql("UPDATE schema_version SET version = 99; DROP TABLE notes");
    let refused = Postgres::open(&database.url()).await.unwrap_err();
    assert!(matches!(refused, Error::Newer { found: 99, .. }), "{refused}");
    assert_eq!(database.sql("SELECT version FROM schema_version"), "99");
    assert_eq!(database.sql("SELECT to_regclass('notes') IS NULL"), "t");
    assert_eq!(ledger.check().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_good_one_has_nothing_to_say() {
    let (ledger, _database) = fresh().await;
    assert!(ledger.check().await.unwrap().is_empty());
}

/// A wrong password, a database that is not there, nobody there at all, and no address: out of reach, and the password is
/// in no text.
#[tokio::test]
async fn out_of_reach_is_said_without_the_password() {
    let database = Database::shared().await;
    let url = database.url();
    let addresses = [
        url.replace(PASSWORD, "hunter2"),
        format!("{url}x"),
        format!("postgres://loci:hunter2@127.0.0.1:{}/loci", free_port()),
        "postgres://loci:hunter2@127.0.0.1:hunter2/loci".to_owned(),
        "hunter2".to_owned(),
    ];
    for address in addresses {
        let refused = Postgres::open(&address).await.unwrap_err();
        assert!(matches!(refused, Error::Offline(_)), "{refused:?}");
        for text in [refused.to_string(), format!("{refused:?}")] {
            assert!(!text.contains("hunter2") && !text.contains(PASSWORD), "{text}");
        }
    }
}

/// Numbers that others see begin at a time, so that a database in the place of a lost one never uses them again.
#[tokio::test]
async fn numbers_of_a_lost_ledger_are_not_used_again() {
    use loci_ledger::Search;
    use loci_testkit::contract::ledger::sample;
    let before = u64::try_from(jiff::Timestamp::now().as_microsecond()).unwrap();
    let database = Database::empty().await;
    let ledger = Postgres::open(&database.url()).await.unwrap();
    sample::keep(&ledger, vec![sample::document("a.md")]).await;
    assert!(ledger.numbers(&sample::home().place).await.unwrap()[0] > before);
}

/// A text with a NUL in it is kept, and found again by it.
#[tokio::test]
async fn a_nul_does_no_harm() {
    let (ledger, _database) = fresh().await;
    ledger.set_note("a\0b", Some("c\0d")).await.unwrap();
    assert_eq!(ledger.note("a\0b").await.unwrap().as_deref(), Some("c\u{fffd}d"));
    ledger.set_note("a\0b", None).await.unwrap();
    assert_eq!(ledger.note("a\0b").await.unwrap(), None);
}
