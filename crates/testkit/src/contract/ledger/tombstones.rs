//! Tombstones: kept by mark and identity, until a person says otherwise.

use super::sample::*;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_ledger::Ledger;

fn mark(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn identity(name: &str) -> Identity {
    Identity(name.to_owned())
}

/// One key for the life of the ledger.
pub async fn the_key_stays(ledger: &dyn Ledger) {
    assert_eq!(ledger.fact_key().await.unwrap(), ledger.fact_key().await.unwrap());
}

/// Burying twice is burying once.
pub async fn buried_is_found_by_any_mark(ledger: &dyn Ledger) {
    let global = [identity("global")];
    assert!(!ledger.is_buried(&global, &[mark("a")]).await.unwrap());
    ledger.bury(&global[0], &[mark("a"), mark("b")], at(1)).await.unwrap();
    ledger.bury(&global[0], &[mark("a")], at(2)).await.unwrap();
    ledger.bury(&global[0], &[], at(2)).await.unwrap();
    assert!(ledger.is_buried(&global, &[mark("x"), mark("b")]).await.unwrap());
    assert!(!ledger.is_buried(&global, &[mark("x")]).await.unwrap());
    assert!(!ledger.is_buried(&global, &[]).await.unwrap());
    assert!(!ledger.is_buried(&[], &[mark("a")]).await.unwrap());
}

/// What one project had forgotten, another may learn; it ends with its root.
pub async fn graves_belong_to_the_identity(ledger: &dyn Ledger) {
    let (one, other) = (identity("project:one"), identity("project:other"));
    ledger.bury(&one, &[mark("a")], at(1)).await.unwrap();
    assert!(!ledger.is_buried(std::slice::from_ref(&other), &[mark("a")]).await.unwrap());
    assert!(ledger.is_buried(&[other, one.clone()], &[mark("a")]).await.unwrap());
    ledger.drop_root(&root("one")).await.unwrap();
    assert!(!ledger.is_buried(&[one], &[mark("a")]).await.unwrap());
}

/// From all identities that were named, and only those.
pub async fn exhumed_is_gone(ledger: &dyn Ledger) {
    let all = [identity("global"), identity("project:one")];
    for identity in &all {
        ledger.bury(identity, &[mark("a"), mark("b")], at(1)).await.unwrap();
    }
    assert!(ledger.exhume(&all[..1], &[mark("a"), mark("x")]).await.unwrap());
    assert!(!ledger.exhume(&all[..1], &[mark("a"), mark("x")]).await.unwrap());
    assert!(ledger.is_buried(&all[1..], &[mark("a")]).await.unwrap());
    assert!(ledger.is_buried(&all[..1], &[mark("b")]).await.unwrap());
    assert!(ledger.exhume(&all, &[mark("a"), mark("b")]).await.unwrap());
    assert!(!ledger.is_buried(&all, &[mark("a"), mark("b")]).await.unwrap());
}
