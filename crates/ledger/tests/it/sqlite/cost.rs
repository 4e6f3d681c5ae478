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
    let body: Vec<String> =
        (0..100).map(|n| format!("word{}", (number * 7 + n * n) % 3_000)).collect();
    sample::worded(
        &format!("dir{}/file{number}.md", number % 20),
        "some name",
        "a line about it",
        &body.join(" "),
    )
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
        ledger
            .settle(Batch { settled: vec![change.id], documents, ..sample::batch() })
            .await
            .unwrap();
    }
    (cpu() - start) / STEPS
}

async fn look(ledger: &Sqlite) -> Duration {
    let start = cpu();
    for _ in 0..STEPS {
        let place = sample::home().place;
        assert_eq!(ledger.index_head(&place, 50).await.unwrap().rows.len(), 50);
        ledger.count(&place).await.unwrap();
        ledger.sizes(&place).await.unwrap();
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
    assert!(
        write_many < write_few * 2 + Duration::from_micros(200),
        "write {write_few:?} -> {write_many:?}"
    );
    assert!(
        look_many < look_few * 2 + Duration::from_micros(200),
        "look {look_few:?} -> {look_many:?}"
    );
}

/// Not a bar but a look at the numbers: `cargo nextest run --release -p loci-ledger opening_and_searching --no-capture`.
#[tokio::test]
async fn opening_and_searching_in_numbers() {
    let (ledger, home) = seeded(10_000).await;
    let start = cpu();
    let found = ledger
        .candidates(
            &sample::home().place,
            &["word9".to_owned(), "word100".to_owned(), "line".to_owned()],
        )
        .await
        .unwrap();
    println!("search: {} candidates in {:?}", found.len(), cpu() - start);
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

#[tokio::test]
async fn zz_breakdown() {
    for count in [100, 10_000] {
        let (ledger, _home) = seeded(count).await;
        let text = "Some memory of seven hundred bytes, as they are in real life. ".repeat(12);
        for kind in ["intend", "settle", "nowords", "few", "words", "touch"] {
            let start = cpu();
            let mut worst = Duration::ZERO;
            for number in 0..STEPS {
                let one = cpu();
                let change = sample::change(&format!("step{kind}{number}"));
                let image = loci_domain::change::Image::of(format!("{text}{kind}{number}").into_bytes());
                let mut doc = row(1_000_000 + number as usize);
                doc.digest = image.digest;
                match kind {
                    "intend" => ledger.intend(&[change], &[image]).await.unwrap(),
                    "settle" => ledger.settle(Batch { settled: vec![sample::id(&format!("stepintend{number}"))], ..sample::batch() }).await.unwrap(),
                    "nowords" => { doc.search = Default::default(); ledger.settle(Batch { documents: vec![doc], ..sample::batch() }).await.unwrap() }
                    "few" => { doc.search.body = "one two three".into(); ledger.settle(Batch { documents: vec![doc], ..sample::batch() }).await.unwrap() }
                    "touch" => ledger.touch(&sample::home().identity, &doc.path, sample::at(1)).await.unwrap(),
                    _ => ledger.settle(Batch { documents: vec![doc], ..sample::batch() }).await.unwrap(),
                }
                worst = worst.max(cpu() - one);
            }
            println!("{count} {kind}: {:?} worst {worst:?}", (cpu() - start) / STEPS);
        }
    }
}

#[tokio::test]
async fn zz_search() {
    let (ledger, home) = seeded(10_000).await;
    let db = rusqlite::Connection::open(home.db()).unwrap();
    db.execute_batch("PRAGMA cache_size=-8192").unwrap();
    let ids: Vec<i64> = db.prepare("SELECT id FROM documents").unwrap().query_map([], |r| r.get(0)).unwrap().map(|x| x.unwrap()).collect();
    for _ in 0..3 {
        let t = cpu();
        let mut st = db.prepare("SELECT doc, col FROM postings WHERE term = '1xline'").unwrap();
        let n = st.query_map([], |r| Ok((r.get::<_, i64>(0)?, r.get_ref(1)?.as_bytes().unwrap().len()))).unwrap().count();
        println!("vocab {n} {:?}", cpu() - t);
        let t = cpu();
        let mut st = db.prepare("SELECT doc, col, count(*) FROM postings WHERE term = '1xline' GROUP BY 1,2").unwrap();
        let n = st.query_map([], |r| Ok((r.get::<_, i64>(0)?, r.get_ref(1)?.as_bytes().unwrap().len()))).unwrap().count();
        println!("vocab grouped {n} {:?}", cpu() - t);
        let t = cpu();
        let mut st = db.prepare("SELECT rowid FROM words WHERE words MATCH '\"1xline\"'").unwrap();
        let n = st.query_map([], |r| r.get::<_, i64>(0)).unwrap().count();
        println!("match {n} {:?}", cpu() - t);
        let t = cpu();
        let mut st = db.prepare("SELECT path FROM documents WHERE id = ?").unwrap();
        for id in &ids { let _: String = st.query_row([id], |r| r.get(0)).unwrap(); }
        println!("lookups {:?}", cpu() - t);
        let t = cpu();
        let mut st = db.prepare("SELECT id, path FROM documents WHERE root = 1").unwrap();
        let all: Vec<(i64, String)> = st.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap().map(|x| x.unwrap()).collect();
        println!("covering {:?}", cpu() - t);
        let t = cpu();
        let n = all.iter().map(|(_, p)| sample::path(p)).count();
        let v: Vec<_> = all.iter().map(|(_, p)| sample::path(p)).collect();
        println!("parse {n} {} {:?}", v.len(), cpu() - t);
        let t = cpu();
        let n = ledger.candidates(&sample::home().place, &["line".to_owned()]).await.unwrap().len();
        println!("candidates {n} {:?}", cpu() - t);
    }
}
