//! What the vectors are for: like meanings are near, others are not.

use loci_llm::embedders::StaticMinilm;
use loci_llm::embedders::static_minilm::similarity;

fn near(a: &str, b: &str) -> f32 {
    let model = StaticMinilm::default();
    similarity(&model.quantised(a), &model.quantised(b))
}

#[test]
fn a_paraphrase_is_nearer_than_another_subject() {
    for (text, paraphrase, other) in [
        ("the car would not start", "my vehicle's engine is broken", "she baked bread in the morning"),
        ("delete the old files", "remove outdated documents", "the singer won a prize"),
        ("he is afraid of dogs", "scared of puppies", "compile the project with warnings on"),
        ("the doctor prescribed a drug", "physician gave medicine", "the football match ended in a draw"),
        ("deploy to production on Monday", "release the service next week", "my sister likes cats"),
        ("the database is slow", "sql queries take long", "we had pizza for dinner"),
        ("birthday present for mother", "gift for mom's anniversary", "kernel memory allocation error"),
    ] {
        let (like, unlike) = (near(text, paraphrase), near(text, other));
        assert!(like > unlike + 0.1, "{text}: {like} and {unlike}");
    }
}

#[test]
fn a_text_is_like_itself_and_nothing_is_like_nothing() {
    assert!(near("keep the lease short", "keep the lease short") > 0.9999);
    assert_eq!(near("", ""), 0.0);
    assert_eq!(near("keep the lease short", "\u{0}"), 0.0);
}
