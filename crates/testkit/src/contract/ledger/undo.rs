//! What a plain undo would take back.

use super::sample::*;
use loci_domain::change::{Actor, Change, GroupId};
use loci_domain::row::Batch;
use loci_ledger::Ledger;

/// The newest group, then the next older one, then nothing.
pub async fn newest_group_first_then_the_next_older(ledger: &dyn Ledger) {
    assert!(undoable(ledger).await.is_empty());
    make(ledger, &[grouped("a1", "a"), grouped("b1", "b"), grouped("a2", "a"), grouped("b2", "b")]).await;
    assert_eq!(undoable(ledger).await, ["b1", "b2"]);
    make(ledger, &[undo("u1", "b2"), undo("u2", "b1")]).await;
    assert_eq!(undoable(ledger).await, ["a1", "a2"]);
    make(ledger, &[undo("u3", "a2"), undo("u4", "a1")]).await;
    assert!(undoable(ledger).await.is_empty());
}

/// Only changes that are not undone yet.
pub async fn undone_part_of_a_group_is_left_out(ledger: &dyn Ledger) {
    make(ledger, &[change("old"), grouped("1", "g"), grouped("2", "g"), grouped("3", "g")]).await;
    make(ledger, &[undo("u", "2")]).await;
    assert_eq!(undoable(ledger).await, ["1", "3"]);
    let group = GroupId("g".to_owned());
    assert_eq!(ids(&ledger.standing(&group).await.unwrap()), ["1", "3"]);
    make(ledger, &[undo("u1", "1"), undo("u3", "3")]).await;
    assert!(ledger.standing(&group).await.unwrap().is_empty());
}

/// Not an editor's, not an undo itself.
pub async fn editors_and_undos_are_passed_over(ledger: &dyn Ledger) {
    make(ledger, &[change("mine"), Change { actor: Actor::Editor, ..change("theirs") }, undo("u", "nobody")]).await;
    assert_eq!(undoable(ledger).await, ["mine"]);
}

/// What is not on disk yet cannot be taken back; and an undo that is not either marks nothing.
pub async fn pending_is_not_undoable(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.intend(&[change("b"), undo("u", "a")], &[]).await.unwrap();
    assert_eq!(undoable(ledger).await, ["a"]);
    ledger.settle(Batch { settled: vec![id("u")], ..batch() }).await.unwrap();
    assert!(undoable(ledger).await.is_empty());
}

/// Groups, and their changes, of the asked places.
pub async fn only_the_asked_places(ledger: &dyn Ledger) {
    let other = root("other").place;
    let there = Change { place: other.clone(), ..grouped("there", "g") };
    let newer = Change { place: other.clone(), ..change("newer") };
    make(ledger, &[grouped("here", "g"), there, newer]).await;
    assert_eq!(undoable(ledger).await, ["here"]);
    assert_eq!(ids(&ledger.last_undoable(&[home().place, other.clone()]).await.unwrap()), ["newer"]);
    make(ledger, &[undo("u", "newer")]).await;
    assert_eq!(ids(&ledger.last_undoable(&[home().place, other]).await.unwrap()), ["here", "there"]);
    assert!(ledger.last_undoable(&[]).await.unwrap().is_empty());
    assert!(ledger.last_undoable(&[root("nowhere").place]).await.unwrap().is_empty());
}

/// Taking back an undo clears the first mark.
pub async fn undo_of_an_undo_brings_it_back(ledger: &dyn Ledger) {
    make(ledger, &[change("older"), change("a")]).await;
    make(ledger, &[undo("u", "a")]).await;
    assert_eq!(undoable(ledger).await, ["older"]);
    make(ledger, &[undo("redo", "u")]).await;
    assert_eq!(undoable(ledger).await, ["a"]);
}

/// And so on along the chain.
pub async fn undo_of_an_undo_of_an_undo(ledger: &dyn Ledger) {
    make(ledger, &[change("older"), change("a")]).await;
    for (word, undone) in [("u1", "a"), ("u2", "u1"), ("u3", "u2")] {
        make(ledger, &[undo(word, undone)]).await;
    }
    assert_eq!(undoable(ledger).await, ["older"]);
    make(ledger, &[undo("u4", "u3")]).await;
    assert_eq!(undoable(ledger).await, ["a"]);
}

/// An undo that is journaled and settled in one step.
pub async fn noticed_undo_marks_too(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.settle(Batch { noticed: vec![undo("u", "a")], ..batch() }).await.unwrap();
    assert!(undoable(ledger).await.is_empty());
}
