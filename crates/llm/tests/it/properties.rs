//! What holds for any text, however hostile.

use loci_llm::Embedder;
use loci_llm::embedders::StaticMinilm;
use loci_llm::embedders::static_minilm::{NAME, quantise, similarity};
use proptest::prelude::*;

fn cosine(a: &[f32; 256], b: &[f32; 256]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn text() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(
        prop::sample::select(vec![
            "memory", "Deploy", "[CLS]", "[", "記憶", "안녕", "é", "e\u{301}", "\u{0}", " ", "\n", "🎉", "##ing",
        ]),
        0..40,
    );
    prop_oneof![any::<String>(), ".{0,200}", words.prop_map(|words| words.concat())]
}

proptest! {
    #[test]
    fn any_text_has_a_finite_vector_of_length_one_or_none(text in text(), most in prop_oneof![0..20_usize, Just(usize::MAX)]) {
        let vector = StaticMinilm::with_most_tokens(most).vector(&text);
        let length = cosine(&vector, &vector);
        prop_assert!(vector.iter().all(|x| x.is_finite()));
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4, "{}", length);
    }

    #[test]
    fn bytes_keep_the_cosine(a in text(), b in text()) {
        let model = StaticMinilm::default();
        let exact = cosine(&model.vector(&a), &model.vector(&b));
        let rounded = similarity(&model.quantised(&a), &model.quantised(&b));
        prop_assert!((exact - rounded).abs() < 0.02, "{} and {}", exact, rounded);
    }

    #[test]
    fn any_numbers_can_be_bytes(numbers in prop::array::uniform32(any::<f32>()), scale in any::<f32>()) {
        let vector = std::array::from_fn(|at| numbers[at % 32] * scale);
        let bytes = quantise(&vector);
        prop_assert!((-1.0..=1.0).contains(&similarity(&bytes, &bytes)));
    }

    #[test]
    fn case_and_space_do_not_matter(words in prop::collection::vec("[a-z]{1,12}", 1..20)) {
        let model = StaticMinilm::default();
        let (low, high) = (words.join(" "), format!("\t{}\n", words.join("  ").to_uppercase()));
        prop_assert_eq!(model.vector(&low), model.vector(&high));
    }
}

#[tokio::test]
async fn many_texts_give_what_each_gives_alone() {
    let model: &dyn Embedder = &StaticMinilm::default();
    let texts = crate::reference::texts();
    let all = model.embed(&texts).await.unwrap();
    for (text, vector) in texts.iter().zip(&all) {
        assert_eq!(&model.embed(std::slice::from_ref(text)).await.unwrap()[0], vector);
        assert_eq!(vector.len(), all[0].len());
    }
    assert_eq!(model.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
    assert_eq!(model.name(), NAME);
}

#[test]
fn what_is_above_the_limit_does_not_count() {
    let model = StaticMinilm::with_most_tokens(8);
    let text = "one two three four five six seven eight";
    assert_eq!(model.vector(text), model.vector(&format!("{text} nine ten {}", "eleven ".repeat(1000))));
    assert_ne!(model.vector(text), model.vector("one two three four five six seven nine"));
}

/// Minutes would pass here if the work grew faster than the text.
#[test]
fn a_long_text_of_anything_is_embedded_in_time() {
    let model = StaticMinilm::with_most_tokens(usize::MAX);
    for part in
        ["[", "[CLS", "[CLS]", "a", "\u{301}", "\u{323}\u{301}", "字", "é", " ", "!", "\u{0}", "qx ", "가\u{0}a"]
    {
        model.vector(&part.repeat((1 << 18) / part.len()));
    }
}
