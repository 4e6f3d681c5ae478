//! Changes: from intended to settled, and how the log reads.

use super::sample::*;
use jiff::{SignedDuration, Timestamp};
use loci_domain::change::{Actor, Change, GroupId, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::row::Batch;
use loci_ledger::{Ledger, Log};

/// Pending changes are in no log.
pub async fn intended_is_pending_and_in_no_log(ledger: &dyn Ledger) {
    ledger.intend(&[change("a")], &[image("a")]).await.unwrap();
    assert_eq!(ledger.pending(&home().place).await.unwrap(), [change("a")]);
    assert!(log(ledger).await.is_empty());
    assert_eq!(ledger.change(&id("a")).await.unwrap(), None);
    assert!(ledger.group(&change("a").group).await.unwrap().is_empty());
    assert_eq!(ledger.image(&image("a").digest).await.unwrap().unwrap(), b"a");
}

/// A settled change is in the log.
pub async fn settled_is_in_the_log_and_not_pending(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    assert!(ledger.pending(&home().place).await.unwrap().is_empty());
    assert_eq!(log(ledger).await, ["a"]);
    assert_eq!(ledger.change(&id("a")).await.unwrap(), Some(change("a")));
}

/// Every field, with times to the microsecond.
pub async fn a_change_comes_back_whole(ledger: &dyn Ledger) {
    for (number, actor) in [
        Actor::Agent,
        Actor::User,
        Actor::Dream,
        Actor::Extract,
        Actor::Remember,
        Actor::Forget,
        Actor::Import,
        Actor::Editor,
    ]
    .into_iter()
    .enumerate()
    {
        let whole = Change {
            at: at(0) + SignedDuration::from_micros(123_456),
            actor,
            op: [Op::Create, Op::Modify, Op::Delete, Op::Rename][number % 4],
            path: path("ein ordner/日本語.md"),
            new_path: Some(path("new.md")),
            before: Some(Digest::of(b"before")),
            after: None,
            undoes: Some(id("earlier")),
            ..change(&format!("c{number}"))
        };
        make(ledger, std::slice::from_ref(&whole)).await;
        assert_eq!(ledger.change(&whole.id).await.unwrap(), Some(whole));
    }
    let fine = Change { at: at(0) + SignedDuration::from_nanos(1_999), ..change("fine") };
    let far = Change { at: Timestamp::MAX, ..change("far") };
    let past = Change { at: Timestamp::MIN, ..change("past") };
    make(ledger, &[fine, far, past]).await;
    assert_eq!(ledger.change(&id("past")).await.unwrap().unwrap().at, Timestamp::MIN);
    let fine = ledger.change(&id("fine")).await.unwrap().unwrap();
    assert_eq!(fine.at, at(0) + SignedDuration::from_micros(1));
    let far = ledger.change(&id("far")).await.unwrap().unwrap();
    assert_eq!(far.at.as_microsecond(), Timestamp::MAX.as_microsecond());
}

/// Settling an unknown or settled id does nothing.
pub async fn settling_what_is_not_pending_does_nothing(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.settle(Batch { settled: vec![id("a"), id("nobody")], ..batch() }).await.unwrap();
    assert_eq!(log(ledger).await, ["a"]);
}

/// An id that is on record stays as it is.
pub async fn intending_an_id_twice_does_nothing(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.intend(&[Change { path: path("other.md"), ..change("a") }], &[]).await.unwrap();
    assert!(ledger.pending(&home().place).await.unwrap().is_empty());
    assert_eq!(ledger.change(&id("a")).await.unwrap(), Some(change("a")));
}

/// Pending changes of a place, oldest first.
pub async fn pending_is_by_place_oldest_first(ledger: &dyn Ledger) {
    let elsewhere = Change { place: root("other").place, ..change("elsewhere") };
    ledger.intend(&[Change { at: at(9), ..change("z") }, elsewhere, change("a")], &[]).await.unwrap();
    assert_eq!(ids(&ledger.pending(&home().place).await.unwrap()), ["z", "a"]);
    assert_eq!(ids(&ledger.pending(&root("other").place).await.unwrap()), ["elsewhere"]);
    assert!(ledger.pending(&Place("home:nowhere".to_owned())).await.unwrap().is_empty());
}

/// The order of the log is the order of recording.
pub async fn log_is_newest_first_whatever_the_clock(ledger: &dyn Ledger) {
    for (word, second) in [("first", 30), ("second", 10), ("third", 20)] {
        make(ledger, &[Change { at: at(second), ..change(word) }]).await;
    }
    assert_eq!(log(ledger).await, ["third", "second", "first"]);
}

/// Places, path (also as a new path) and limit each narrow the log.
pub async fn log_keeps_to_places_path_and_limit(ledger: &dyn Ledger) {
    let other = Change { place: root("other").place, path: path("a.md"), ..change("other") };
    let renamed = Change { op: Op::Rename, path: path("x.md"), new_path: Some(path("a.md")), ..change("renamed") };
    make(ledger, &[change("a"), change("b"), other, renamed, Change { path: path("a.md"), ..change("again") }]).await;
    let below = |word: &str, at: &str| Change { path: path(at), ..change(word) };
    let into = Change { new_path: Some(path("f/g/in.md")), op: Op::Rename, ..below("into", "elsewhere/f.md") };
    let folder = Change { place: root("folder").place, ..below("folder", "f") };
    let place = folder.place.clone();
    let below = ["f/a.md", "f.md", "f-a/x.md", "f0", "F/a.md", "f/g/b.md"].map(|at| below(at, at));
    let inside: Vec<Change> = below.into_iter().chain([into, folder]).collect();
    make(ledger, &inside.into_iter().map(|change| Change { place: place.clone(), ..change }).collect::<Vec<_>>()).await;
    let ask = |places: &[&str], file: Option<&str>, limit| Log {
        places: places.iter().map(|word| root(word).place).collect(),
        path: file.map(path),
        limit,
    };
    let both = &["memory", "other"];
    for (ask, expected) in [
        (ask(both, None, 10), vec!["again", "renamed", "other", "b", "a"]),
        (ask(both, None, 3), vec!["again", "renamed", "other"]),
        (ask(&["memory"], Some("a.md"), 10), vec!["again", "renamed", "a"]),
        (ask(&["memory"], Some("a.md"), 2), vec!["again", "renamed"]),
        (ask(both, Some("a.md"), 10), vec!["again", "renamed", "other", "a"]),
        (ask(&["memory", "memory"], Some("b.md"), 10), vec!["b"]),
        (ask(&["folder"], Some("f"), 10), vec!["folder", "into", "f/g/b.md", "f/a.md"]),
        (ask(&["folder"], Some("f"), 2), vec!["folder", "into"]),
        (ask(&["folder"], Some("f/g"), 10), vec!["into", "f/g/b.md"]),
        (ask(&["folder"], Some("elsewhere"), 10), vec!["into"]),
        (ask(both, None, 0), vec![]),
        (ask(&[], None, 10), vec![]),
        (ask(&["nowhere"], None, 10), vec![]),
        (ask(both, None, usize::MAX), vec!["again", "renamed", "other", "b", "a"]),
    ] {
        assert_eq!(ids(&ledger.changes(&ask).await.unwrap()), expected, "{ask:?}");
    }
}

/// What somebody else made is journaled and settled in one step, with its images.
pub async fn noticed_is_settled_at_once(ledger: &dyn Ledger) {
    let noticed = vec![Change { actor: Actor::Editor, ..change("outside") }];
    ledger.settle(Batch { noticed, images: vec![image("outside")], ..batch() }).await.unwrap();
    assert_eq!(log(ledger).await, ["outside"]);
    assert!(ledger.pending(&home().place).await.unwrap().is_empty());
    assert_eq!(ledger.image(&image("outside").digest).await.unwrap().unwrap(), b"outside");
}

/// The settled changes of a group, across places; empty for an unknown one.
pub async fn group_is_oldest_first_and_only_settled(ledger: &dyn Ledger) {
    let elsewhere = Change { place: root("other").place, ..grouped("b", "g") };
    make(ledger, &[grouped("c", "g"), elsewhere, change("between"), grouped("a", "g")]).await;
    ledger.intend(&[grouped("pending", "g")], &[]).await.unwrap();
    assert_eq!(ids(&ledger.group(&GroupId("g".to_owned())).await.unwrap()), ["c", "b", "a"]);
    assert!(ledger.group(&GroupId("h".to_owned())).await.unwrap().is_empty());
}

/// Names are values, whatever they look like.
pub async fn names_are_never_read_as_sql(ledger: &dyn Ledger) {
    let evil = "'; DROP TABLE changes; --";
    let place = Place(evil.to_owned());
    let odd = Change { place: place.clone(), group: GroupId(evil.to_owned()), path: path("a'b%_;.md"), ..change(evil) };
    make(ledger, std::slice::from_ref(&odd)).await;
    let ask = Log { places: vec![place], path: Some(path("a'b%_;.md")), limit: 5 };
    assert_eq!(ledger.changes(&ask).await.unwrap(), std::slice::from_ref(&odd));
    assert_eq!(ledger.group(&odd.group).await.unwrap(), [odd]);
}
