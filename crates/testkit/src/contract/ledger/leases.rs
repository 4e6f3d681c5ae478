//! Leases: one holder at a time, and a token that tells a late one.

use loci_ledger::{Lease, Ledger, Taken};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);
/// Over as soon as it is granted: no test has to wait for the end of a lease.
const NO_TIME: Duration = Duration::ZERO;

async fn take(ledger: &dyn Ledger, name: &str, owner: &str, lasts: Duration) -> Option<Lease> {
    match ledger.take_lease(name, owner, lasts, None).await.unwrap() {
        Taken::Mine(lease) => Some(lease),
        Taken::Theirs(_) => None,
    }
}

/// Names do not mix; who asks again is told that it is held, by the one that asks too.
pub async fn a_lease_has_one_holder(ledger: &dyn Ledger) {
    let mine = take(ledger, "dream", "a", LONG).await.unwrap();
    for owner in ["a", "b"] {
        assert_eq!(ledger.take_lease("dream", owner, LONG, None).await.unwrap(), Taken::Theirs(mine.clone()));
    }
    assert!(take(ledger, "Dream", "b", LONG).await.is_some());
    assert!(ledger.holds_lease(&mine).await.unwrap());
    assert!(ledger.release_lease(&mine).await.unwrap());
    assert!(!ledger.release_lease(&mine).await.unwrap());
    assert!(!ledger.holds_lease(&mine).await.unwrap());
    assert!(take(ledger, "dream", "b", LONG).await.is_some());
}

/// Its old holder has nothing left.
pub async fn a_lease_that_ran_out_is_taken(ledger: &dyn Ledger) {
    let old = take(ledger, "dream", "a", NO_TIME).await.unwrap();
    assert!(!ledger.holds_lease(&old).await.unwrap());
    let new = take(ledger, "dream", "b", LONG).await.unwrap();
    assert!(new.token > old.token);
    assert!(!ledger.holds_lease(&old).await.unwrap());
    assert!(ledger.holds_lease(&new).await.unwrap());
}

/// Only the holder whose token is named; not one that came after it.
pub async fn a_dead_holder_gives_way(ledger: &dyn Ledger) {
    let dead = take(ledger, "dream", "a", LONG).await.unwrap();
    let Taken::Mine(next) = ledger.take_lease("dream", "b", LONG, Some(dead.token)).await.unwrap() else {
        panic!("the dead holder kept it")
    };
    let third = ledger.take_lease("dream", "c", LONG, Some(dead.token)).await.unwrap();
    assert_eq!(third, Taken::Theirs(next.clone()));
    assert!(next.token > dead.token);
}

/// Over all names, and also when leases are given back.
pub async fn tokens_only_grow(ledger: &dyn Ledger) {
    let mut last = 0;
    for name in ["a", "b", "a", "c", "a"] {
        let lease = take(ledger, name, "owner", LONG).await.unwrap();
        assert!(lease.token > last);
        last = lease.token;
        assert!(ledger.release_lease(&lease).await.unwrap());
    }
}

/// Neither renewed nor released by who lost it, and the new holder notices nothing.
pub async fn lease_is_fenced(ledger: &dyn Ledger) {
    let old = take(ledger, "dream", "a", NO_TIME).await.unwrap();
    let new = take(ledger, "dream", "b", LONG).await.unwrap();
    assert_eq!(ledger.renew_lease(&old, LONG).await.unwrap(), None);
    assert!(!ledger.release_lease(&old).await.unwrap());
    assert!(ledger.holds_lease(&new).await.unwrap());
}

/// With its owner's words, as they are.
pub async fn a_lease_comes_back_whole(ledger: &dyn Ledger) {
    assert_eq!(ledger.lease("x").await.unwrap(), None);
    let mine = take(ledger, "x", "it's \"日\"", LONG).await.unwrap();
    assert_eq!(ledger.lease("x").await.unwrap(), Some(mine.clone()));
    let renewed = ledger.renew_lease(&mine, LONG * 2).await.unwrap().unwrap();
    assert_eq!((renewed.token, &renewed.owner), (mine.token, &mine.owner));
    assert!(renewed.until > mine.until);
    assert_eq!(ledger.lease("x").await.unwrap(), Some(renewed));
    assert!(take(ledger, "for ever", "a", Duration::MAX).await.is_some());
}

/// As long as nobody took it.
pub async fn a_late_holder_may_renew(ledger: &dyn Ledger) {
    let late = take(ledger, "x", "a", NO_TIME).await.unwrap();
    let renewed = ledger.renew_lease(&late, LONG).await.unwrap().unwrap();
    assert!(ledger.holds_lease(&renewed).await.unwrap());
}
