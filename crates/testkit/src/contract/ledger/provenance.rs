//! Provenance: where facts were said.

use super::sample::*;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_ledger::{Ledger, Source};

fn fact(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn global() -> Identity {
    Identity("global".to_owned())
}

fn source(session: &str, message: Option<&str>, second: i64) -> Source {
    Source { session: session.to_owned(), message: message.map(str::to_owned), at: at(second) }
}

/// As noted, whatever the clock; each fact and identity has its own.
pub async fn sources_come_back_in_order(ledger: &dyn Ledger) {
    assert!(ledger.sources(&global(), &fact("a")).await.unwrap().is_empty());
    let all = [source("s'1", Some("m\"1"), 9), source("s2", None, 3), source("日", Some("m1"), 5)];
    for one in &all {
        ledger.note_source(&global(), &fact("a"), one).await.unwrap();
    }
    assert_eq!(ledger.sources(&global(), &fact("a")).await.unwrap(), all);
    assert!(ledger.sources(&global(), &fact("b")).await.unwrap().is_empty());
    assert!(ledger.sources(&Identity("project:x".to_owned()), &fact("a")).await.unwrap().is_empty());
}

/// With its new time, at its old place.
pub async fn the_same_message_is_noted_once(ledger: &dyn Ledger) {
    for one in [source("s", Some("m"), 1), source("t", None, 2), source("s", Some("m"), 7)] {
        ledger.note_source(&global(), &fact("a"), &one).await.unwrap();
    }
    let expected = [source("s", Some("m"), 7), source("t", None, 2)];
    assert_eq!(ledger.sources(&global(), &fact("a")).await.unwrap(), expected);
}

/// The latest noted stay.
pub async fn sources_are_bounded(ledger: &dyn Ledger) {
    for number in 0..40 {
        ledger.note_source(&global(), &fact("a"), &source(&format!("s{number}"), None, -number)).await.unwrap();
    }
    let sessions: Vec<String> =
        ledger.sources(&global(), &fact("a")).await.unwrap().into_iter().map(|source| source.session).collect();
    assert_eq!(sessions, (24..40).map(|number| format!("s{number}")).collect::<Vec<_>>());
}

/// Those that were named, and no others.
pub async fn forgotten_sources_are_gone(ledger: &dyn Ledger) {
    for text in ["a", "b", "c"] {
        ledger.note_source(&global(), &fact(text), &source("s", None, 1)).await.unwrap();
    }
    ledger.forget_sources(&global(), &[fact("a"), fact("b"), fact("x")]).await.unwrap();
    assert!(ledger.sources(&global(), &fact("a")).await.unwrap().is_empty());
    assert!(ledger.sources(&global(), &fact("b")).await.unwrap().is_empty());
    assert_eq!(ledger.sources(&global(), &fact("c")).await.unwrap().len(), 1);
}
