//! Vectors: kept by embedder and number, for as long as the document is.

use super::sample::*;
use loci_domain::row::Batch;
use loci_ledger::{Ledger, Vectors};

async fn numbers(ledger: &dyn Ledger) -> Vec<u64> {
    ledger.numbers(&home().place).await.unwrap()
}

async fn vectors(ledger: &dyn Ledger, embedder: &str, after: u64) -> Vec<Vectors> {
    ledger.vectors(&home().place, embedder, after, usize::MAX).await.unwrap()
}

fn packed(number: u64, byte: u8) -> Vectors {
    Vectors { number, packed: vec![byte; 768] }
}

/// Documents `0.md`, `1.md` and so on, with their numbers.
async fn three(ledger: &dyn Ledger) -> Vec<u64> {
    keep(ledger, (0..3).map(|n| document(&format!("{n}.md"))).collect()).await;
    numbers(ledger).await
}

/// Any bytes, by number whatever the order of keeping, above the one that is asked for.
pub async fn vectors_come_back_by_number(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    let large = Vectors { number: n[0], packed: (0..20_000).map(|byte| (byte % 251) as u8).collect() };
    let empty = Vectors { number: n[1], packed: Vec::new() };
    ledger.keep_vectors("e", &[packed(n[2], 7), large.clone()]).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await, [large.clone(), packed(n[2], 7)]);
    ledger.keep_vectors("e", std::slice::from_ref(&empty)).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await, [large, empty.clone(), packed(n[2], 7)]);
    assert_eq!(vectors(ledger, "e", n[0]).await, [empty, packed(n[2], 7)]);
    let first = ledger.vectors(&home().place, "e", n[0], 1).await.unwrap();
    assert_eq!(first.iter().map(|one| one.number).collect::<Vec<_>>(), [n[1]], "no more than was asked for");
    assert!(ledger.vectors(&home().place, "e", 0, 0).await.unwrap().is_empty());
    assert!(vectors(ledger, "e", n[2]).await.is_empty());
    assert!(vectors(ledger, "e", u64::MAX).await.is_empty());
    ledger.keep_vectors("e", &[]).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await.len(), 3);
}

/// Each embedder has its own, and one that never made any has none.
pub async fn embedders_are_side_by_side(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    ledger.keep_vectors("one", &[packed(n[0], 1), packed(n[1], 1)]).await.unwrap();
    ledger.keep_vectors("two", &[packed(n[1], 2), packed(n[2], 2)]).await.unwrap();
    assert_eq!(vectors(ledger, "one", 0).await, [packed(n[0], 1), packed(n[1], 1)]);
    assert_eq!(vectors(ledger, "two", 0).await, [packed(n[1], 2), packed(n[2], 2)]);
    assert!(vectors(ledger, "", 0).await.is_empty());
    assert!(vectors(ledger, "ONE", 0).await.is_empty());
    ledger.settle(Batch { gone: vec![path("1.md")], ..batch() }).await.unwrap();
    assert_eq!(vectors(ledger, "one", 0).await, [packed(n[0], 1)]);
    assert_eq!(vectors(ledger, "two", 0).await, [packed(n[2], 2)]);
}

/// The last ones count, also within one call.
pub async fn keeping_again_replaces(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    ledger.keep_vectors("e", &[packed(n[0], 1), packed(n[1], 1)]).await.unwrap();
    ledger.keep_vectors("e", &[packed(n[0], 2), packed(n[0], 3)]).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await, [packed(n[0], 3), packed(n[1], 1)]);
}

