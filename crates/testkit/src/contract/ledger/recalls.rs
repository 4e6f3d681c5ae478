//! Recalls: receipts, what sessions were shown, and the context that they were given.

use super::sample::*;
use loci_ledger::Ledger;

async fn show(ledger: &dyn Ledger, session: &str, paths: &[&str], second: i64) {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    ledger.show(session, &paths, at(second)).await.unwrap();
}

async fn shown(ledger: &dyn Ledger, session: &str) -> Vec<String> {
    ledger.shown(session).await.unwrap()
}

/// Under its id, until another one takes its place.
pub async fn a_receipt_comes_back(ledger: &dyn Ledger) {
    assert_eq!(ledger.receipt("r").await.unwrap(), None);
    for body in ["{}", "", "{\"why\": \"'日'\"}"] {
        ledger.keep_receipt("r", at(1), body, 10).await.unwrap();
        assert_eq!(ledger.receipt("r").await.unwrap().as_deref(), Some(body));
    }
    assert_eq!(ledger.receipt("R").await.unwrap(), None);
}

/// As many as asked for stay, whatever the clock; one that is replaced makes nobody go.
pub async fn the_first_receipts_go(ledger: &dyn Ledger) {
    let left = async || {
        let mut left = Vec::new();
        for number in 0..30 {
            left.extend(ledger.receipt(&number.to_string()).await.unwrap().map(|_| number));
        }
        left
    };
    for number in 0..20 {
        ledger.keep_receipt(&number.to_string(), at(-number), "body", 10).await.unwrap();
    }
    assert_eq!(left().await, (10..20).collect::<Vec<_>>());
    for _ in 0..5 {
        ledger.keep_receipt("15", at(0), "body", 10).await.unwrap();
    }
    assert_eq!(left().await, (10..20).collect::<Vec<_>>());
    ledger.keep_receipt("20", at(0), "body", 3).await.unwrap();
    assert_eq!(left().await, [18, 19, 20]);
    ledger.keep_receipt("21", at(0), "body", u64::MAX).await.unwrap();
    assert_eq!(left().await, [18, 19, 20, 21]);
    ledger.keep_receipt("22", at(0), "body", 0).await.unwrap();
    assert!(left().await.is_empty());
    ledger.keep_receipt("23", at(0), "body", 1).await.unwrap();
    assert_eq!(left().await, [23]);
}

/// Those whose body holds it, to the letter; the others stay.
pub async fn receipts_with_a_text_go(ledger: &dyn Ledger) {
    for (id, body) in [("a", "session:s#1"), ("b", "session:S#1"), ("c", "session:s%1"), ("d", "x session:s#2")] {
        ledger.keep_receipt(id, at(1), body, 10).await.unwrap();
    }
    assert_eq!(ledger.receipts_of("session:s#", 10).await.unwrap(), ["x session:s#2", "session:s#1"]);
    assert_eq!(ledger.receipts_of("session:", 1).await.unwrap(), ["x session:s#2"]);
    assert_eq!(ledger.drop_receipts_of("session:s#").await.unwrap(), 2);
    assert_eq!(ledger.drop_receipts_of("session:s#").await.unwrap(), 0);
    for (id, kept) in [("a", false), ("b", true), ("c", true), ("d", false)] {
        assert_eq!(ledger.receipt(id).await.unwrap().is_some(), kept, "{id}");
    }
}

/// In byte order, each path once; each session has its own.
pub async fn shown_is_by_path_and_once(ledger: &dyn Ledger) {
    assert!(shown(ledger, "s").await.is_empty());
    show(ledger, "s", &["project/b.md", "global/a.md", "project/b.md"], 1).await;
    show(ledger, "s", &["global/é.md", "global/a.md", "global/B.md"], 2).await;
    show(ledger, "other", &["x"], 2).await;
    assert_eq!(shown(ledger, "s").await, ["global/B.md", "global/a.md", "global/é.md", "project/b.md"]);
    assert_eq!(shown(ledger, "other").await, ["x"]);
    assert!(shown(ledger, "S").await.is_empty());
    ledger.forget_shown("s").await.unwrap();
    ledger.forget_shown("nobody").await.unwrap();
    assert!(shown(ledger, "s").await.is_empty());
    assert_eq!(shown(ledger, "other").await, ["x"]);
}

/// No paths put no session on record, and do not make one look used.
pub async fn showing_nothing_is_nothing(ledger: &dyn Ledger) {
    show(ledger, "oldest", &["a"], 0).await;
    for number in 1..1_000 {
        show(ledger, &format!("s{number}"), &["a"], 1).await;
    }
    show(ledger, "nothing", &[], 2).await;
    assert_eq!(shown(ledger, "oldest").await, ["a"]);
    show(ledger, "oldest", &[], 3).await;
    show(ledger, "something", &["a"], 4).await;
    assert!(shown(ledger, "oldest").await.is_empty());
}

/// A thousand sessions stay; one that was shown something meanwhile is not among those that go, even by an older call.
pub async fn sessions_shown_nothing_for_longest_go(ledger: &dyn Ledger) {
    for number in 0..1_000 {
        show(ledger, &format!("s{number}"), &["a", "b"], number).await;
    }
    show(ledger, "s0", &["c"], 1_000).await;
    show(ledger, "s0", &["d"], 0).await;
    show(ledger, "s2", &["c"], 1_001).await;
    assert_eq!(shown(ledger, "s1").await, ["a", "b"]);
    show(ledger, "new", &["a"], 1_002).await;
    show(ledger, "newer", &["a"], 1_002).await;
    for (session, expected) in [("s1", 0), ("s3", 0), ("s0", 4), ("s2", 3), ("s4", 2), ("s999", 2), ("new", 1)] {
        assert_eq!(shown(ledger, session).await.len(), expected, "{session}");
    }
    // One that comes back starts anew.
    show(ledger, "s1", &["z"], 1_003).await;
    assert_eq!(shown(ledger, "s1").await, ["z"]);
}

/// Until the next one.
pub async fn a_segment_is_the_last_one(ledger: &dyn Ledger) {
    assert_eq!(ledger.segment("s").await.unwrap(), None);
    for block in ["one", "", "two\n'日'"] {
        ledger.keep_segment("s", block, at(1)).await.unwrap();
        assert_eq!(ledger.segment("s").await.unwrap().as_deref(), Some(block));
    }
    assert_eq!(ledger.segment("other").await.unwrap(), None);
    assert!(shown(ledger, "s").await.is_empty());
}

/// A thousand, apart from what was shown.
pub async fn segments_are_bounded_too(ledger: &dyn Ledger) {
    show(ledger, "shown", &["a"], -1).await;
    for number in 0..1_000 {
        ledger.keep_segment(&format!("s{number}"), "block", at(number)).await.unwrap();
    }
    ledger.keep_segment("s0", "again", at(1_000)).await.unwrap();
    ledger.keep_segment("new", "block", at(1_001)).await.unwrap();
    assert_eq!(ledger.segment("s1").await.unwrap(), None);
    assert_eq!(ledger.segment("s0").await.unwrap().as_deref(), Some("again"));
    for session in ["s2", "s999", "new"] {
        assert_eq!(ledger.segment(session).await.unwrap().as_deref(), Some("block"));
    }
    assert_eq!(shown(ledger, "shown").await, ["a"]);
}
