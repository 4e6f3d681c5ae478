//! A stronger embedder at an address: what it finds, what it costs, and that nobody waits for it.

use crate::document;
use loci_llm::embedders::Endpoint;
use loci_memory::Memory;
use loci_memory::recall::{Recall, Strategy, Stronger};
use loci_testkit::model::{Model, Request, Step, Wire};
use loci_testkit::ram::ram_store;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Things that this service knows to be the same.
const SAME: [&[&str]; 3] = [&["zorvex", "quibble"], &["plinth", "mandrake"], &["tannic", "obelisk"]];

/// One axis a thing, and one that everything has a little of.
fn vector(text: &str) -> Vec<f32> {
    let has = |words: &&[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
    SAME.iter().map(has).chain([0.2]).collect()
}

fn texts(request: &Request) -> Vec<String> {
    let texts = request.body["input"].as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn service() -> Model {
    Model::answering(Wire::OpenAi, |request| {
        Step::vectors(&texts(request).iter().map(|text| vector(text)).collect::<Vec<_>>())
    })
}

fn stronger(model: &Model, name: &str, limit: Duration) -> Stronger {
    Stronger::new(Arc::new(Endpoint::new(&model.base_url(), name, None, limit).unwrap()), limit)
}

async fn memory() -> Memory {
    let (store, ram) = ram_store();
    for (at, word) in
        ["quibble", "mandrake", "obelisk", "lamp", "river", "stone", "cloud", "grass", "door"].iter().enumerate()
    {
        let text = document(&format!("Thing {at}"), &format!("about the {word}"), "reference", "Kept in the shed.");
        crate::write(&ram, &format!("t{at}.md"), &text).await;
    }
    Memory::new(store)
}

async fn asked(memory: &Memory, query: &str) -> (Strategy, Vec<String>) {
    let ask = Recall { query: query.to_owned(), scope: None, limit: 5, doc_chars: 100, session: None, model: None };
    let recalled = memory.recall(ask).await.unwrap();
    (recalled.strategy, recalled.hits.into_iter().map(|hit| hit.path).collect())
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn it_finds_what_words_and_the_built_in_one_do_not() {
    let (model, plain) = (service(), memory().await);
    assert_eq!(asked(&plain, "zorvex").await, (Strategy::None, vec![]));
    let memory = plain.with_embedder(stronger(&model, "a", SOON));
    assert_eq!(asked(&memory, "zorvex").await.1, ["/memories/global/t0.md"]);
    assert_eq!(asked(&memory, "plinth").await.1, ["/memories/global/t1.md"]);
    assert_eq!(asked(&memory, "wombat").await, (Strategy::None, vec![]), "what nothing answers gets nothing");
}

#[tokio::test]
async fn documents_are_embedded_once_for_each_embedder() {
    let (model, memory) = (service(), memory().await);
    let first = memory.clone().with_embedder(stronger(&model, "a", SOON));
    asked(&first, "zorvex").await;
    let before = model.requests().len();
    let later = memory.clone().with_embedder(stronger(&model, "a", SOON));
    assert_eq!(asked(&later, "zorvex").await.1, ["/memories/global/t0.md"]);
    let new: Vec<Vec<String>> = model.requests()[before..].iter().map(texts).collect();
    assert_eq!(new, [["zorvex"]], "another process reads what was kept");
    let other = memory.with_embedder(stronger(&model, "b", SOON));
    assert_eq!(asked(&other, "zorvex").await.1, ["/memories/global/t0.md"]);
    assert!(model.requests().len() > before + 2, "another embedder makes its own");
}

#[tokio::test]
async fn nobody_waits_for_a_service_that_is_not_well() {
    for step in [Step::hang, || Step::status(500)] {
        let model = Model::answering(Wire::OpenAi, move |_| step());
        let memory = memory().await.with_embedder(stronger(&model, "a", Duration::from_millis(200)));
        let start = Instant::now();
        assert_eq!(asked(&memory, "the mandrake").await.1, ["/memories/global/t1.md"], "words still find");
        assert!(start.elapsed() < Duration::from_secs(4));
        for _ in 0..20 {
            asked(&memory, "the obelisk").await;
        }
        assert_eq!(model.requests().len(), 1, "it is left alone for a while");
    }
}
