//! What recall costs in a long-lived process, in CPU time (Linux), and whether it finds what it should:
//! `cargo run --release -p loci-memory --example recall_cost -- [--json] DATASET`, with a dataset as `loci eval recall --format loci`
//! takes it. What is not found is told on stderr, with what came first instead.
// A measurement has nobody to hand an error to.
#![allow(clippy::unwrap_used)]

use loci_memory::Memory;
use loci_memory::eval::corpus::Corpus;
use loci_memory::recall::Recall;
use std::collections::BTreeMap;

/// Milliseconds that this process has had of a processor: others may keep the machine busy.
fn busy() -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    told.split(' ').next().and_then(|spent| spent.parse::<f64>().ok()).unwrap() / 1e6
}

/// Questions before the first that counts: they read everything once, and make the watch trust itself.
const WARM: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let corpus: Corpus = serde_json::from_slice(&std::fs::read(words.last().unwrap()).unwrap()).unwrap();
    let (store, files, _dir) = loci_testkit::disk::disk_store(20_000);
    for document in &corpus.documents {
        loci_testkit::home::write(&files.join(&document.path), &document.content);
    }
    let memory = Memory::new(store);
    let ask = |query: &str| Recall {
        query: query.to_owned(),
        scope: None,
        limit: 5,
        doc_chars: 1200,
        session: None,
        model: None,
    };
    for question in corpus.questions.iter().take(WARM) {
        // What was written just now is looked at again.
        std::thread::sleep(std::time::Duration::from_millis(50));
        memory.recall(ask(&question.query)).await.unwrap();
    }
    let (start, mut found) = (busy(), BTreeMap::<&str, (f64, f64)>::new());
    for question in &corpus.questions {
        let recalled = memory.recall(ask(&question.query)).await.unwrap();
        let hit = recalled.hits.iter().any(|hit| question.gold.contains(&hit.path));
        let slice = found.entry(&question.slice).or_default();
        *slice = (slice.0 + f64::from(u8::from(hit)), slice.1 + 1.0);
        if !hit {
            let first = recalled.hits.first().map(|hit| (&hit.path, hit.score));
            eprintln!("{} {:?} {first:?}", question.id, question.query);
        }
    }
    let each = (busy() - start) / corpus.questions.len() as f64;
    let shares: BTreeMap<&str, f64> = found.into_iter().map(|(slice, (hits, all))| (slice, hits / all)).collect();
    if words.iter().any(|word| word == "--json") {
        return println!("{}", serde_json::json!({"cpuMs": each, "hit@5": shares}));
    }
    println!("{} documents: {each:.2} ms of CPU a question; hit@5 {shares:.4?}", corpus.documents.len());
}
