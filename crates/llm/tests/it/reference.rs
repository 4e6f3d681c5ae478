//! The shipped embedder against `model2vec-rs`; see `reference/README.md` for how its answers were made.

use loci_llm::Embedder;
use loci_llm::embedders::StaticMinilm;

pub fn texts() -> Vec<String> {
    serde_json::from_str(include_str!("reference/texts.json")).unwrap()
}

fn vectors() -> Vec<Vec<f32>> {
    let bytes = include_bytes!("reference/vectors.f32");
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
    numbers.chunks(256).map(<[f32]>::to_vec).collect()
}

#[tokio::test]
async fn vectors_are_those_of_the_reference() {
    let (texts, expected) = (texts(), vectors());
    assert!(texts.len() >= 40 && texts.len() == expected.len());
    let found = StaticMinilm::default().embed(&texts).await.unwrap();
    for ((text, expected), found) in texts.iter().zip(&expected).zip(&found) {
        let worst = expected.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 1e-5, "off by {worst}: {:?}", text.chars().take(60).collect::<String>());
    }
}

#[test]
fn most_texts_of_the_reference_have_a_direction() {
    let telling = vectors().iter().filter(|vector| vector.iter().any(|x| *x != 0.0)).count();
    assert!(telling >= 50, "only {telling} texts prove anything");
}
