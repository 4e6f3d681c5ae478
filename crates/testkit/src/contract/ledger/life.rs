//! Usage, pins and acceptance: what only the ledger knows.

use super::sample::*;
use loci_domain::change::{Identity, Place};
use loci_domain::digest::Digest;
use loci_domain::row::{Batch, DocumentRow, RootKey};
use loci_ledger::Ledger;

/// Each use counts, and the last one's time is kept.
pub async fn touch_counts(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md")]).await;
    let fresh = listed(ledger, "a.md").await;
    assert_eq!((fresh.uses, fresh.last_used_at), (0, None));
    for second in [1, 5, 3] {
        ledger.touch(&home().identity, &path("a.md"), at(second)).await.unwrap();
    }
    let used = listed(ledger, "a.md").await;
    assert_eq!((used.uses, used.last_used_at), (3, Some(at(3))));
}

/// Several at once count as each alone.
pub async fn touch_each_counts(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md"), document("c.md")]).await;
    let used = |file: &str| (home().identity, path(file));
    ledger.touch_each(&[used("a.md"), used("b.md"), used("a.md")], at(4)).await.unwrap();
    ledger.touch_each(&[], at(9)).await.unwrap();
    for (file, uses, last) in [("a.md", 2, Some(at(4))), ("b.md", 1, Some(at(4))), ("c.md", 0, None)] {
        let listed = listed(ledger, file).await;
        assert_eq!((listed.uses, listed.last_used_at), (uses, last), "{file}");
    }
}

/// True only when something changed; usage stays.
pub async fn pin_says_whether_it_changed(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md")]).await;
    ledger.touch(&home().identity, &path("a.md"), at(1)).await.unwrap();
    for (pinned, changed) in [(None, false), (Some(at(1)), true), (Some(at(2)), false), (None, true), (None, false)] {
        assert_eq!(ledger.pin(&home().identity, &path("a.md"), pinned).await.unwrap(), changed);
        let a = listed(ledger, "a.md").await;
        assert_eq!((a.pinned, a.uses), (pinned.is_some(), 1));
        assert!(!listed(ledger, "b.md").await.pinned);
    }
}

/// Other bytes are not accepted; the same bytes are, also in another file.
pub async fn acceptance_is_of_bytes(ledger: &dyn Ledger) {
    let twin = DocumentRow { digest: document("a.md").digest, ..document("twin.md") };
    keep(ledger, vec![document("a.md"), twin]).await;
    let digest = document("a.md").digest;
    assert!(!listed(ledger, "a.md").await.accepted);
    ledger.accept(&home().identity, &digest, Some(at(1))).await.unwrap();
    ledger.accept(&home().identity, &digest, Some(at(2))).await.unwrap();
    assert!(listed(ledger, "a.md").await.accepted && listed(ledger, "twin.md").await.accepted);
    keep(ledger, vec![DocumentRow { digest: Digest::of(b"changed"), ..document("a.md") }]).await;
    assert!(!listed(ledger, "a.md").await.accepted);
    keep(ledger, vec![document("a.md")]).await;
    assert!(listed(ledger, "a.md").await.accepted);
    ledger.accept(&home().identity, &digest, None).await.unwrap();
    assert!(!listed(ledger, "a.md").await.accepted);
}

/// Two folders of one identity share a life; two identities do not.
pub async fn life_belongs_to_the_identity(ledger: &dyn Ledger) {
    let worktree = RootKey { place: Place("checkout:/worktree".to_owned()), ..home() };
    let stranger = RootKey { identity: Identity("project:stranger".to_owned()), ..home() };
    keep(ledger, vec![document("a.md")]).await;
    ledger.settle(Batch { documents: vec![document("a.md")], ..Batch::new(worktree.clone(), at(0)) }).await.unwrap();
    ledger.touch(&home().identity, &path("a.md"), at(1)).await.unwrap();
    ledger.pin(&home().identity, &path("a.md"), Some(at(1))).await.unwrap();
    ledger.accept(&home().identity, &document("a.md").digest, Some(at(1))).await.unwrap();
    for (root, alive) in [(&home(), true), (&worktree, true), (&stranger, false)] {
        let one = ledger.listed_file(root, &path("a.md")).await.unwrap().unwrap();
        assert_eq!((one.uses == 1, one.pinned, one.accepted), (alive, alive, alive), "{root:?}");
        assert_eq!(ledger.listed(root).await.unwrap(), [one]);
    }
}

/// A file that is only absent here keeps its life for when it comes back, and for its other folders.
pub async fn absent_keeps_usage_and_pin(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md")]).await;
    ledger.touch(&home().identity, &path("a.md"), at(1)).await.unwrap();
    ledger.pin(&home().identity, &path("a.md"), Some(at(1))).await.unwrap();
    ledger.settle(Batch { absent: vec![path("a.md"), path("never.md")], ..batch() }).await.unwrap();
    assert_eq!(ledger.known_file(&home().place, &path("a.md")).await.unwrap(), None);
    keep(ledger, vec![document("a.md")]).await;
    let back = listed(ledger, "a.md").await;
    assert_eq!((back.uses, back.pinned), (1, true));
}

/// A file that comes back starts a new life; what was accepted of its bytes stays accepted.
pub async fn gone_loses_usage_and_pin(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md"), document("b.md")]).await;
    for file in ["a.md", "b.md"] {
        ledger.touch(&home().identity, &path(file), at(1)).await.unwrap();
        ledger.pin(&home().identity, &path(file), Some(at(1))).await.unwrap();
    }
    ledger.accept(&home().identity, &document("a.md").digest, Some(at(1))).await.unwrap();
    ledger.settle(Batch { gone: vec![path("a.md")], ..batch() }).await.unwrap();
    keep(ledger, vec![document("a.md")]).await;
    let (a, b) = (listed(ledger, "a.md").await, listed(ledger, "b.md").await);
    assert_eq!((a.uses, a.pinned, a.accepted), (0, false, true));
    assert_eq!((b.uses, b.pinned, b.accepted), (1, true, false));
}

/// A step can count uses and accept bytes as well.
pub async fn settled_use_and_acceptance(ledger: &dyn Ledger) {
    let row = document("a.md");
    let accepted = vec![row.digest];
    let step = Batch { documents: vec![row], used: vec![path("a.md")], accepted, ..Batch::new(home(), at(42)) };
    ledger.settle(step.clone()).await.unwrap();
    ledger.settle(step).await.unwrap();
    let a = listed(ledger, "a.md").await;
    assert_eq!((a.uses, a.last_used_at, a.accepted), (2, Some(at(42)), true));
}

/// A pin or use may come before the file is scanned.
pub async fn life_before_the_file_is_known(ledger: &dyn Ledger) {
    assert!(ledger.pin(&home().identity, &path("a.md"), Some(at(1))).await.unwrap());
    ledger.touch(&home().identity, &path("a.md"), at(2)).await.unwrap();
    assert_eq!(ledger.listed_file(&home(), &path("a.md")).await.unwrap(), None);
    keep(ledger, vec![document("a.md")]).await;
    let a = listed(ledger, "a.md").await;
    assert_eq!((a.uses, a.pinned), (1, true));
}
