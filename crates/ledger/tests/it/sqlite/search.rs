//! What the search index of SQLite must never do.

use super::Home;
use jiff::Timestamp;
use loci_ledger::{Catalog, Search, Vectors};
use loci_testkit::contract::ledger::sample;

/// Postings of a text that was rewritten, and is not merged away yet, are never read as another text's.
#[tokio::test]
async fn search_row_is_never_reused() {
    let home = Home::new();
    let ledger = home.open();
    let place = sample::home().place;
    let terms = ["old".to_owned(), "new".to_owned()];
    for round in 0..100 {
        sample::keep(&ledger, vec![sample::worded("a.md", "n", "d", "old words")]).await;
        sample::keep(
            &ledger,
            vec![sample::worded("a.md", "n", "d", "new words"), sample::worded("b.md", "n", "d", "new")],
        )
        .await;
        let documents = ledger.searched(&place, 0).await.unwrap();
        let paths: Vec<_> = documents.iter().map(|document| document.path.as_str()).collect();
        assert_eq!(paths, ["a.md", "b.md"]);
        let found = ledger.postings(&place, &terms).await.unwrap();
        let found: Vec<_> = found.iter().map(|found| (found.number, found.term, found.times)).collect();
        let expected = [(documents[0].number, 1, [0, 0, 1]), (documents[1].number, 1, [0, 0, 1])];
        assert_eq!(found, expected, "round {round}");
    }
    assert_eq!(ledger.count(&place).await.unwrap(), 2);
}

/// Whoever keeps documents in memory must not take those of a new ledger for the ones that it has.
#[tokio::test]
async fn numbers_of_a_lost_ledger_are_not_used_again() {
    let home = Home::new();
    let ledger = home.open();
    let place = sample::home().place;
    let rows = || (0..5).map(|n| sample::document(&format!("{n}.md"))).collect();
    let (mut highest, mut marks) = (0, Vec::new());
    for round in 0..3 {
        sample::keep(&ledger, rows()).await;
        let numbers = ledger.numbers(&place).await.unwrap();
        assert!(numbers[0] > highest, "round {round}");
        assert_eq!(ledger.searched(&place, highest).await.unwrap().len(), 5);
        ledger.keep_vectors("e", &[Vectors { number: highest, packed: vec![1] }]).await.unwrap();
        assert!(ledger.vectors(&place, "e", 0, usize::MAX).await.unwrap().is_empty(), "they are of the lost one");
        highest = numbers[4];
        marks.push(ledger.generation(&place).await.unwrap());
        // A ledger knows when it was made to the millisecond.
        let now = Timestamp::now().as_millisecond();
        while Timestamp::now().as_millisecond() == now {}
        match round {
            0 => std::fs::remove_file(home.db()).unwrap(),
            _ => std::fs::write(home.db(), b"").unwrap(),
        }
    }
    marks.dedup();
    assert_eq!(marks.len(), 3);
}
