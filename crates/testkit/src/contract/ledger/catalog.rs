//! Places: what is known of them, and how they are forgotten.

use super::sample::*;
use loci_domain::change::{Identity, Image};
use loci_domain::row::{Batch, RootKey};
use loci_ledger::{IndexHead, Ledger};

/// Nothing is known of a place that was never recorded; asking does not put it on record.
pub async fn unknown_place_is_empty(ledger: &dyn Ledger) {
    let RootKey { place, .. } = root("nowhere");
    assert!(ledger.known(&place).await.unwrap().is_empty());
    assert_eq!(ledger.known_file(&place, &path("a.md")).await.unwrap(), None);
    assert_eq!(ledger.rules(&place).await.unwrap(), None);
    assert_eq!(ledger.count(&place).await.unwrap(), 0);
    assert_eq!(ledger.index_head(&place, 10).await.unwrap(), IndexHead::default());
    assert!(ledger.listed(&root("nowhere")).await.unwrap().is_empty());
    assert_eq!(ledger.listed_file(&root("nowhere"), &path("a.md")).await.unwrap(), None);
    assert!(ledger.searched(&place, 0).await.unwrap().is_empty());
    assert!(ledger.roots().await.unwrap().is_empty());
    ledger.drop_root(&root("nowhere")).await.unwrap();
}

/// A place that was never scanned has no rules, also when a change is already on record.
pub async fn rules_are_none_until_set(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    assert_eq!(ledger.rules(&home().place).await.unwrap(), None);
    ledger.set_rules(&home().place, 3).await.unwrap();
    assert_eq!(ledger.rules(&home().place).await.unwrap(), Some(3));
    keep(ledger, vec![document("a.md")]).await;
    assert_eq!(ledger.rules(&home().place).await.unwrap(), Some(3));
    ledger.set_rules(&root("empty").place, u32::MAX).await.unwrap();
    assert_eq!(ledger.rules(&root("empty").place).await.unwrap(), Some(u32::MAX));
}

/// Every place on record, with its identity, in the order of places.
pub async fn roots_have_their_identity(ledger: &dyn Ledger) {
    for word in ["b", "a"] {
        ledger.settle(Batch::new(root(word), at(0))).await.unwrap();
    }
    assert_eq!(ledger.roots().await.unwrap(), [root("a"), root("b")]);
}

/// A place may turn out to be somebody else's, as when a repository gets a remote.
pub async fn identity_may_change(ledger: &dyn Ledger) {
    keep(ledger, vec![document("a.md")]).await;
    let renamed = RootKey { identity: Identity("project:new".to_owned()), ..home() };
    ledger.settle(Batch::new(renamed.clone(), at(0))).await.unwrap();
    assert_eq!(ledger.roots().await.unwrap(), [renamed]);
    assert_eq!(ledger.count(&home().place).await.unwrap(), 1);
}

/// Notes are written, replaced and removed.
pub async fn notes_outlive_and_go(ledger: &dyn Ledger) {
    assert_eq!(ledger.note("k").await.unwrap(), None);
    for value in ["one", "two", ""] {
        ledger.set_note("k", Some(value)).await.unwrap();
        assert_eq!(ledger.note("k").await.unwrap().as_deref(), Some(value));
    }
    ledger.set_note("k", None).await.unwrap();
    ledger.set_note("k", None).await.unwrap();
    assert_eq!(ledger.note("k").await.unwrap(), None);
}

/// Rows, journal and images of the place go, and usage, pins and acceptance of its identity.
pub async fn dropped_root_is_forgotten(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.intend(&[change("pending")], &[]).await.unwrap();
    let row = document("a.md");
    let (identity, digest) = (home().identity, row.digest);
    keep(ledger, vec![row.clone()]).await;
    ledger.touch(&identity, &path("a.md"), at(1)).await.unwrap();
    ledger.pin(&identity, &path("a.md"), Some(at(1))).await.unwrap();
    ledger.accept(&identity, &digest, Some(at(1))).await.unwrap();
    ledger.set_rules(&home().place, 1).await.unwrap();
    ledger.drop_root(&home()).await.unwrap();
    assert!(ledger.roots().await.unwrap().is_empty());
    assert_eq!(ledger.rules(&home().place).await.unwrap(), None);
    assert_eq!(ledger.count(&home().place).await.unwrap(), 0);
    assert!(log(ledger).await.is_empty());
    assert!(ledger.pending(&home().place).await.unwrap().is_empty());
    assert_eq!(ledger.image(&image("a").digest).await.unwrap(), None);
    assert!(ledger.postings(&home().place, &["body".to_owned()]).await.unwrap().is_empty());
    // Should the same place come back, nothing of its first life is left.
    keep(ledger, vec![row]).await;
    let back = listed(ledger, "a.md").await;
    assert_eq!((back.uses, back.last_used_at, back.pinned, back.accepted), (0, None, false, false));
}

/// Other places and identities are not concerned.
pub async fn dropping_keeps_the_others(ledger: &dyn Ledger) {
    let shared = Image::of(b"a".to_vec());
    make(ledger, &[change("a")]).await;
    keep(ledger, vec![document("a.md")]).await;
    let theirs =
        loci_domain::change::Change { place: root("other").place, after: Some(shared.digest), ..change("theirs") };
    ledger
        .settle(Batch { noticed: vec![theirs], documents: vec![document("b.md")], ..Batch::new(root("other"), at(0)) })
        .await
        .unwrap();
    ledger.pin(&root("other").identity, &path("b.md"), Some(at(1))).await.unwrap();
    ledger.drop_root(&home()).await.unwrap();
    assert_eq!(ledger.roots().await.unwrap(), [root("other")]);
    assert!(ledger.image(&shared.digest).await.unwrap().is_some());
    assert!(ledger.listed(&root("other")).await.unwrap()[0].pinned);
    assert_eq!(ledger.postings(&root("other").place, &["body".to_owned()]).await.unwrap().len(), 1);
}
