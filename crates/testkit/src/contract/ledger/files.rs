//! Files of a place: as recorded, moved and gone.

use super::sample::*;
use loci_domain::change::{Actor, Change};
use loci_domain::digest::Digest;
use loci_domain::row::{Batch, DocumentRow, Known, Origin};
use loci_ledger::Ledger;

/// Byte order of the whole path, in every listing.
pub async fn paths_are_in_byte_order(ledger: &dyn Ledger) {
    let order = ["A.md", "a b.md", "a-b.md", "a.md", "a/b.md", "a/c/d.md", "ab.md", "b.md", "é.md", "日.md"];
    keep(ledger, order.iter().rev().map(|file| document(file)).collect()).await;
    let known = ledger.known(&home().place).await.unwrap();
    assert_eq!(known.iter().map(|known| known.path.as_str()).collect::<Vec<_>>(), order);
    let listed = ledger.listed(&home()).await.unwrap();
    assert_eq!(listed.iter().map(|listed| listed.row.path.as_str()).collect::<Vec<_>>(), order);
    let head = ledger.index_head(&home().place, 4).await.unwrap();
    assert_eq!(head.lines, order[..4].iter().map(|file| line(file) + "\n").collect::<String>());
    assert_eq!(head.total, order.len());
}

/// One file, with stamp and digest, as last recorded.
pub async fn known_file_has_its_mark(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), unreadable("b.bin")]).await;
    for file in ["a.md", "b.bin"] {
        let expected =
            Known { path: path(file), stamp: format!("stamp of {file}"), digest: Digest::of(file.as_bytes()) };
        assert_eq!(ledger.known_file(&home().place, &path(file)).await.unwrap(), Some(expected));
    }
    assert_eq!(ledger.known_file(&home().place, &path("c.md")).await.unwrap(), None);
    assert_eq!(ledger.known_file(&root("other").place, &path("a.md")).await.unwrap(), None);
}

/// Everything is new but the origin.
pub async fn update_keeps_the_origin(ledger: &dyn Ledger) {
    let first = DocumentRow { origin: Origin::Checkout, ..document("a.md") };
    keep(ledger, vec![first]).await;
    let mut second = DocumentRow {
        stamp: "new".to_owned(),
        digest: Digest::of(b"new"),
        bytes: u64::from(u32::MAX) + 1,
        updated_at: at(99),
        origin: Origin::Made(Actor::Editor),
        ..document("a.md")
    };
    second.card.as_mut().unwrap().description = String::new();
    keep(ledger, vec![second.clone()]).await;
    let row = listed(ledger, "a.md").await.row;
    assert_eq!(
        row,
        DocumentRow { origin: Origin::Checkout, line: String::new(), search: Default::default(), ..second }
    );
    assert_eq!(ledger.count(&home().place).await.unwrap(), 1);
}

/// Files without a card are counted, but are no line of the index.
pub async fn index_head_leaves_out_the_unreadable(ledger: &dyn Ledger) {
    keep(ledger, vec![unreadable("a.bin"), document("b.md"), unreadable("c.bin"), document("d.md")]).await;
    let head = ledger.index_head(&home().place, 1).await.unwrap();
    assert_eq!((head.lines, head.total), (line("b.md") + "\n", 2));
    assert!(ledger.index_head(&home().place, 0).await.unwrap().lines.is_empty());
    assert_eq!(ledger.index_head(&home().place, usize::MAX).await.unwrap().lines.lines().count(), 2);
    assert_eq!(ledger.count(&home().place).await.unwrap(), 4);
    assert_eq!(listed(ledger, "a.bin").await.row.card, None);
    // A file may become readable, and stop to be.
    keep(ledger, vec![document("a.bin"), unreadable("d.md")]).await;
    let head = ledger.index_head(&home().place, 9).await.unwrap();
    assert_eq!(head.lines, format!("{}\n{}\n", line("a.bin"), line("b.md")));
    assert_eq!(head.total, 2);
}

/// The sums are right after every kind of step.
pub async fn counts_follow_every_step(ledger: &dyn Ledger) {
    let steps: [(Batch, u64); 6] = [
        (Batch { documents: vec![document("a.md"), document("b.md"), unreadable("c.bin")], ..batch() }, 3),
        (Batch { documents: vec![document("a.md")], ..batch() }, 3),
        (Batch { gone: vec![path("b.md"), path("b.md"), path("nobody.md")], ..batch() }, 2),
        (Batch { moved: vec![(path("a.md"), path("z.md"))], ..batch() }, 2),
        (Batch { moved: vec![(path("z.md"), path("c.bin"))], ..batch() }, 1),
        (Batch { gone: vec![path("c.bin")], ..batch() }, 0),
    ];
    for (number, (step, expected)) in steps.into_iter().enumerate() {
        ledger.settle(step).await.unwrap();
        assert_eq!(ledger.count(&home().place).await.unwrap(), expected, "step {number}");
        assert_eq!(ledger.known(&home().place).await.unwrap().len() as u64, expected, "step {number}");
    }
    assert_eq!(ledger.index_head(&home().place, 9).await.unwrap().total, 0);
}

