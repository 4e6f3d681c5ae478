//! Numbers of documents: what somebody who keeps them in memory goes by.

use super::sample::*;
use loci_domain::row::{Batch, DocumentRow};
use loci_ledger::{Ledger, Searched};
use std::collections::{BTreeMap, HashSet};

async fn searched(ledger: &dyn Ledger, after: u64) -> Vec<Searched> {
    ledger.searched(&home().place, after).await.unwrap()
}

/// Numbers with their files.
async fn numbered(ledger: &dyn Ledger) -> Vec<(u64, String)> {
    searched(ledger, 0).await.into_iter().map(|document| (document.number, document.path.to_string())).collect()
}

async fn number(ledger: &dyn Ledger, file: &str) -> u64 {
    numbered(ledger).await.into_iter().find(|(_, path)| path == file).unwrap().0
}

async fn generation(ledger: &dyn Ledger) -> u64 {
    ledger.generation(&home().place).await.unwrap()
}

/// Everything that a ranker needs, as it was recorded.
pub async fn searched_comes_back_whole(ledger: &dyn Ledger) {
    let first = worded("dir/a.md", "one", "one two", "one two three");
    keep(ledger, vec![first.clone()]).await;
    let mut last = worded("b.md", "", "", "");
    last.card.as_mut().unwrap().description = String::new();
    keep(ledger, vec![last.clone(), first.clone()]).await;
    let numbers = ledger.numbers(&home().place).await.unwrap();
    let whole = |row: DocumentRow, number: u64, words: [u32; 3]| Searched {
        number,
        path: row.path,
        kind: row.card.unwrap().kind,
        updated_at: row.updated_at,
        words,
    };
    let expected = [whole(last, numbers[0], [0; 3]), whole(first, numbers[1], [1, 2, 3])];
    assert_eq!(searched(ledger, 0).await, expected);
    assert_eq!(searched(ledger, numbers[0]).await, expected[1..]);
    assert!(searched(ledger, numbers[1]).await.is_empty());
    assert!(searched(ledger, u64::MAX).await.is_empty());
}

/// In the order in which they are asked for; what went, never was or lies elsewhere has none.
pub async fn cards_are_by_number(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), worded("b.md", "one", "two", "three"), unreadable("c.md")]).await;
    let (a, b) = (number(ledger, "a.md").await, number(ledger, "b.md").await);
    let card = |row: DocumentRow| row.card.unwrap();
    let cards = ledger.cards(&home().place, &[b, u64::MAX, a, a + b + 1]).await.unwrap();
    assert_eq!(cards, [(b, card(worded("b.md", "one", "two", "three"))), (a, card(document("a.md")))]);
    assert!(ledger.cards(&root("nowhere").place, &[a]).await.unwrap().is_empty());
    keep(ledger, vec![document("a.md")]).await;
    assert!(ledger.cards(&home().place, &[a]).await.unwrap().is_empty());
}

/// A place that is not on record has nothing, and its generation is 0.
pub async fn unknown_place_has_none(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md")]).await;
    let place = root("nowhere").place;
    assert_eq!(ledger.generation(&place).await.unwrap(), 0);
    assert!(ledger.searched(&place, 0).await.unwrap().is_empty());
    assert!(ledger.numbers(&place).await.unwrap().is_empty());
    assert!(ledger.postings(&place, &["body".to_owned()]).await.unwrap().is_empty());
    assert!(ledger.vectors(&place, "e", 0, usize::MAX).await.unwrap().is_empty());
}

/// The new version is above all others, and the old number is not among the numbers any more.
pub async fn a_rewrite_takes_a_higher_number(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md")]).await;
    let (a, b) = (number(ledger, "a.md").await, number(ledger, "b.md").await);
    assert!(a < b && a > 0);
    // Also when nothing of it is new.
    keep(ledger, vec![document("a.md")]).await;
    let again = number(ledger, "a.md").await;
    assert!(again > b);
    assert_eq!(ledger.numbers(&home().place).await.unwrap(), [b, again]);
}

