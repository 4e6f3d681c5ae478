//! Upkeep: cursors, the request that waits, proposals.

use super::sample::*;
use loci_domain::change::Identity;
use loci_ledger::{Cursor, Ledger, Proposal, Request};

fn of(word: &str) -> Identity {
    root(word).identity
}

fn cursor(session: &str, processed: u64, second: i64) -> Cursor {
    Cursor { session: session.to_owned(), processed, updated_at: at(second) }
}

fn request(session: &str) -> Request {
    let (source, format) = (format!("/tmp/{session}'\".jsonl"), "loci".to_owned());
    Request { session: session.to_owned(), source, format, at: at(3) }
}

fn proposal(id: &str) -> Proposal {
    Proposal { id: id.to_owned(), at: at(-1), summary: format!("about {id}"), body: "{\"日\": 1}".to_owned() }
}

/// Forwards and backwards.
pub async fn a_cursor_comes_back(ledger: &dyn Ledger) {
    assert_eq!(ledger.cursor(&of("a"), "s").await.unwrap(), None);
    for (processed, second) in [(0, 1), (7, 2), (3, 1)] {
        ledger.set_cursor(&of("a"), &cursor("s", processed, second)).await.unwrap();
        assert_eq!(ledger.cursor(&of("a"), "s").await.unwrap(), Some(cursor("s", processed, second)));
    }
}

/// The same session in two projects is two sessions.
pub async fn cursors_are_by_identity_and_session(ledger: &dyn Ledger) {
    ledger.set_cursor(&of("a"), &cursor("s'1", 1, 1)).await.unwrap();
    ledger.set_cursor(&of("b"), &cursor("s'1", 2, 1)).await.unwrap();
    ledger.set_cursor(&of("a"), &cursor("S'1", 3, 1)).await.unwrap();
    assert_eq!(ledger.cursor(&of("a"), "s'1").await.unwrap().unwrap().processed, 1);
    assert_eq!(ledger.cursor(&of("b"), "s'1").await.unwrap().unwrap().processed, 2);
    assert_eq!(ledger.cursor(&of("a"), "S'1").await.unwrap().unwrap().processed, 3);
}

/// After, not at, that moment.
pub async fn sessions_read_since(ledger: &dyn Ledger) {
    for (session, second) in [("c", 1), ("a", 2), ("b", 3)] {
        ledger.set_cursor(&of("a"), &cursor(session, 1, second)).await.unwrap();
    }
    assert_eq!(ledger.read_since(&of("a"), None).await.unwrap(), ["a", "b", "c"]);
    assert_eq!(ledger.read_since(&of("a"), Some(at(1))).await.unwrap(), ["a", "b"]);
    assert!(ledger.read_since(&of("a"), Some(at(3))).await.unwrap().is_empty());
    assert!(ledger.read_since(&of("b"), None).await.unwrap().is_empty());
}

/// The newer one, whatever session it is of.
pub async fn one_request_waits(ledger: &dyn Ledger) {
    assert_eq!(ledger.queue(&of("a"), &request("s1")).await.unwrap(), None);
    assert_eq!(ledger.queue(&of("b"), &request("other")).await.unwrap(), None);
    assert_eq!(ledger.queue(&of("a"), &request("s2")).await.unwrap(), Some(request("s1")));
    assert_eq!(ledger.queued(&of("a")).await.unwrap(), Some(request("s2")));
    assert_eq!(ledger.queued(&of("b")).await.unwrap(), Some(request("other")));
}

/// And then none waits.
pub async fn a_request_is_taken_once(ledger: &dyn Ledger) {
    assert_eq!(ledger.unqueue(&of("a")).await.unwrap(), None);
    ledger.queue(&of("a"), &request("s1")).await.unwrap();
    assert_eq!(ledger.unqueue(&of("a")).await.unwrap(), Some(request("s1")));
    assert_eq!(ledger.unqueue(&of("a")).await.unwrap(), None);
    assert_eq!(ledger.queued(&of("a")).await.unwrap(), None);
}

/// As they came, until they are dropped.
pub async fn proposals_wait_in_order(ledger: &dyn Ledger) {
    for id in ["z", "a"] {
        ledger.propose(&of("a"), &proposal(id)).await.unwrap();
    }
    assert_eq!(ledger.proposals(&of("a")).await.unwrap(), [proposal("z"), proposal("a")]);
    assert!(ledger.proposals(&of("b")).await.unwrap().is_empty());
    assert!(!ledger.drop_proposal(&of("b"), "z").await.unwrap());
    assert!(ledger.drop_proposal(&of("a"), "z").await.unwrap());
    assert!(!ledger.drop_proposal(&of("a"), "z").await.unwrap());
    assert_eq!(ledger.proposals(&of("a")).await.unwrap(), [proposal("a")]);
    ledger.propose(&of("b"), &proposal("b")).await.unwrap();
    assert_eq!(ledger.drop_proposals().await.unwrap(), 2);
    assert!(ledger.proposals(&of("b")).await.unwrap().is_empty());
}

/// Nothing of a workspace that ended stays.
pub async fn upkeep_goes_with_its_root(ledger: &dyn Ledger) {
    ledger.set_cursor(&of("a"), &cursor("s", 1, 1)).await.unwrap();
    ledger.queue(&of("a"), &request("s")).await.unwrap();
    ledger.propose(&of("a"), &proposal("p")).await.unwrap();
    ledger.propose(&of("b"), &proposal("p")).await.unwrap();
    ledger.drop_root(&root("a")).await.unwrap();
    assert_eq!(ledger.cursor(&of("a"), "s").await.unwrap(), None);
    assert_eq!(ledger.queued(&of("a")).await.unwrap(), None);
    assert!(ledger.proposals(&of("a")).await.unwrap().is_empty());
    assert_eq!(ledger.proposals(&of("b")).await.unwrap().len(), 1);
}
