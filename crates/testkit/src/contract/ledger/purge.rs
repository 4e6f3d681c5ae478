//! Purging: what is dropped is gone, and the rest still works.

use super::sample::*;
use loci_domain::change::{Change, Op};
use loci_domain::digest::Digest;
use loci_ledger::{Ledger, Scrubbed};

/// All of them, each once, however small the steps.
pub async fn images_are_walked_by_digest(ledger: &dyn Ledger) {
    assert!(ledger.images_after(None, 10).await.unwrap().is_empty());
    let words = ["a", "b", "c", "d", "e"];
    for word in words {
        make(ledger, &[change(word)]).await;
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let some = ledger.images_after(after.as_ref(), 2).await.unwrap();
        let Some(last) = some.last() else { break };
        after = Some(last.digest);
        seen.extend(some.into_iter().map(|image| image.bytes));
    }
    assert!(seen.windows(2).all(|pair| Digest::of(&pair[0]) < Digest::of(&pair[1])));
    seen.sort();
    assert_eq!(seen, words.map(|word| word.as_bytes().to_vec()));
}

/// Whatever refers to them; what was not named stays.
pub async fn dropped_images_are_gone(ledger: &dyn Ledger) {
    make(ledger, &[change("a"), change("b")]).await;
    let (a, b) = (image("a").digest, image("b").digest);
    assert_eq!(ledger.drop_images(&[a, image("unknown").digest]).await.unwrap(), 1);
    assert_eq!(ledger.drop_images(&[a]).await.unwrap(), 0);
    assert_eq!(ledger.image(&a).await.unwrap(), None);
    assert!(ledger.image(&b).await.unwrap().is_some());
    assert_eq!(log(ledger).await, ["b", "a"]);
}

/// Both names of a rename, each file once.
pub async fn files_of_images_are_named(ledger: &dyn Ledger) {
    let moved = Change {
        op: Op::Rename,
        new_path: Some(path("new.md")),
        before: change("a").after,
        after: change("a").after,
        ..change("m")
    };
    make(ledger, &[change("a"), Change { path: path("a.md"), ..moved }, change("b")]).await;
    let found = ledger.files_of(&[image("a").digest]).await.unwrap();
    let expected = ["a.md", "new.md"].map(|file| (home().place, path(file)));
    assert_eq!(found, expected);
    assert!(ledger.files_of(&[]).await.unwrap().is_empty());
}

/// In the journal of that place, and in what sessions were shown.
pub async fn a_path_gets_another_past(ledger: &dyn Ledger) {
    make(ledger, &[change("a"), change("b")]).await;
    ledger.show("s", &["/memories/global/a.md".to_owned(), "/memories/global/b.md".to_owned()], at(1)).await.unwrap();
    assert_eq!(ledger.rename_past(&home().place, &path("a.md"), &path("gone.md")).await.unwrap(), 1);
    assert_eq!(ledger.rename_past(&root("other").place, &path("b.md"), &path("gone.md")).await.unwrap(), 0);
    assert_eq!(ledger.change(&id("a")).await.unwrap().unwrap().path, path("gone.md"));
    assert_eq!(ledger.change(&id("b")).await.unwrap().unwrap().path, path("b.md"));
    assert_eq!(log(ledger).await, ["b", "a"]);
}

/// The next older one is next.
pub async fn passed_over_is_not_undone(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    make(ledger, &[change("b")]).await;
    ledger.pass_over(&[id("b"), id("unknown")]).await.unwrap();
    assert_eq!(undoable(ledger).await, ["a"]);
    assert_eq!(log(ledger).await, ["b", "a"]);
}

/// And contexts with them.
pub async fn receipts_are_dropped(ledger: &dyn Ledger) {
    ledger.keep_receipt("r", at(1), "body", 10).await.unwrap();
    ledger.keep_segment("s", "block", at(1)).await.unwrap();
    assert_eq!(ledger.drop_receipts().await.unwrap(), 2);
    assert_eq!((ledger.receipt("r").await.unwrap(), ledger.segment("s").await.unwrap()), (None, None));
    ledger.keep_receipt("r", at(1), "again", 10).await.unwrap();
    assert!(ledger.receipt("r").await.unwrap().is_some());
}

/// Search, journal and numbers are the same after it.
pub async fn a_scrub_keeps_the_rest(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "alpha", "", "beta"), worded("b.md", "alpha", "", "gamma")]).await;
    make(ledger, &[change("c")]).await;
    let place = home().place;
    let terms = ["alpha".to_owned(), "gamma".to_owned()];
    let before = (ledger.postings(&place, &terms).await.unwrap(), ledger.numbers(&place).await.unwrap());
    assert_eq!(ledger.scrub().await.unwrap(), Scrubbed::Clean);
    let after = (ledger.postings(&place, &terms).await.unwrap(), ledger.numbers(&place).await.unwrap());
    assert_eq!(before, after);
    assert_eq!(log(ledger).await, ["c"]);
    keep(ledger, vec![worded("d.md", "alpha", "", "delta")]).await;
    assert_eq!(ledger.postings(&place, &terms[..1]).await.unwrap().len(), 3);
}