/// A move as well: whoever asks for what is above the highest number it has gets the new path.
pub async fn a_move_takes_a_higher_number(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md"), document("c.md")]).await;
    let before = ledger.numbers(&home().place).await.unwrap();
    let moved = vec![(path("a.md"), path("z.md")), (path("b.md"), path("c.md"))];
    ledger.settle(Batch { moved, ..batch() }).await.unwrap();
    let new = searched(ledger, before[2]).await;
    let paths: Vec<_> = new.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(paths, ["z.md", "c.md"]);
    // It is the same document in all else.
    let cards = ledger.cards(&home().place, &[new[0].number]).await.unwrap();
    assert_eq!(cards, [(new[0].number, document("a.md").card.unwrap())]);
    let left = ledger.numbers(&home().place).await.unwrap();
    assert_eq!(left, [new[0].number, new[1].number]);
}

/// Not by a file that comes after the last one went, not by a place that was dropped and comes back.
pub async fn numbers_are_never_used_again(ledger: &dyn Ledger) {
    let mut highest = 0;
    for round in 0..60 {
        keep(ledger, vec![document("a.md"), document("b.md")]).await;
        ledger.settle(Batch { moved: vec![(path("a.md"), path("c.md"))], ..batch() }).await.unwrap();
        let numbers = ledger.numbers(&home().place).await.unwrap();
        assert!(numbers[0] > highest && numbers.is_sorted(), "round {round}");
        highest = numbers[1];
        match round % 3 {
            0 => ledger.drop_root(&home()).await.unwrap(),
            1 => ledger.settle(Batch { gone: vec![path("b.md"), path("c.md")], ..batch() }).await.unwrap(),
            _ => ledger.settle(Batch { absent: vec![path("b.md"), path("c.md")], ..batch() }).await.unwrap(),
        }
        assert!(ledger.numbers(&home().place).await.unwrap().is_empty());
    }
}

/// Each place has its own documents, but no two documents have one number.
pub async fn numbers_are_of_the_place(ledger: &dyn Ledger) {
    let mut all = HashSet::new();
    for word in ["a", "b", "a", "b"] {
        ledger.settle(Batch { documents: vec![document("a.md")], ..Batch::new(root(word), at(0)) }).await.unwrap();
        let numbers = ledger.numbers(&root(word).place).await.unwrap();
        assert_eq!(numbers.len(), 1);
        assert!(all.insert(numbers[0]));
    }
}

/// A file that cannot be read is no document, until it can.
pub async fn unreadable_has_no_number(ledger: &dyn Ledger) {
    keep(ledger, vec![unreadable("a.bin"), document("b.md")]).await;
    assert_eq!(numbered(ledger).await.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["b.md"]);
    keep(ledger, vec![document("a.bin"), unreadable("b.md")]).await;
    assert_eq!(numbered(ledger).await.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["a.bin"]);
    assert_eq!(ledger.numbers(&home().place).await.unwrap().len(), 1);
}

/// Came, changed, moved, became unreadable, went: each step has its own mark.
pub async fn generation_differs_with_every_document(ledger: &dyn Ledger) {
    let steps = [
        Batch { documents: vec![document("a.md"), document("b.md")], ..batch() },
        Batch { documents: vec![document("a.md")], ..batch() },
        Batch { moved: vec![(path("a.md"), path("c.md"))], ..batch() },
        Batch { moved: vec![(path("c.md"), path("b.md"))], ..batch() },
        Batch { documents: vec![unreadable("b.md")], ..batch() },
        Batch { documents: vec![document("b.md")], ..batch() },
        Batch { gone: vec![path("b.md")], ..batch() },
        Batch { documents: vec![document("b.md")], ..batch() },
        Batch { absent: vec![path("b.md")], ..batch() },
    ];
    let mut seen = HashSet::from([generation(ledger).await]);
    for (number, step) in steps.into_iter().enumerate() {
        ledger.settle(step).await.unwrap();
        assert!(seen.insert(generation(ledger).await), "step {number}");
    }
}

