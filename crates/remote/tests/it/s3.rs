//! Object storage, by SeaweedFS.

mod proxy;

use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_remote::s3::{S3, Settings};
use loci_store::{Backend, Care, Error, Expect, Show};
use loci_testkit::servers::weed::Weed;
use proxy::{Fault, Proxy};
use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

loci_testkit::backend_contract!(all in s3_keeps_the_contract: weed = Weed::start(); (open(&weed, &weed.bucket(), "pre/fix"), ()));

fn open(weed: &Weed, bucket: &str, prefix: &str) -> S3 {
    S3::open(&Settings::parse(&format!("s3://{bucket}/{prefix}")).unwrap(), &weed.environment()).unwrap()
}

fn at(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn text(text: &str) -> Clean {
    Clean::kept(text.as_bytes().to_vec())
}

async fn put(place: &S3, path: &str, content: &str) {
    place.write_if(&at(path), &text(content), Expect::Absent, Care::Durable).await.unwrap();
}

async fn content(place: &S3, path: &str) -> Option<String> {
    place.read(&at(path), 1 << 20).await.unwrap().map(|blob| String::from_utf8(blob.bytes).unwrap())
}

async fn names(place: &S3) -> Vec<String> {
    let listing = place.list(None, Show::All, 10_000).await.unwrap();
    listing.files.iter().map(|(path, _)| path.to_string()).collect()
}

#[tokio::test]
async fn many_objects_are_listed_over_pages() {
    let weed = Weed::start();
    let bucket = weed.bucket();
    let place = open(&weed, &bucket, "many");
    for number in 0..2500 {
        weed.plant(&bucket, &format!("many/{:02}/{number:04}.md", number % 7), b"x");
    }
    let listing = place.list(None, Show::Visible, 10_000).await.unwrap();
    assert_eq!((listing.files.len(), listing.folders.len(), listing.complete), (2500, 7, true));
    assert!(listing.files.is_sorted_by(|a, b| a.0 < b.0));
    let some = place.list(None, Show::Visible, 1200).await.unwrap();
    assert_eq!((some.files.len(), some.complete), (1200, false));
    assert_eq!(some.files, listing.files[..1200]);
    place.remove(&at("03")).await.unwrap();
    let left = place.list(None, Show::Visible, 10_000).await.unwrap();
    assert_eq!((left.files.len(), left.folders.len()), (2500 - 2500 / 7, 6));
}

#[tokio::test]
async fn places_lie_below_their_prefix_and_do_not_see_each_other() {
    let weed = Weed::start();
    let bucket = weed.bucket();
    let (one, two) = (open(&weed, &bucket, "pre/one"), open(&weed, &bucket, "pre/on"));
    let odd = "it's a $(touch x); #1 100% {b} + &c? | ü 日本.md";
    for path in ["a.md", odd] {
        put(&one, path, path).await;
        assert_eq!(content(&one, path).await.as_deref(), Some(path));
    }
    assert_eq!(names(&one).await, ["a.md", odd]);
    assert!(names(&two).await.is_empty() && two.stat(None).await.unwrap().is_none());
    let whole = open(&weed, &bucket, "");
    assert_eq!(content(&whole, "pre/one/a.md").await.as_deref(), Some("a.md"));
    let namespace = one.within(&at("fs-1"));
    put(&namespace, "b.md", "b").await;
    assert_eq!(content(&whole, "pre/one/fs-1/b.md").await.as_deref(), Some("b"));
    one.rename(&at(odd), &at("plain.md")).await.unwrap();
    assert_eq!(names(&one).await, ["a.md", "fs-1/b.md", "plain.md"]);
    // What other tools make for a folder is none.
    weed.plant(&bucket, "pre/one/empty.md", b"");
    assert_eq!(one.list(None, Show::All, 10).await.unwrap().files.len(), 4);
}

#[tokio::test]
async fn two_writers_race_with_one_winner() {
    let weed = Weed::start();
    let bucket = weed.bucket();
    let writers = [open(&weed, &bucket, "x"), open(&weed, &bucket, "x")];
    let path = at("a.md");
    put(&writers[0], "a.md", "start").await;
    let mut now = "start".to_owned();
    for round in 0..20 {
        let texts = [text(&format!("one {round}")), text(&format!("two {round}"))];
        let seen = Expect::Is(Digest::of(now.as_bytes()));
        let (first, second) = tokio::join!(
            writers[0].write_if(&path, &texts[0], seen, Care::Durable),
            writers[1].write_if(&path, &texts[1], seen, Care::Durable),
        );
        now = content(&writers[0], "a.md").await.unwrap();
        let (winner, loser) = if first.is_ok() { (&texts[0], second) } else { (&texts[1], first) };
        assert_eq!(now.as_bytes(), winner.as_bytes(), "round {round}");
        assert!(matches!(loser, Err(Error::Changed { now: Some(digest) }) if digest == Digest::of(now.as_bytes())));
    }
}

#[tokio::test]
async fn an_interrupted_rename_is_finished_or_taken_back() {
    let weed = Weed::start();
    let place = open(&weed, &weed.bucket(), "x");
    let files: Vec<String> = (0..10).map(|number| format!("{number}.md")).collect();
    for name in &files {
        put(&place, &format!("old/{name}"), name).await;
    }
    let (mut left, mut steps, mut both) = ("old", 0, [false; 2]);
    loop {
        let right = if left == "old" { "new" } else { "old" };
        // A future that is dropped in the middle is a process that was killed there.
        let done = first_steps(place.rename(&at(left), &at(right)), steps).await;
        // What was on the wire when it died still arrives.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let before = place.list(None, Show::Visible, 100).await.unwrap();
        assert!(done.is_none() || before.leftovers.is_empty());
        for folder in before.leftovers {
            place.sweep(folder.as_ref()).await.unwrap();
        }
        let whole = |folder: &str| files.iter().map(|name| format!("{folder}/{name}")).collect::<Vec<_>>();
        let now = names(&place).await;
        let moved = now == whole(right);
        assert!(moved || now == whole(left), "after {steps} steps: {now:?}");
        assert!(place.list(None, Show::All, 100).await.unwrap().leftovers.is_empty());
        for name in &files {
            let folder = if moved { right } else { left };
            assert_eq!(content(&place, &format!("{folder}/{name}")).await.as_ref(), Some(name));
        }
        both[usize::from(moved)] |= done.is_none();
        if moved {
            left = right;
        }
        if done.is_some() {
            break;
        }
        steps += 3;
    }
    assert_eq!(both, [true, true], "both ways of settling were seen");
}

/// Polls a future so many times and drops it.
async fn first_steps<T>(work: impl Future<Output = T>, steps: usize) -> Option<T> {
    let (mut work, mut done) = (pin!(work), 0);
    std::future::poll_fn(|cx| {
        if done > steps {
            return Poll::Ready(None);
        }
        done += 1;
        work.as_mut().poll(cx).map(Some)
    })
    .await
}

/// A place behind a wire with faults.
async fn behind(weed: &Weed) -> (S3, Proxy) {
    let (bucket, proxy) = (weed.bucket(), Proxy::start(weed.port()).await);
    let settings = Settings {
        endpoint: Some(format!("http://127.0.0.1:{}", proxy.port())),
        ..Settings::parse(&format!("s3://{bucket}/x")).unwrap()
    };
    (S3::open(&settings, &weed.environment()).unwrap(), proxy)
}

#[tokio::test]
async fn an_answer_that_is_lost_on_the_way_is_no_conflict() {
    let weed = Weed::start();
    let (place, proxy) = behind(&weed).await;
    put(&place, "first.md", "x").await;
    proxy.spoil("PUT", Fault::Lost);
    put(&place, "a.md", "one").await;
    assert_eq!(proxy.met(), 1);
    proxy.spoil("PUT", Fault::Lost);
    let seen = Expect::Is(Digest::of(b"one"));
    place.write_if(&at("a.md"), &text("two"), seen, Care::Durable).await.unwrap();
    assert_eq!((proxy.met(), content(&place, "a.md").await.as_deref()), (2, Some("two")));
    proxy.spoil("GET", Fault::Lost);
    assert_eq!(content(&place, "a.md").await.as_deref(), Some("two"));
}

#[tokio::test]
async fn a_busy_server_and_half_an_answer_overwrite_nobody() {
    let weed = Weed::start();
    let (place, proxy) = behind(&weed).await;
    for (number, fault) in [Fault::Busy, Fault::Half].into_iter().enumerate() {
        let (name, before) = (format!("{number}.md"), proxy.met());
        put(&place, &name, "one").await;
        proxy.spoil("GET", fault);
        assert_eq!(content(&place, &name).await.as_deref(), Some("one"), "{fault:?}");
        proxy.spoil("GET", fault);
        // A listing is whole or an error, and never a part that passes for all.
        if let Ok(listing) = place.list(None, Show::All, 100).await {
            assert_eq!(listing.files.len(), number + 1, "{fault:?}");
        }
        proxy.spoil("PUT", fault);
        let seen = Expect::Is(Digest::of(b"one"));
        place.write_if(&at(&name), &text("two"), seen, Care::Durable).await.unwrap();
        assert_eq!(content(&place, &name).await.as_deref(), Some("two"), "{fault:?}");
        assert!(proxy.met() - before >= 3, "{fault:?}: {}", proxy.met() - before);
        // Who lost the race is told so, however the answer came.
        proxy.spoil("PUT", fault);
        let late = place.write_if(&at(&name), &text("three"), seen, Care::Durable).await;
        assert!(matches!(late, Err(Error::Changed { .. })), "{fault:?}: {late:?}");
        assert_eq!(content(&place, &name).await.as_deref(), Some("two"), "nobody is written over");
    }
}

#[tokio::test]
async fn a_server_that_dies_is_an_error_and_nothing_else() {
    let mut weed = Weed::start();
    let place = open(&weed, &weed.bucket(), "x");
    put(&place, "d/a.md", "one").await;
    weed.kill();
    let gone = place.list(None, Show::All, 10).await.unwrap_err();
    assert!(gone.to_string().contains("cannot be reached"), "{gone}");
    for failed in [place.remove(&at("d")).await, place.rename(&at("d"), &at("e")).await] {
        assert!(failed.unwrap_err().to_string().contains("cannot be reached"));
    }
    assert!(place.stat(Some(&at("d/a.md"))).await.is_err());
    weed.restart();
    assert_eq!(content(&place, "d/a.md").await.as_deref(), Some("one"));
    put(&place, "d/b.md", "two").await;
    assert_eq!(names(&place).await, ["d/a.md", "d/b.md"]);
}

#[tokio::test]
async fn a_wrong_secret_and_a_missing_bucket_are_told_apart_from_an_empty_place() {
    let weed = Weed::start();
    let bucket = weed.bucket();
    let mut environment = weed.environment();
    environment.iter_mut().filter(|(name, _)| name == "AWS_SECRET_ACCESS_KEY").for_each(|(_, value)| value.push('x'));
    let wrong = S3::open(&Settings::parse(&format!("s3://{bucket}")).unwrap(), &environment).unwrap();
    let missing = open(&weed, "no-such-bucket", "x");
    for (place, told) in [(wrong, "AWS_SECRET_ACCESS_KEY"), (missing, "no such bucket")] {
        let path = at("a.md");
        let answers = [
            place.list(None, Show::All, 10).await.map(drop),
            place.stat(None).await.map(drop),
            place.stat(Some(&path)).await.map(drop),
            place.read(&path, 10).await.map(drop),
            place.write_if(&path, &text("x"), Expect::Absent, Care::Durable).await.map(drop),
            place.remove(&path).await,
        ];
        for answer in answers {
            let error = answer.unwrap_err().to_string();
            assert!(error.contains(told) && !error.contains(&bucket) && !error.contains("127.0.0.1"), "{error}");
        }
    }
}