/// Rewritten, gone, absent, unreadable, moved over: the vectors are of a text that is no more.
pub async fn vectors_go_with_their_document(ledger: &dyn Ledger) {
    keep(ledger, (0..6).map(|n| document(&format!("{n}.md"))).collect()).await;
    let n = numbers(ledger).await;
    ledger.keep_vectors("e", &n.iter().map(|number| packed(*number, 1)).collect::<Vec<_>>()).await.unwrap();
    let steps = [
        Batch { documents: vec![document("0.md")], ..batch() },
        Batch { gone: vec![path("1.md")], ..batch() },
        Batch { absent: vec![path("2.md")], ..batch() },
        Batch { documents: vec![unreadable("3.md")], ..batch() },
        Batch { moved: vec![(path("0.md"), path("4.md"))], ..batch() },
    ];
    for (left, step) in steps.into_iter().enumerate() {
        ledger.settle(step).await.unwrap();
        let found = vectors(ledger, "e", 0).await;
        assert_eq!(found.iter().map(|found| found.number).collect::<Vec<_>>(), n[left + 1..]);
    }
}

/// The text is the same, so its vectors are found above the highest number known, as the document is.
pub async fn vectors_move_with_their_document(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    ledger.keep_vectors("e", &[packed(n[0], 1), packed(n[1], 2)]).await.unwrap();
    ledger.keep_vectors("f", &[packed(n[0], 3)]).await.unwrap();
    let swap = vec![(path("0.md"), path("1.md")), (path("1.md"), path("0.md"))];
    ledger.settle(Batch { moved: swap, ..batch() }).await.unwrap();
    let new = ledger.searched(&home().place, n[2]).await.unwrap();
    assert_eq!(new.iter().map(|document| document.path.as_str()).collect::<Vec<_>>(), ["1.md", "0.md"]);
    assert_eq!(vectors(ledger, "e", 0).await, [packed(new[0].number, 1), packed(new[1].number, 2)]);
    assert_eq!(vectors(ledger, "e", n[2]).await.len(), 2);
    assert_eq!(vectors(ledger, "f", 0).await, [packed(new[0].number, 3)]);
}

/// They came too late: a number that went is nobody's, whatever lies at its path.
pub async fn vectors_of_what_went_are_dropped(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    keep(ledger, vec![document("0.md"), unreadable("1.md")]).await;
    let late = [packed(n[0], 1), packed(n[1], 1), packed(n[2], 1), packed(0, 1), packed(u64::MAX, 1)];
    ledger.keep_vectors("e", &late).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await, [packed(n[2], 1)]);
    ledger.settle(Batch { gone: vec![path("2.md")], ..batch() }).await.unwrap();
    ledger.keep_vectors("e", &late).await.unwrap();
    assert!(vectors(ledger, "e", 0).await.is_empty());
}

/// One embedder works for all places; each finds its own.
pub async fn vectors_are_of_the_place(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    let other = root("other");
    ledger.settle(Batch { documents: vec![document("0.md")], ..Batch::new(other.clone(), at(0)) }).await.unwrap();
    let there = ledger.numbers(&other.place).await.unwrap()[0];
    ledger.keep_vectors("e", &[packed(there, 2), packed(n[0], 1)]).await.unwrap();
    assert_eq!(vectors(ledger, "e", 0).await, [packed(n[0], 1)]);
    assert_eq!(ledger.vectors(&other.place, "e", 0, usize::MAX).await.unwrap(), [packed(there, 2)]);
}

/// A place that was dropped takes its vectors along, and only its own.
pub async fn dropped_vectors_stay_away(ledger: &dyn Ledger) {
    let n = three(ledger).await;
    let other = root("other");
    ledger.settle(Batch { documents: vec![document("0.md")], ..Batch::new(other.clone(), at(0)) }).await.unwrap();
    let there = ledger.numbers(&other.place).await.unwrap()[0];
    ledger.keep_vectors("e", &[packed(there, 2), packed(n[0], 1)]).await.unwrap();
    ledger.drop_root(&home()).await.unwrap();
    assert!(vectors(ledger, "e", 0).await.is_empty());
    three(ledger).await;
    ledger.keep_vectors("e", &[packed(n[0], 1)]).await.unwrap();
    assert!(vectors(ledger, "e", 0).await.is_empty());
    assert_eq!(ledger.vectors(&other.place, "e", 0, usize::MAX).await.unwrap(), [packed(there, 2)]);
}