/// A file that went is in no listing; one that was never there may go too.
pub async fn gone_is_gone(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md")]).await;
    ledger.settle(Batch { gone: vec![path("a.md"), path("never.md")], ..batch() }).await.unwrap();
    assert_eq!(ledger.known_file(&home().place, &path("a.md")).await.unwrap(), None);
    assert_eq!(ledger.listed(&home()).await.unwrap().len(), 1);
    // When it comes back, it is new: its origin too.
    keep(ledger, vec![DocumentRow { origin: Origin::Checkout, ..document("a.md") }]).await;
    assert_eq!(listed(ledger, "a.md").await.row.origin, Origin::Checkout);
}

/// Usage, pin and origin go along.
pub async fn moved_carries_usage_pin_and_origin(ledger: &dyn Ledger) {
    keep(ledger, vec![DocumentRow { origin: Origin::Checkout, ..document("a.md") }]).await;
    ledger.touch(&home().identity, &path("a.md"), at(5)).await.unwrap();
    ledger.pin(&home().identity, &path("a.md"), Some(at(5))).await.unwrap();
    let moved = vec![(path("a.md"), path("dir/b.md")), (path("unknown.md"), path("other.md"))];
    let documents = vec![DocumentRow { origin: Origin::Made(Actor::User), ..document("dir/b.md") }];
    ledger.settle(Batch { moved, documents, ..batch() }).await.unwrap();
    let after = listed(ledger, "dir/b.md").await;
    assert_eq!((after.uses, after.last_used_at, after.pinned), (1, Some(at(5)), true));
    assert_eq!(after.row.origin, Origin::Checkout);
    assert_eq!(after.row.stamp, "stamp of dir/b.md");
    keep(ledger, vec![document("a.md")]).await;
    let before = listed(ledger, "a.md").await;
    assert_eq!((before.uses, before.pinned), (0, false));
}

/// The file that was there is replaced with all that was known of it.
pub async fn moved_onto_another_replaces_it(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), DocumentRow { origin: Origin::Checkout, ..document("b.md") }]).await;
    ledger.touch(&home().identity, &path("b.md"), at(5)).await.unwrap();
    ledger.pin(&home().identity, &path("b.md"), Some(at(5))).await.unwrap();
    ledger.settle(Batch { moved: vec![(path("a.md"), path("b.md"))], ..batch() }).await.unwrap();
    let after = listed(ledger, "b.md").await;
    assert_eq!((after.uses, after.pinned, after.row.origin), (0, false, Origin::Made(Actor::Agent)));
    assert_eq!(after.row.stamp, "stamp of a.md");
    assert_eq!(ledger.count(&home().place).await.unwrap(), 1);
}

/// Moves of one step happen at once: two files may swap, and a row of files may shift.
pub async fn files_may_change_places(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md"), document("c.md")]).await;
    for (file, uses) in [("a.md", 1), ("b.md", 2), ("c.md", 3)] {
        for _ in 0..uses {
            ledger.touch(&home().identity, &path(file), at(1)).await.unwrap();
        }
    }
    let uses = async |file: &str| listed(ledger, file).await.uses;
    let swap = vec![(path("a.md"), path("b.md")), (path("b.md"), path("a.md"))];
    ledger.settle(Batch { moved: swap, ..batch() }).await.unwrap();
    assert_eq!((uses("a.md").await, uses("b.md").await, uses("c.md").await), (2, 1, 3));
    let shift = vec![(path("a.md"), path("b.md")), (path("b.md"), path("c.md")), (path("c.md"), path("d.md"))];
    ledger.settle(Batch { moved: shift, ..batch() }).await.unwrap();
    assert_eq!((uses("b.md").await, uses("c.md").await, uses("d.md").await), (2, 1, 3));
    assert_eq!(ledger.count(&home().place).await.unwrap(), 3);
}

/// Another stamp, and nothing else: the file keeps its number, and nobody has to look at it again.
pub async fn a_restamped_file_is_the_same(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md")]).await;
    let before = (ledger.numbers(&home().place).await.unwrap(), ledger.generation(&home().place).await.unwrap());
    let restamped = vec![(path("a.md"), "later".to_owned()), (path("unknown.md"), "later".to_owned())];
    ledger.settle(Batch { restamped, ..batch() }).await.unwrap();
    let known = ledger.known_file(&home().place, &path("a.md")).await.unwrap().unwrap();
    assert_eq!((known.stamp.as_str(), known.digest), ("later", document("a.md").digest));
    let after = (ledger.numbers(&home().place).await.unwrap(), ledger.generation(&home().place).await.unwrap());
    assert_eq!(after, before);
    assert_eq!(ledger.count(&home().place).await.unwrap(), 1);
}

/// Noticed, settled, moved, gone, documents, used: in this order.
pub async fn a_step_in_order(ledger: &dyn Ledger) {
    ledger.intend(&[change("mine")], &[]).await.unwrap();
    keep(ledger, vec![document("a.md")]).await;
    let step = Batch {
        noticed: vec![Change { actor: Actor::Editor, ..change("theirs") }],
        settled: vec![id("mine")],
        moved: vec![(path("a.md"), path("b.md"))],
        gone: vec![path("b.md")],
        documents: vec![document("b.md")],
        used: vec![path("b.md")],
        ..batch()
    };
    ledger.settle(step).await.unwrap();
    assert_eq!(log(ledger).await, ["theirs", "mine"]);
    assert_eq!(listed(ledger, "b.md").await.uses, 1);
    assert_eq!(ledger.count(&home().place).await.unwrap(), 1);
}
