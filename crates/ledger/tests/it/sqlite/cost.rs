//! The price of a step does not grow with what is already there.

use super::*;
use loci_domain::row::Batch;
use loci_ledger::{Catalog, Search};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

const STEPS: u32 = 300;

fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap())
}

fn row(number: usize) -> loci_domain::row::DocumentRow {
    let body: Vec<String> = (0..100).map(|n| format!("word{}", (number * 7 + n * n) % 3_000)).collect();
    sample::worded(&format!("dir{}/file{number}.md", number % 20), "some name", "a line about it", &body.join(" "))
}

async fn seeded(count: usize) -> (Sqlite, Home) {
    let home = Home::new();
    let ledger = home.open();
    for chunk in (0..count).collect::<Vec<_>>().chunks(500) {
        let names: Vec<String> = chunk.iter().map(|n| format!("seed{n}")).collect();
        let step = Batch {
            noticed: names.iter().map(|name| sample::change(name)).collect(),
            images: names.iter().map(|name| sample::image(name)).collect(),
            documents: chunk.iter().map(|n| row(*n)).collect(),
            ..sample::batch()
        };
        ledger.settle(step).await.unwrap();
    }
    (ledger, home)
}

/// CPU of one durable write: intended, settled, indexed.
async fn write(ledger: &Sqlite) -> Duration {
    let text = "Some memory of seven hundred bytes, as they are in real life. ".repeat(12);
    let start = cpu();
    for number in 0..STEPS {
        let change = sample::change(&format!("step{number}"));
        let image = loci_domain::change::Image::of(format!("{text}{number}").into_bytes());
        ledger.intend(std::slice::from_ref(&change), &[image]).await.unwrap();
        let documents = vec![row(1_000_000 + number as usize)];
        ledger.settle(Batch { settled: vec![change.id], documents, ..sample::batch() }).await.unwrap();
    }
    (cpu() - start) / STEPS
}

async fn look(ledger: &Sqlite) -> Duration {
    let start = cpu();
    for _ in 0..STEPS {
        let place = sample::home().place;
        assert_eq!(ledger.index_head(&place, 50).await.unwrap().lines.lines().count(), 50);
        ledger.count(&place).await.unwrap();
        ledger.generation(&place).await.unwrap();
    }
    (cpu() - start) / STEPS
}

#[tokio::test]
async fn growth_is_flat() {
    let (few, _home) = seeded(100).await;
    let (many, _other) = seeded(10_000).await;
    // In turns, so that a busy machine does both the same harm.
    let (mut write_few, mut write_many) = (write(&few).await, write(&many).await);
    let (look_few, look_many) = (look(&few).await, look(&many).await);
    println!("write {write_few:?} -> {write_many:?}; look {look_few:?} -> {look_many:?}");
    write_few = write_few.max(Duration::from_micros(100));
    write_many = write_many.max(Duration::from_micros(100));
    assert!(write_many < write_few * 2 + Duration::from_micros(200), "write {write_few:?} -> {write_many:?}");
    assert!(look_many < look_few * 2 + Duration::from_micros(200), "look {look_few:?} -> {look_many:?}");
}

/// Not a bar but a look at the numbers: `cargo nextest run --release -p loci-ledger in_numbers --no-capture`.
#[tokio::test]
async fn opening_in_numbers() {
    let (ledger, home) = seeded(1_000).await;
    drop(ledger);
    let start = std::time::Instant::now();
    for _ in 0..50 {
        drop(home.open());
    }
    println!("open and close: {:?}", start.elapsed() / 50);
    let _kept = home.open();
    let start = std::time::Instant::now();
    for _ in 0..50 {
        drop(home.open());
    }
    println!("open beside another: {:?}", start.elapsed() / 50);
}

/// The shortest of several times: what it costs, not what else the machine does.
async fn least<T>(work: impl AsyncFn() -> T) -> (T, Duration) {
    let mut best: Option<(T, Duration)> = None;
    for _ in 0..20 {
        let start = cpu();
        let done = work().await;
        let took = cpu() - start;
        if best.as_ref().is_none_or(|(_, least)| took < *least) {
            best = Some((done, took));
        }
    }
    best.unwrap()
}

/// The price of what a ranker asks, as numbers to look at.
#[tokio::test]
async fn searching_in_numbers() {
    for count in [1_000, 10_000] {
        let (ledger, _home) = seeded(count).await;
        let place = sample::home().place;
        let (numbers, took) = least(async || ledger.numbers(&place).await.unwrap()).await;
        println!("numbers of {count}: {took:?}");
        for chunk in numbers.chunks(500) {
            let vectors: Vec<_> =
                chunk.iter().map(|number| loci_ledger::Vectors { number: *number, packed: vec![7; 768] }).collect();
            ledger.keep_vectors("embedder", &vectors).await.unwrap();
        }
        let (_, took) = least(async || ledger.generation(&place).await.unwrap()).await;
        println!("generation: {took:?}");
        let (found, took) = least(async || ledger.searched(&place, 0).await.unwrap()).await;
        println!("searched: {} in {took:?}", found.len());
        let (found, took) = least(async || ledger.vectors(&place, "embedder", 0, usize::MAX).await.unwrap()).await;
        println!("vectors: {} in {took:?}", found.len());
        let terms = ["word9", "word100", "line", "word0", "absent"].map(str::to_owned);
        let (found, took) = least(async || ledger.postings(&place, &terms).await.unwrap()).await;
        println!("postings: {} in {took:?}", found.len());
    }
}
