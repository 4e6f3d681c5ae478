//! What the search index of SQLite must never do.

use super::Home;
use loci_ledger::{Catalog, Search};
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
        let found = ledger.candidates(&place, &terms).await.unwrap();
        let found: Vec<_> = found.iter().map(|found| (found.path.as_str(), found.term, found.body)).collect();
        assert_eq!(found, [("a.md", 1, 1), ("b.md", 1, 1)], "round {round}");
    }
    assert_eq!(ledger.count(&place).await.unwrap(), 2);
}