/// What is no document leaves the mark as it is, so that nobody reads again for nothing.
pub async fn generation_stays_for_all_else(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), unreadable("a.bin")]).await;
    let before = generation(ledger).await;
    make(ledger, &[change("x")]).await;
    ledger.intend(&[change("pending")], &[]).await.unwrap();
    ledger.touch(&home().identity, &path("a.md"), at(1)).await.unwrap();
    ledger.pin(&home().identity, &path("a.md"), Some(at(1))).await.unwrap();
    ledger.accept(&home().identity, &document("a.md").digest, Some(at(1))).await.unwrap();
    ledger.settle(Batch { used: vec![path("a.md")], gone: vec![path("never.md")], ..batch() }).await.unwrap();
    ledger.set_rules(&home().place, 7).await.unwrap();
    keep(ledger, vec![unreadable("a.bin"), unreadable("b.bin")]).await;
    let moved = vec![(path("a.bin"), path("c.bin")), (path("never.md"), path("b.bin"))];
    ledger.settle(Batch { moved, ..batch() }).await.unwrap();
    ledger.settle(Batch { gone: vec![path("c.bin")], ..batch() }).await.unwrap();
    ledger.settle(Batch { documents: vec![document("a.md")], ..Batch::new(root("other"), at(0)) }).await.unwrap();
    let packed = vec![1, 2, 3];
    let vectors = [loci_ledger::Vectors { number: number(ledger, "a.md").await, packed }];
    ledger.keep_vectors("e", &vectors).await.unwrap();
    assert_eq!(generation(ledger).await, before);
}

/// A place that was dropped and looks as before is not mistaken for what it was.
pub async fn generation_is_never_the_same_again(ledger: &dyn Ledger) {
    let mut seen = HashSet::new();
    for _ in 0..10 {
        keep(ledger, vec![document("a.md")]).await;
        assert!(seen.insert(generation(ledger).await));
        ledger.drop_root(&home()).await.unwrap();
        assert_eq!(generation(ledger).await, 0);
    }
}

/// Generation, numbers, and documents above the highest number known are enough to follow everything.
pub async fn whoever_follows_the_numbers_misses_nothing(ledger: &dyn Ledger) {
    let file = |n: usize| format!("{}.md", n % 7);
    let (mut kept, mut mark, mut highest) = (BTreeMap::new(), 0, 0);
    for round in 0..80 {
        let (one, two) = (file(round * 3), file(round * 5 + 1));
        let step = match round % 5 {
            0 | 1 => Batch { documents: vec![document(&one), document(&two)], ..batch() },
            2 => Batch { moved: vec![(path(&one), path(&two)), (path(&two), path(&one))], ..batch() },
            3 => Batch { moved: vec![(path(&one), path("9.md"))], gone: vec![path(&two)], ..batch() },
            _ => Batch { documents: vec![unreadable(&one)], absent: vec![path(&two)], ..batch() },
        };
        // Two files that are the same one do not change places.
        ledger.settle(if one == two { batch() } else { step }).await.unwrap();
        let now = generation(ledger).await;
        if now != mark {
            let new = searched(ledger, highest).await;
            highest = new.last().map_or(highest, |document| document.number);
            kept.extend(new.into_iter().map(|document| (document.number, document)));
            let left = ledger.numbers(&home().place).await.unwrap();
            kept.retain(|number, _| left.binary_search(number).is_ok());
            mark = now;
        }
        let all = searched(ledger, 0).await;
        assert_eq!(kept.values().cloned().collect::<Vec<_>>(), all, "round {round}");
        let cards = ledger.listed(&home()).await.unwrap().into_iter().filter(|listed| listed.row.card.is_some());
        let mut paths: Vec<_> = all.iter().map(|document| document.path.clone()).collect();
        paths.sort_by(|one, two| one.as_str().cmp(two.as_str()));
        assert_eq!(cards.map(|listed| listed.row.path).collect::<Vec<_>>(), paths, "round {round}");
    }
}
