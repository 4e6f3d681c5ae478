//! The embedder at an address, against a server on loopback.

use loci_llm::Embedder;
use loci_llm::embed::{Error, Kind};
use loci_llm::embedders::Endpoint;
use loci_llm::providers::Key;
use loci_testkit::model::{KEY, Model, NAME, Step, Wire};
use std::time::{Duration, Instant};

fn endpoint(model: &Model, time: Duration) -> Endpoint {
    Endpoint::new(&model.base_url(), NAME, Key::new(KEY).as_ref(), time).unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn vectors_come_in_the_order_of_their_texts_and_one_long() {
    let model = Model::new(Wire::OpenAi, [Step::vectors(&[vec![3.0, 4.0], vec![0.0, 2.0], vec![1.0, 0.0]])]);
    let made = endpoint(&model, SOON).embed(&texts(&["first", "second", "  "])).await.unwrap();
    assert_eq!(made, [[0.6, 0.8], [0.0, 1.0], [0.0, 0.0]]);
    let asked = &model.requests()[0];
    assert_eq!((asked.path.as_str(), &asked.body["model"]), ("/v1/embeddings", &NAME.into()));
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(endpoint(&model, SOON).embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[tokio::test]
async fn many_texts_go_in_several_requests() {
    let model = Model::answering(Wire::OpenAi, |request| {
        let texts = request.body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        Step::vectors(&texts.map(|text| vec![text.len() as f32, 1.0]).collect::<Vec<_>>())
    });
    let many: Vec<String> = (1..=150).map(|length| "x".repeat(length)).collect();
    let made = endpoint(&model, SOON).embed(&many).await.unwrap();
    assert_eq!(made.len(), 150);
    assert!(made.windows(2).all(|two| two[0][0] < two[1][0]), "longer texts point more to the first axis");
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn what_is_no_answer_is_an_error_without_key_or_words() {
    let wrong = [
        Step::status(500),
        Step::echo(401),
        Step::cut(),
        Step::body("[]"),
        Step::vectors(&[]),
        Step::vectors(&[vec![1.0], vec![1.0]]),
        Step::vectors(&[vec![]]),
    ];
    for step in wrong {
        let model = Model::new(Wire::OpenAi, [step]);
        let error = endpoint(&model, SOON).embed(&texts(&["pelican"])).await.unwrap_err();
        assert_eq!(error.kind(), Kind::Unreadable, "{error}");
        let told = format!("{error} {error:?}");
        assert!(!told.contains(KEY) && !told.contains("pelican"), "{told}");
    }
    let nobody = Endpoint::new("http://127.0.0.1:9/v1", NAME, None, SOON).unwrap();
    assert!(matches!(nobody.embed(&texts(&["a"])).await, Err(Error::Unreachable)));
    for (base, name) in [("ftp://a", NAME), ("http://127.0.0.1/v1", "")] {
        assert_eq!(Endpoint::new(base, name, None, SOON).unwrap_err().kind(), Kind::Invalid);
    }
}

#[tokio::test]
async fn nobody_waits_longer_than_the_limit() {
    let model = Model::new(Wire::OpenAi, [Step::hang()]);
    let start = Instant::now();
    let error = endpoint(&model, Duration::from_millis(100)).embed(&texts(&["a"])).await.unwrap_err();
    assert!(matches!(error, Error::Late { .. }) && start.elapsed() < Duration::from_secs(3), "{error}");
}
